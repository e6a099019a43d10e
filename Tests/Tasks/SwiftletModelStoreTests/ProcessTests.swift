import Foundation
import ModelStoreTestSupport
import SwiftletModelStore
import SwiftletTestSupport
import Testing

/// Checks other processes that install models, with and without the required disk space and permissions.
@Suite("Other processes", .serialized)
struct ProcessTests {
  static let bytes = SampleModel.bytes(300_000, seed: 33)

  @Test("can install the same model concurrently")
  func several() async throws {
    let server = try LoopbackServer { .file(Self.bytes, etag: "\"e\"", for: $0) }
    let store = TestStore()
    let ends = try await withThrowingTaskGroup(of: DownloadChild.End.self) { group in
      for _ in 0..<5 { group.addTask { try await DownloadChild.run(store.folder, server.url("/m")) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(ends.allSatisfy { $0.status == 0 }, "\(ends)")
    // One process downloaded the model. The others found it and asked whether it is still the newest version.
    #expect(server.requests.count(where: { $0.headers["if-none-match"] == nil }) == 1)
    let model = RemoteModel(name: "victim", url: server.url("/m"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.modelStore.installedModel(model).path)) == Data(Self.bytes))
    #expect(store.files.count == 2, "\(store.files)")
  }

  @Test("installed models are read-only, so that they can be mapped")
  func readOnly() async throws {
    let server = try LoopbackServer { .file(Self.bytes, etag: "\"e\"", for: $0) }
    let store = TestStore()
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    let path = try await store.download(model).path
    let permissions = try #require(
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)
    #expect(permissions.intValue & 0o222 == 0)
    #expect(store.deletionError(model) == nil)
  }

  private static let hasNamespaces: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "unshare -m sh -c 'mount -t tmpfs -o size=64k none /mnt' 2>/dev/null"]
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  @Test(
    "on a full disk throw that error, and leave no model behind",
    .enabled(if: hasNamespaces, "no file system of its own can be mounted here"))
  func fullDisk() async throws {
    // A chunked response, so that the size isn't known in advance.
    let server = try LoopbackServer { _ in
      LoopbackResponse(headers: ["ETag": "\"e\""], body: Self.bytes, length: .chunked)
    }
    let store = TestStore()
    try FileManager.default.createDirectory(at: store.folder, withIntermediateDirectories: true)
    for size in ["4k", "8k", "64k", "200k"] {
      let end = try await DownloadChild.run(
        store.folder, server.url("/m"),
        shell: "exec unshare -m sh -c 'mount -t tmpfs -o size=\(size) none \"$2\" && exec \"$@\"' sh \"$@\"")
      #expect(end.status == 1, "\(end)")
      #expect(end.error.contains("full") || end.error.contains("No space"), "\(end)")
    }
  }

  /// Starts a program as another user if the tests run as root, which ignores permissions.
  private static let asNobody =
    geteuid() == 0 ? "exec setpriv --reuid 65534 --regid 65534 --clear-groups \"$@\"" : "exec \"$@\""

  @Test("that can neither continue nor remove a partial download throw the reason", arguments: [416, 206])
  func stuckPart(status: Int) async throws {
    let server = try LoopbackServer { request in
      guard request.headers["range"] != nil else {
        return LoopbackResponse.file(Self.bytes, etag: "\"a\"", for: request).delivered(.cut(after: 5000))
      }
      return LoopbackResponse(
        status: status, headers: ["Content-Range": "bytes 5000-299999/300000", "ETag": "\"b\""],
        body: status == 206 ? Array(Self.bytes[5000...]) : [])
    }
    let store = TestStore()
    let manager = FileManager.default
    try manager.createDirectory(at: store.folder, withIntermediateDirectories: true)
    try manager.setAttributes([.posixPermissions: 0o777], ofItemAtPath: store.folder.path)
    let first = try await DownloadChild.run(
      store.folder, server.url("/m"), step: "received", count: 1000, shell: Self.asNobody)
    guard first.status != 126, first.status != 127 else {
      withKnownIssue("another user cannot run the programs of the tests here") { Issue.record("\(first)") }
      return
    }
    #expect(first.status == SIGKILL, "\(first)")
    let folder = try #require(try manager.contentsOfDirectory(atPath: store.folder.path).first)
    let path = store.folder.appendingPathComponent(folder).path
    try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: path)
    let before = server.requests.count
    let end = try await DownloadChild.run(store.folder, server.url("/m"), shell: Self.asNobody)
    #expect(end.status == 1 && end.error.contains("partial.json cannot be removed"), "\(end)")
    #expect(server.requests.count == before + 1)
    try manager.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
  }

  @Test("without write or read permission throw an error")
  func revokedRights() async throws {
    let server = try LoopbackServer { .file(Self.bytes, etag: "\"e\"", for: $0) }
    let store = TestStore()
    let manager = FileManager.default
    try manager.createDirectory(
      at: store.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
    // The umask can remove some of these permissions from a new directory.
    try manager.setAttributes([.posixPermissions: 0o777], ofItemAtPath: store.folder.path)
    let first = try await DownloadChild.run(store.folder, server.url("/m"), shell: Self.asNobody)
    guard first.status != 126, first.status != 127 else {
      withKnownIssue("another user cannot run the programs of the tests here") { Issue.record("\(first)") }
      return
    }
    #expect(first.status == 0, "\(first)")
    let folder = try #require(try manager.contentsOfDirectory(atPath: store.folder.path).first)
    for permissions in [0o555, 0o000, 0o111, 0o444] {
      try manager.setAttributes(
        [.posixPermissions: permissions], ofItemAtPath: store.folder.appendingPathComponent(folder).path)
      let end = try await DownloadChild.run(store.folder, server.url("/changed"), shell: Self.asNobody)
      // The URL differs, so the model has a directory of its own.
      #expect(end.status == 0, "\(end)")
      let again = try await DownloadChild.run(store.folder, server.url("/m"), shell: Self.asNobody)
      #expect(again.status == (permissions == 0o555 ? 0 : 1), "\(permissions): \(again)")
    }
    try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: store.folder.path)
    let end = try await DownloadChild.run(store.folder, server.url("/third"), shell: Self.asNobody)
    #expect(end.status == 1 && end.error.contains("cannot be made"), "\(end)")
    try manager.setAttributes([.posixPermissions: 0o777], ofItemAtPath: store.folder.path)
  }
}
