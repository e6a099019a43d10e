import Foundation
import ModelStoreTestSupport
import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletModelStore

@Suite("Files of the store")
struct StoreFileTests {
  private static func mode(_ path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
  }

  private static func error(_ body: () throws -> Void) -> ModelStoreError? {
    let error: ModelStoreError? = thrownError(body)
    return error
  }

  /// Returns a directory with one entry of every kind.
  private static func everything() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.write([1, 2, 3], to: "file")
    try FileManager.default.createDirectory(atPath: folder.path("folder"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path("file"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("folder link"), withDestinationPath: folder.path("folder"))
    try FileManager.default.createSymbolicLink(atPath: folder.path("dangling"), withDestinationPath: "/nowhere/at/all")
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    return folder
  }

  // MARK: Kinds

  private static func name(_ kind: PathKind?) -> String {
    switch kind {
    case .file(let count): "file of \(count)"
    case .folder: "folder"
    case .other: "other"
    case nil: "nothing"
    }
  }

  @Test(
    "are distinguished, with and without following links",
    arguments: [
      ("file", "file of 3", "file of 3"), ("folder", "folder", "folder"), ("link", "other", "file of 3"),
      ("folder link", "other", "folder"), ("dangling", "other", "nothing"), ("pipe", "other", "other"),
      ("absent", "nothing", "nothing"),
    ])
  func kinds(name: String, kind: String, followed: String) throws {
    let folder = try Self.everything()
    #expect(Self.name(PathKind(of: folder.path(name))) == kind)
    #expect(Self.name(PathKind(of: folder.path(name), followsLinks: true)) == followed)
    #expect(PathKind.byteCount(of: folder.path(name)) == (kind == "file of 3" ? 3 : nil))
    #expect(PathKind.byteCount(of: folder.path(name), followsLinks: true) == (followed == "file of 3" ? 3 : nil))
  }

  // MARK: Opening

  @Test(
    "are opened for reading if they are regular",
    arguments: ["file", "folder", "link", "folder link", "dangling", "pipe", "absent"])
  func reading(name: String) throws {
    let folder = try Self.everything()
    if name == "file" {
      let handle = try SystemCalls.openFile(folder.path(name), for: .reading)
      #expect(try handle.readToEnd() == Data([1, 2, 3]))
      #expect(throws: (any Error).self) { try handle.write(contentsOf: Data([4])) }
    } else {
      let error = Self.error { _ = try SystemCalls.openFile(folder.path(name), for: .reading) }
      #expect(error?.code == .storage)
      let words = ["folder", "pipe"].contains(name) ? "is not a file of the store; remove it" : "cannot be opened"
      #expect(error?.message.hasPrefix("\(folder.path(name)) \(words)") == true, "\(error?.message ?? "")")
    }
  }

  @Test("are appended to if they have no second link")
  func appending() throws {
    let folder = try Self.everything()
    try SystemCalls.openFile(folder.path("file"), for: .appending).write(contentsOf: Data([4]))
    #expect(FileManager.default.contents(atPath: folder.path("file")) == Data([1, 2, 3, 4]))
    #expect(link(folder.path("file"), folder.path("second")) == 0)
    let error = Self.error { _ = try SystemCalls.openFile(folder.path("file"), for: .appending) }
    #expect(error?.code == .storage)
    #expect(error?.message == "\(folder.path("file")) is not a file of the store; remove it")
    // Files can be opened for reading by other names too.
    _ = try SystemCalls.openFile(folder.path("file"), for: .reading)
    for name in ["link", "pipe", "folder", "absent"] {
      #expect(Self.error { _ = try SystemCalls.openFile(folder.path(name), for: .appending) }?.code == .storage)
    }
  }

  @Test("are created with their permissions, and never replace others", arguments: [0o644, 0o600])
  func creating(permissions: Int) throws {
    let folder = try Self.everything()
    let path = folder.path("new")
    try SystemCalls.openFile(path, for: .creating(permissions: mode_t(permissions))).write(contentsOf: Data([9]))
    #expect(try Self.mode(path) == permissions)
    #expect(FileManager.default.contents(atPath: path) == Data([9]))
    for name in ["new", "file", "link", "dangling", "pipe", "folder"] {
      let error = Self.error {
        _ = try SystemCalls.openFile(folder.path(name), for: .creating(permissions: mode_t(permissions)))
      }
      #expect(error?.code == .storage && error?.message.contains("cannot be opened") == true, "\(name)")
    }
    #expect(FileManager.default.contents(atPath: folder.path("file")) == Data([1, 2, 3]))
  }

  @Test("lose all write permissions")
  func forbidWriting() throws {
    let folder = try Self.everything()
    SystemCalls.forbidWriting(folder.path("file"))
    #expect(try Self.mode(folder.path("file")) == 0o444)
  }

  @Test("are renamed over others, or the rename is an error")
  func rename() throws {
    let folder = try Self.everything()
    try folder.write([7], to: "other")
    try SystemCalls.rename(folder.path("other"), to: folder.path("file"))
    #expect(FileManager.default.contents(atPath: folder.path("file")) == Data([7]))
    #expect(PathKind(of: folder.path("other")) == nil)
    let error = Self.error { try SystemCalls.rename(folder.path("absent"), to: folder.path("x")) }
    #expect(error?.code == .storage)
    #expect(error?.message.hasPrefix("\(folder.path("absent")) cannot become \(folder.path("x")): ") == true)
  }

  @Test("and directories are synced to disk, and anything else is an error")
  func sync() throws {
    let folder = try Self.everything()
    try SystemCalls.sync(folder.path("file"))
    try SystemCalls.sync(folder.path("folder"))
    for name in ["absent", "link"] {
      let error = Self.error { try SystemCalls.sync(folder.path(name)) }
      #expect(error?.code == .storage)
      #expect(error?.message.hasPrefix("\(folder.path(name)) cannot be opened: ") == true)
    }
  }

  @Test("report full disks with a specific error")
  func fullDisk() throws {
    #expect(SystemCalls.isFullDisk(ENOSPC) && SystemCalls.isFullDisk(EDQUOT))
    #expect(!SystemCalls.isFullDisk(EIO) && !SystemCalls.isFullDisk(0) && !SystemCalls.isFullDisk(EACCES))
    let free = try #require(SystemCalls.freeByteCount(of: "/"))
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: "/")
    let expected = try #require((attributes[.systemFreeSize] as? NSNumber)?.int64Value)
    // Other processes write to the same disk, so allow a factor of 4; a wrong unit would be off by a factor of at least
    // 8.
    #expect(free > expected / 4 && free < expected * 4)
  }

