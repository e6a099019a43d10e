import Foundation
import ModelStoreTestSupport
import SwiftletBase
import SwiftletTestSupport
import Testing

@_spi(Facades) @testable import SwiftletModelStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("URLs and redirects")
struct AddressTests {
  static let bytes = SampleModel.bytes()

  private func redirected(
    _ from: String, to: String, headers: [String: String] = [:], loopback: Bool = false, count: Int = 1
  ) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: from)))
    for (field, value) in headers { request.setValue(value, forHTTPHeaderField: field) }
    return try URLPolicy(allowsLoopbackHTTP: loopback).redirected(
      URLRequest(url: try #require(URL(string: to))), from: request, count: count)
  }

  @Test("only https is used, and http on this machine if allowed")
  func schemes() throws {
    for text in ["https://example.com/x", "HTTPS://example.com"] {
      try URLPolicy().check(try #require(URL(string: text)))
    }
    for text in ["http://example.com/x", "ftp://example.com/x", "file:///x", "http://127.0.0.1/x", "data://x/x"] {
      #expect(throws: ModelStoreError.self) { try URLPolicy().check(try #require(URL(string: text))) }
    }
    for text in ["http://127.0.0.1:80/x", "http://localhost/x", "http://[::1]:80/x"] {
      try URLPolicy(allowsLoopbackHTTP: true).check(try #require(URL(string: text)))
    }
    for text in [
      "http://example.com/x", "http://127.0.0.1.example.com/x", "http://10.0.0.1/", "file://localhost/x", "x",
      "https:///x",
    ] {
      #expect(throws: ModelStoreError.self) {
        try URLPolicy(allowsLoopbackHTTP: true).check(try #require(URL(string: text)))
      }
    }
  }

  @Test("a redirect stays on https, even if this machine is allowed, and ends")
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

  private static func error(_ body: () throws -> Void) -> ModelStoreError? {
    let error: ModelStoreError? = thrownError(body)
    return error
  }

  @Test(
    "a rejected URL is reported with the reason and without secrets",
    arguments: [
      (
        "http://example.com/x?k=v#f", 107,
        "http://example.com/x is not an https address; models are downloaded over https only"
      ),
      (
        "http://user:word@[::1]/x", 107, "http://[::1]/x is not an https address; models are downloaded over https only"
      ),
      ("ftp://localhost/x", 107, "ftp://localhost/x is not an https address; models are downloaded over https only"),
      ("file:///x", 107, "file:///x is not an https address; models are downloaded over https only"),
      ("x/y?k=v", 3, "'x/y' is not a complete address; it must start with https:// and a host"),
      ("https:///x", 3, "'https:///x' is not a complete address; it must start with https:// and a host"),
    ] as [(String, Int, String)])
  func words(text: String, code: Int, words: String) throws {
    let url = try #require(URL(string: text))
    let error = Self.error { try URLPolicy(allowsLoopbackHTTP: text.hasPrefix("ftp")).check(url) }
    #expect(error == ModelStoreError(.init(rawValue: code), words))
  }

  @Test(
    "all names of the local host are accepted, regardless of case",
    arguments: [
      "http://LOCALHOST/x", "http://localhost:1/x", "http://127.0.0.1/x", "http://[::1]/x", "HTTP://127.0.0.1/x",
    ])
  func loopback(text: String) throws {
    let url = try #require(URL(string: text))
    try URLPolicy(allowsLoopbackHTTP: true).check(url)
    #expect(Self.error { try URLPolicy().check(url) }?.code == .insecureAddress)
  }

  @Test("a rejected redirect names its source")
  func redirectWords() throws {
    let plain = Self.error { _ = try redirected("https://a.com/x?k=v", to: "http://b.com/y?k=v") }
    #expect(
      plain
        == ModelStoreError(
          .insecureAddress,
          "https://a.com/x leads on to a refused address: http://b.com/y is not an https address; models are downloaded over https only"
        ))
    let downgrade = Self.error { _ = try redirected("HTTPS://a.com/x", to: "http://127.0.0.1/y", loopback: true) }
    #expect(downgrade?.code == .insecureAddress)
    #expect(
      downgrade?.message.hasSuffix("leads on to a refused address: http://127.0.0.1/y is not an https address") == true)
    let endless = Self.error { _ = try redirected("https://a.com/x", to: "https://a.com/x", count: 6) }
    #expect(endless == ModelStoreError(.internalError, "https://a.com/x leads on more than 5 times"))
    var nowhere = URLRequest(url: try #require(URL(string: "https://a.com/x")))
    let complete = nowhere
    nowhere.url = nil
    for (first, second) in [(nowhere, complete), (complete, nowhere)] {
      let error = Self.error { _ = try URLPolicy().redirected(first, from: second, count: 1) }
      #expect(error == ModelStoreError(.internalError, "a redirect leads nowhere"))
    }
  }

  @Test("a redirect keeps the cache policy, and headers for any host, regardless of case")
  func harmlessFields() throws {
    var request = URLRequest(url: try #require(URL(string: "https://a.com/x")))
    request.cachePolicy = .reloadIgnoringLocalCacheData
    let fields = ["Accept-Encoding": "1", "RANGE": "2", "If-Range": "3", "if-none-match": "4", "Cookie": "5"]
    for (field, value) in fields { request.setValue(value, forHTTPHeaderField: field) }
    let other = try URLPolicy().redirected(
      URLRequest(url: try #require(URL(string: "https://b.com/x"))), from: request, count: 1)
    #expect(other.cachePolicy == .reloadIgnoringLocalCacheData)
    #expect(
      ["accept-encoding", "range", "if-range", "if-none-match", "cookie"].map {
        other.value(forHTTPHeaderField: $0)
      } == ["1", "2", "3", "4", nil])
    let upgraded = try redirected(
      "http://127.0.0.1/x", to: "https://127.0.0.1/x", headers: ["Authorization": "secret"], loopback: true)
    #expect(upgraded.value(forHTTPHeaderField: "Authorization") == nil)
  }

  @Test("URLs are shown without secrets, and truncated")
  func shown() throws {
    #expect(
      HTTPClient.shown(try #require(URL(string: "https://u:p@a.com:8/x%20y?k=v#f"))) == "https://a.com:8/x%20y")
    let relative = try #require(URL(string: "m", relativeTo: URL(string: "https://a.com/b/c")))
    #expect(HTTPClient.shown(relative) == "https://a.com/b/m")
    for count in [200, 201] {
      let text = "https://a.com/" + String(repeating: "x", count: count - 14)
      #expect(HTTPClient.shown(try #require(URL(string: text))) == text.excerpt)
    }
  }

  @Test("credentials are sent only to their host")
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
    let model = RemoteModel(
      name: SampleModel.name(), url: server.url("/here"), headers: ["Authorization": "secret"])
    _ = try await store.download(model)
    #expect(server.requests[0].headers["authorization"] == "secret")
    #expect(target.requests.map(\.path) == ["/there"] && target.requests[0].headers["authorization"] == nil)
  }

  @Test(
    "a redirect to another host over http, and an endless redirect, are errors",
    arguments: ["http://192.0.2.1/x", "/again"])
  func refused(location: String) async throws {
    let server = try LoopbackServer { _ in LoopbackResponse(status: 307, headers: ["Location": location]) }
    let store = TestStore()
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    let error = try #require(await store.failure(model))
    #expect(error.code == (location == "/again" ? .internalError : .insecureAddress), "\(error)")
    #expect(server.requests.count == (location == "/again" ? 6 : 1) && store.waits.isEmpty && store.files.isEmpty)
  }

  @Test("a redirect to a file of this device is not followed")
  func file() async throws {
    let secret = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-\(UUID().uuidString).tflite")
    try Data(Self.bytes).write(to: secret)
    defer { try? FileManager.default.removeItem(at: secret) }
    let server = try LoopbackServer { _ in LoopbackResponse(status: 302, headers: ["Location": secret.absoluteString]) }
    let store = TestStore()
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    #expect(await store.failure(model) != nil)
    #expect(store.files.isEmpty && !store.isInstalled(model))
  }

  @Test("an http URL is not requested")
  func plain() async throws {
    let server = try LoopbackServer { .file(Self.bytes, for: $0) }
    let store = TestStore { $0.allowsLoopbackHTTP = false }
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    #expect(await store.failure(model)?.code == .insecureAddress)
    #expect(server.requests.isEmpty)
  }
}
