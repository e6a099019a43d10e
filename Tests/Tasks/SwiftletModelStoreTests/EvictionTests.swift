import Foundation
import ModelStoreTestSupport
import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletModelStore

@Suite("Disk space for models")
struct EvictionTests {
  /// A store of models with file sizes and times that a test chooses.
  private final class Setup {
    let root: TestFolder
    private let start = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws { root = try TestFolder() }

    private static func digest(_ name: String) -> String { SHA256.hex(of: Array(name.utf8)) }

    /// - Parameter age: The number of seconds since the last use.
    @discardableResult
    func install(_ name: String, _ byteCount: Int, age: Double) throws -> ModelFolder {
      let folder = root.model(name)
      try folder.make()
      let record = ModelRecord(
        name: name, source: folder.source, version: nil, sha256: Self.digest(name), byteCount: Int64(byteCount),
        installed: start)
      try Data(count: byteCount).write(to: URL(fileURLWithPath: folder.filePath(record)))
      try folder.write(record, to: folder.recordPath)
      try setAge(age, folder.recordPath)
      return folder
    }

    @discardableResult
    func leave(_ name: String, _ byteCount: Int, age: Double) throws -> ModelFolder {
      let folder = root.model(name)
      try folder.make()
      try Data(count: byteCount).write(to: URL(fileURLWithPath: folder.partialDataPath))
      try setAge(age, folder.partialDataPath)
      return folder
    }

    private func setAge(_ age: Double, _ path: String) throws {
      try FileManager.default.setAttributes([.modificationDate: start - age], ofItemAtPath: path)
    }

    func file(_ name: String) -> String { root.model(name).path + "/" + Self.digest(name) + ".tflite" }

    func makeRoom(_ limit: Int64, keeping name: String = "none") {
      var options = ModelStoreOptions(directory: root.url)
      options.totalByteLimit = limit
      ModelCache(options: options, environment: StoreEnvironment()).makeRoom(keeping: root.model(name))
    }

    /// Returns the models that are installed.
    func installed(_ names: String...) -> [String] { names.filter { root.model($0).record() != nil } }
  }

  @Test("is freed down to the limit, and no further", arguments: [30, 29, 20, 19, 10, 9, 0])
  func limit(bytes: Int) throws {
    let setup = try Setup()
    for (name, age) in [("b", 2.0), ("c", 1), ("a", 3)] { try setup.install(name, 10, age: age) }
    setup.makeRoom(Int64(bytes))
    #expect(setup.installed("a", "b", "c") == Array(["a", "b", "c"].suffix(bytes / 10)))
  }

  @Test("is freed from partial downloads first, then by last use, then by name")
  func order() throws {
    let setup = try Setup()
    try setup.install("old", 10, age: 100)
    let partial = try setup.leave("part", 10, age: 0)
    let names = ["x", "y"]
    for name in names { try setup.install(name, 10, age: 50) }
    setup.makeRoom(30)
    #expect(PathKind(of: partial.partialDataPath) == nil && setup.installed("old", "x", "y").count == 3)
    setup.makeRoom(20)
    #expect(setup.installed("old", "x", "y") == ["x", "y"])
    setup.makeRoom(10)
    #expect(setup.installed("x", "y") == ["y"])
    #expect(PathKind(of: setup.root.model("x").path) == nil)
  }

  @Test("is not freed from the model that was just installed or its partial download")
  func kept() throws {
    let setup = try Setup()
    try setup.install("new", 10, age: 100)
    let folder = try setup.leave("new", 10, age: 100)
    try setup.install("other", 10, age: 1)
    setup.makeRoom(0, keeping: "new")
    #expect(setup.installed("new", "other") == ["new"])
    #expect(PathKind.byteCount(of: folder.partialDataPath) == 10)
  }

