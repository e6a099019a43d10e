import Foundation
import SwiftletModelStore
import SwiftletTestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Addresses and redirects")
struct AddressTests {
  static let bytes = SampleModel.bytes()

  private func redirected(
    _ from: String, to: String, headers: [String: String] = [:], loopback: Bool = false, count: Int = 1
  ) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: from)))
    for (field, value) in headers { request.setValue(value, forHTTPHeaderField: field) }
    return try AddressRules(allowsLoopbackHTTP: loopback).redirected(
      URLRequest(url: try #require(URL(string: to))), from: request, count: count)
  }

  @Test("only https is asked, and http on this machine where that is allowed")
  func schemes() throws {
    for text in ["https://example.com/x", "HTTPS://example.com"] {
      try AddressRules().check(try #require(URL(string: text)))
    }
    for text in ["http://example.com/x", "ftp://example.com/x", "file:///x", "http://127.0.0.1/x", "data://x/x"] {
      #expect(throws: ModelStoreError.self) { try AddressRules().check(try #require(URL(string: text))) }
    }
    for text in ["http://127.0.0.1:80/x", "http://localhost/x", "http://[::1]:80/x"] {
      try AddressRules(allowsLoopbackHTTP: true).check(try #require(URL(string: text)))
    }
    for text in [
      "http://example.com/x", "http://127.0.0.1.example.com/x", "http://10.0.0.1/", "file://localhost/x", "x",
      "https:///x",
    ] {
      #expect(throws: ModelStoreError.self) {
        try AddressRules(allowsLoopbackHTTP: true).check(try #require(URL(string: text)))
      }
    }
  }

  @Test("a redirect keeps to https, also where this machine is allowed, and ends somewhere")
  func redirectRule() throws {
    #expect(try redirected("https://a.com/x", to: "https://b.com/y").url?.host == "b.com")
    #expect(throws: ModelStoreError.self) { try redirected("https://a.com/x", to: "http://a.com/x") }
    #expect(throws: ModelStoreError.self) {
      try redirected("https://a.com/x", to: "http://127.0.0.1/x", loopback: true)
    }
    #expect(throws: ModelStoreError.self) { try redirected("https://a.com/x", to: "file:///etc/passwd") }
    #expect(try redirected("http://127.0.0.1/x", to: "http://localhost/y", loopback: true).url?.path == "/y")
    _ = try redirected("https://a.com/x", to: "https://a.com/x", count: 5)
    #expect(throws: ModelStoreError.self) { try redirected("https://a.com/x", to: "https://a.com/x", count: 6) }
  }

  @Test("credentials stay with the host they are for")
  func redirectHeaders() throws {
    let headers = ["Authorization": "secret", "Range": "bytes=5-", "X-Goog-Firebase-Installations-Auth": "token"]
    let same = try redirected("https://a.com/x", to: "https://a.com/y", headers: headers)
    #expect(
      same.value(forHTTPHeaderField: "Authorization") == "secret"
        && same.value(forHTTPHeaderField: "Range") == "bytes=5-")
    for target in ["https://b.com/x", "https://a.com:444/x", "https://x.a.com/x"] {
      let other = try redirected("https://a.com/x", to: target, headers: headers)
      #expect(
        other.value(forHTTPHeaderField: "Authorization") == nil
          && other.value(forHTTPHeaderField: "X-Goog-Firebase-Installations-Auth") == nil)
      #expect(other.value(forHTTPHeaderField: "Range") == "bytes=5-")
    }
  }

  @Test("a redirect leads to the file, without the headers for the first host")
  func followed() async throws {
    let target = try LoopbackServer { .file(Self.bytes, for: $0) }
    let server = try LoopbackServer { _ in
      LoopbackResponse(status: 302, headers: ["Location": target.url("/there").absoluteString])
    }
    let store = TestStore()
    let model = CustomRemoteModel(
      remoteModelSource: URLModelSource(
        name: SampleModel.name(), url: server.url("/here"), headers: ["Authorization": "secret"]))
    _ = try await store.download(model)
    #expect(server.requests[0].headers["authorization"] == "secret")
    #expect(target.requests.map(\.path) == ["/there"] && target.requests[0].headers["authorization"] == nil)
  }

  @Test(
    "a redirect to a plain address elsewhere, and one without end, are errors",
    arguments: ["http://192.0.2.1/x", "/again"])
  func refused(location: String) async throws {
    let server = try LoopbackServer { _ in LoopbackResponse(status: 307, headers: ["Location": location]) }
    let store = TestStore()
    let model = CustomRemoteModel(remoteModelSource: URLModelSource(name: SampleModel.name(), url: server.url("/m")))
    let error = try #require(await store.failure(model))
    #expect(error.code == (location == "/again" ? .internalError : .insecureAddress), "\(error)")
    #expect(server.requests.count == (location == "/again" ? 6 : 1) && store.waits.isEmpty && store.files.isEmpty)
    #expect(await store.notifications.of(model).map(\.hasSucceeded) == [false])
  }

  @Test("a redirect to a file of this device is not followed")
  func file() async throws {
    let secret = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-\(UUID().uuidString).tflite")
    try Data(Self.bytes).write(to: secret)
    defer { try? FileManager.default.removeItem(at: secret) }
    let server = try LoopbackServer { _ in LoopbackResponse(status: 302, headers: ["Location": secret.absoluteString]) }
    let store = TestStore()
    let model = CustomRemoteModel(remoteModelSource: URLModelSource(name: SampleModel.name(), url: server.url("/m")))
    #expect(await store.failure(model) != nil)
    #expect(store.files.isEmpty && !store.manager.isModelDownloaded(model))
  }

  @Test("a plain address is not asked at all")
  func plain() async throws {
    let server = try LoopbackServer { .file(Self.bytes, for: $0) }
    let store = TestStore { $0.allowsLoopbackHTTP = false }
    let model = CustomRemoteModel(remoteModelSource: URLModelSource(name: SampleModel.name(), url: server.url("/m")))
    #expect(await store.failure(model)?.code == .insecureAddress)
    #expect(server.requests.isEmpty)
  }
}