  @Test("report a full disk if Foundation cannot write them")
  func foundationErrors() {
    func error(_ domain: String, _ code: Int, _ underlying: NSError? = nil) -> NSError {
      var info: [String: Any] = [NSLocalizedDescriptionKey: "words"]
      info[NSUnderlyingErrorKey] = underlying
      return NSError(domain: domain, code: code, userInfo: info)
    }
    let full = error(NSPOSIXErrorDomain, Int(ENOSPC))
    for cause in [
      full, error(NSPOSIXErrorDomain, Int(EDQUOT)), error("a", 1, full), error("a", 1, error("b", 2, full)),
      error(NSCocoaErrorDomain, CocoaError.fileWriteOutOfSpace.rawValue),
    ] {
      #expect(ModelFolder.failure(cause, "x") == ModelStoreError(.notEnoughSpace, "x: the disk is full"))
    }
    for cause in [
      error("a", Int(ENOSPC)), error(NSPOSIXErrorDomain, Int(EIO)), error("a", 1, error("b", Int(ENOSPC))),
      error(NSCocoaErrorDomain, CocoaError.fileWriteUnknown.rawValue),
    ] {
      #expect(ModelFolder.failure(cause, "x") == ModelStoreError(.storage, "x: words"))
    }
  }

  // MARK: Locks