  @Test("is not freed from models in use or locked directories")
  func inUse() throws {
    let setup = try Setup()
    try setup.install("leased", 10, age: 100)
    let worked = try setup.install("worked", 10, age: 90)
    try setup.leave("worked", 10, age: 90)
    try setup.install("free", 10, age: 1)
    try setup.install("newest", 10, age: 0)
    let lease = try #require(ModelLease(setup.file("leased")))
    let lock = try #require(SystemCalls.lock(worked.path, isShared: false))
    setup.makeRoom(40)
    #expect(setup.installed("leased", "worked", "free", "newest") == ["leased", "worked", "newest"])
    setup.makeRoom(10)
    #expect(setup.installed("leased", "worked", "newest") == ["leased", "worked"])
    #expect(PathKind.byteCount(of: worked.partialDataPath) == 10)
    SystemCalls.unlock(lock)
    withExtendedLifetime(lease) {}
    setup.makeRoom(20)
    #expect(setup.installed("leased", "worked") == ["leased", "worked"])
    #expect(PathKind(of: worked.partialDataPath) == nil)
  }

  @Test("does not count or remove link targets")
  func link() throws {
    let setup = try Setup(), elsewhere = try Setup()
    let folder = try elsewhere.install("far", 1000, age: 1000)
    try FileManager.default.createSymbolicLink(atPath: setup.root.path("link"), withDestinationPath: folder.path)
    try setup.install("near", 10, age: 0)
    setup.makeRoom(10)
    #expect(setup.installed("near") == ["near"] && elsewhere.installed("far") == ["far"])
    setup.makeRoom(0)
    #expect(setup.installed("near").isEmpty && elsewhere.installed("far") == ["far"])
  }

  @Test("counts the sizes of existing files only")
  func sizes() throws {
    let setup = try Setup()
    try setup.install("gone", 1000, age: 100)
    try FileManager.default.removeItem(atPath: setup.file("gone"))
    try setup.install("grown", 10, age: 50)
    try Data(count: 40).write(to: URL(fileURLWithPath: setup.file("grown")))
    try setup.install("newest", 10, age: 0)
    setup.makeRoom(50)
    #expect(PathKind(of: setup.file("grown")) != nil && setup.installed("newest") == ["newest"])
    setup.makeRoom(49)
    #expect(PathKind(of: setup.file("grown")) == nil && setup.installed("newest") == ["newest"])
  }

  @Test("is freed by the limit of a directory, where using a model makes it the newest")
  func touched() throws {
    let setup = try Setup()
    let first = try setup.install("a", 10, age: 100)
    try setup.install("b", 10, age: 50)
    var environment = StoreEnvironment()
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    environment.now = { now }
    ModelCache(options: ModelStoreOptions(directory: setup.root.url), environment: environment).touch(first)
    let attributes = try FileManager.default.attributesOfItem(atPath: first.recordPath)
    #expect(attributes[.modificationDate] as? Date == now)
    StoredFiles.makeRoom(in: setup.root.url, limit: 10)
    #expect(setup.installed("a", "b") == ["a"])
  }

  // MARK: Deletion

  private func delete(_ name: String, in setup: Setup) -> ModelStoreError? {
    ModelCache(options: ModelStoreOptions(directory: setup.root.url), environment: StoreEnvironment())
      .delete(setup.root.model(name), name: name)
  }

  @Test("is freed by deleting a model or its partial download, and nothing else")
  func deletion() throws {
    let setup = try Setup()
    try setup.install("whole", 10, age: 0)
    try setup.leave("part", 10, age: 0)
    try setup.root.model("empty").make()
    let error = ModelStoreError(.notFound, "the model 'empty' is not downloaded, so it cannot be deleted")
    #expect(delete("empty", in: setup) == error)
    #expect(PathKind(of: setup.root.model("empty").path) != nil)
    for name in ["whole", "part"] {
      #expect(delete(name, in: setup) == nil && PathKind(of: setup.root.model(name).path) == nil)
      #expect(delete(name, in: setup)?.code == .notFound)
    }
  }

  @Test("is freed by deleting a model during its download: record and file are removed, and the download is kept")
  func deletionDuringDownload() throws {
    let setup = try Setup()
    let folder = try setup.install("busy", 10, age: 0)
    try setup.leave("busy", 5, age: 0)
    let lock = try #require(SystemCalls.lock(folder.path, isShared: false))
    #expect(delete("busy", in: setup) == nil)
    #expect(setup.root.files.map { $0.split(separator: "/").last } == ["partial.data"])
    SystemCalls.unlock(lock)
  }
}