  @Test("have exclusive and shared locks")
  func locks() throws {
    let folder = try Self.everything()
    let path = folder.path("file")
    let first = try #require(try SystemCalls.tryLock(path, isShared: true))
    let second = try #require(try SystemCalls.tryLock(path, isShared: true))
    #expect(try SystemCalls.tryLock(path, isShared: false) == nil)
    SystemCalls.unlock(first)
    #expect(try SystemCalls.tryLock(path, isShared: false) == nil)
    SystemCalls.unlock(second)
    let only = try #require(try SystemCalls.tryLock(path, isShared: false))
    #expect(try SystemCalls.tryLock(path, isShared: true) == nil)
    #expect(SystemCalls.lock(path, isShared: false) == nil)
    SystemCalls.unlock(only)
    let ofFolder = try #require(try SystemCalls.tryLock(folder.path("folder"), isShared: false))
    SystemCalls.unlock(ofFolder)
    #expect(try SystemCalls.tryLock(folder.path("absent"), isShared: true) == nil)
    let error = Self.error { _ = try SystemCalls.tryLock(folder.path("link"), isShared: true) }
    #expect(error?.code == .storage && error?.message.contains("cannot be opened") == true)
    #expect(SystemCalls.lock(folder.path("link"), isShared: true) == nil)
  }

  @Test("can't be locked exclusively until the last lease ends")
  func leases() throws {
    let folder = try Self.everything()
    #expect(ModelLease(folder.path("absent")) == nil)
    let path = folder.path("file")
    let first = try #require(ModelLease(path))
    do {
      let second = try #require(ModelLease(path))
      withExtendedLifetime(second) { #expect(SystemCalls.lock(path, isShared: false) == nil) }
    }
    withExtendedLifetime(first) { #expect(SystemCalls.lock(path, isShared: false) == nil) }
  }

  @Test("are unlocked when a lease ends")
  func endedLease() throws {
    let folder = try Self.everything()
    do { _ = try #require(ModelLease(folder.path("file"))) }
    let lock = try #require(SystemCalls.lock(folder.path("file"), isShared: false))
    SystemCalls.unlock(lock)
  }

  // MARK: Model directory

  @Test("are in directories with readable names that differ for different models")
  func folderName() throws {
    let root = try TestFolder()
    let folder = root.model("my model/é", address: "https://example.com/m.tflite")
    let digest = SHA256.hex(of: Array("my model/é\0url https://example.com/m.tflite".utf8)).prefix(16)
    #expect(folder.path == root.path("my%20model%2F%C3%A9-\(digest)"))
    #expect(folder.name == "my model/é" && folder.source == "url https://example.com/m.tflite")
    #expect(folder.recordPath == folder.path + "/record.json")
    #expect(folder.partialDataPath == folder.path + "/partial.data")
    #expect(folder.partialNotePath == folder.path + "/partial.json")
    #expect(root.model("AZaz09-_").path.hasPrefix(root.path("AZaz09-_-")))
    let readable = root.model(String(repeating: "b", count: 61)).path.dropFirst(root.url.path.count + 1)
    #expect(readable.hasPrefix(String(repeating: "b", count: 60) + "-") && readable.count == 77)
    let paths = [root.model("a"), root.model("A"), root.model("a", address: "https://example.com/n")]
      .map { $0.path.lowercased() }
    #expect(Set(paths).count == 3)
  }

  @Test("are in directories that are created with their parents, and never replace other files")
  func make() throws {
    let root = try TestFolder()
    let model = RemoteModel(name: "m", url: root.url)
    let folder = ModelFolder(model, in: root.url.appendingPathComponent("a/b"))
    try folder.make()
    try folder.make()
    #expect(Self.name(PathKind(of: folder.path)) == "folder")
    let taken = root.model("taken")
    try Data().write(to: URL(fileURLWithPath: taken.path))
    let error = Self.error { try taken.make() }
    #expect(error == ModelStoreError(.storage, "\(taken.path) is not a directory of the store; remove it"))
    #expect(PathKind.byteCount(of: taken.path) == 0)
    let below = ModelFolder(model, in: URL(fileURLWithPath: taken.path))
    let other = Self.error { try below.make() }
    #expect(other?.code == .storage)
    #expect(other?.message.hasPrefix("the folder \(below.path) cannot be made: ") == true)
  }

  @Test("are replaced atomically")
  func write() throws {
    let root = try TestFolder()
    let folder = root.model()
    try folder.make()
    for value in [["b": 1, "a": 2], ["c": 3]] { try folder.write(value, to: folder.recordPath) }
    #expect(FileManager.default.contents(atPath: folder.recordPath) == Data(#"{"c":3}"#.utf8))
    try folder.write(["b": 1, "a": 2], to: folder.recordPath)
    #expect(FileManager.default.contents(atPath: folder.recordPath) == Data(#"{"a":2,"b":1}"#.utf8))
    #expect(root.files.map { $0.suffix(12) } == ["/record.json"])
    #expect(try Self.mode(folder.recordPath) == 0o644)
    let private600 = root.path("private")
    try ModelFolder.write([1], toNew: private600, for: "x", permissions: 0o600)
    #expect(try Self.mode(private600) == 0o600)
  }

  @Test("are read up to a megabyte, and never through a link", arguments: [1 << 20, 1 << 20 + 1])
  func value(byteCount: Int) throws {
    let root = try TestFolder()
    try root.write(Array("[5]".utf8) + [UInt8](repeating: 0x20, count: byteCount - 3), to: "note")
    let value: [Int]? = ModelFolder.value(atPath: root.path("note"))
    #expect(value == (byteCount == 1 << 20 ? [5] : nil))
    try FileManager.default.createSymbolicLink(atPath: root.path("link"), withDestinationPath: root.path("small"))
    try root.write(Array("[6]".utf8), to: "small")
    #expect(ModelFolder.value(atPath: root.path("small")) == [6])
    #expect(ModelFolder.value(atPath: root.path("link")) as [Int]? == nil)
  }

  // MARK: Records

  private static let digest = String(repeating: "0123456789abcdef", count: 4)

  @Test("have records with a lowercase digest of 64 digits and a size")
  func soundRecord() throws {
    func isSound(_ sha256: String, _ byteCount: Int64 = 1) -> Bool {
      ModelRecord(
        name: "n", source: "s", version: nil, sha256: sha256, byteCount: byteCount, installed: Date()
      ).isSound
    }
    #expect(isSound(Self.digest) && !isSound(Self.digest, 0) && !isSound(Self.digest, -1))
    #expect(!isSound(String(Self.digest.dropLast())) && !isSound(Self.digest + "0") && !isSound(""))
    for odd in ["/", ":", "`", "g", "A", "F", "é"] { #expect(!isSound(String(Self.digest.dropLast()) + odd), "\(odd)") }
    for fine in ["0", "9", "a", "f"] { #expect(isSound(String(Self.digest.dropLast()) + fine), "\(fine)") }
  }

  @Test(
    "are installed only with a record of their name, source and size",
    arguments: ["", "name", "source", "size", "file", "digest"])
  func installedRecord(change: String) throws {
    let root = try TestFolder()
    let folder = root.model()
    try folder.make()
    var record = ModelRecord(
      name: folder.name, source: folder.source, version: "v", sha256: Self.digest, byteCount: 5,
      installed: Date(timeIntervalSince1970: 7))
    #expect(record.fileName == Self.digest + ".tflite")
    try Data(count: 5).write(to: URL(fileURLWithPath: folder.filePath(record)))
    switch change {
    case "name": record.name = "other"
    case "source": record.source = "other"
    case "size": record.byteCount = 4
    case "file": try folder.remove(folder.filePath(record))
    case "digest": record.sha256 = Self.digest.uppercased()
    default: break
    }
    try folder.write(record, to: folder.recordPath)
    #expect(folder.record() == (change.isEmpty ? record : nil))
    #expect((StoredFiles.record(atPath: folder.recordPath) != nil) == (change != "digest"))
    #expect(StoredFiles.names == ("record.json", "partial.data"))
  }
}
