import Foundation
import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletModelStore

@Suite("Partial files")
struct PartialFileTests {
  private static let digest = String(repeating: "a", count: 64)
  private static let otherDigest = String(repeating: "b", count: 64)

  private static func file(
    _ path: String = "/m", size: Int64? = nil, version: String? = nil, sha256: String? = nil
  ) throws -> RemoteModelFile {
    RemoteModelFile(
      url: try #require(URL(string: "https://example.com" + path)), size: size, version: version, sha256: sha256)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// The path of the request that created the partial file.
    var path = "/m"
    var version: String?
    var sha256: String?
    var size: Int64?
    var etag: String?
    var byteCount = 10
    /// The path of the next request.
    var askedPath = "/m"
    var askedVersion: String?
    var askedSHA256: String?
    var askedSize: Int64?
    var continues: Bool
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    .init(name: "same address and ETag", etag: "\"e\"", continues: true),
    .init(name: "no ETag", continues: false),
    .init(name: "weak ETag", etag: "W/\"e\"", continues: false),
    .init(name: "other address", etag: "\"e\"", askedPath: "/n", continues: false),
    .init(name: "same digest elsewhere", sha256: digest, askedPath: "/n", askedSHA256: digest, continues: true),
    .init(name: "other digest", sha256: digest, etag: "\"e\"", askedSHA256: otherDigest, continues: false),
    .init(name: "no digest any more", sha256: digest, etag: "\"e\"", continues: false),
    .init(name: "digest now", etag: "\"e\"", askedSHA256: digest, continues: false),
    .init(
      name: "same version elsewhere", version: "1", etag: "\"e\"", askedPath: "/n", askedVersion: "1", continues: true),
    .init(name: "same version, no ETag", version: "1", askedVersion: "1", continues: false),
    .init(name: "other version", version: "1", etag: "\"e\"", askedVersion: "2", continues: false),
    .init(
      name: "other version of a digest", version: "1", sha256: digest, askedVersion: "2", askedSHA256: digest,
      continues: false),
    .init(name: "same size", size: 20, etag: "\"e\"", askedSize: 20, continues: true),
    .init(name: "other size", size: 20, etag: "\"e\"", askedSize: 21, continues: false),
    .init(name: "size known now", etag: "\"e\"", askedSize: 20, continues: true),
    .init(name: "size known before", size: 20, etag: "\"e\"", continues: true),
    .init(name: "nothing there", etag: "\"e\"", byteCount: 0, continues: false),
    .init(name: "one byte there", etag: "\"e\"", byteCount: 1, continues: true),
    .init(name: "one byte missing", size: 20, etag: "\"e\"", byteCount: 19, continues: true),
    .init(name: "complete, unknown", size: 20, etag: "\"e\"", byteCount: 20, continues: false),
    .init(name: "complete, digest", sha256: digest, size: 20, byteCount: 20, askedSHA256: digest, continues: true),
    .init(
      name: "complete, version", version: "1", size: 20, etag: "\"e\"", byteCount: 20, askedVersion: "1",
      continues: true),
    .init(name: "too long, digest", sha256: digest, size: 20, byteCount: 21, askedSHA256: digest, continues: false),
    .init(
      name: "too long, version", version: "1", size: 20, etag: "\"e\"", byteCount: 21, askedVersion: "1",
      continues: false),
  ]

  @Test("are continued if they belong to the requested file, and removed otherwise", arguments: cases)
  func start(_ sample: Case) throws {
    let root = try TestFolder()
    let folder = root.model()
    try folder.make()
    let partial = PartialFile(folder: folder)
    let handle = try partial.begin(
      try Self.file(sample.path, version: sample.version, sha256: sample.sha256), size: sample.size,
      validators: .init(etag: sample.etag, modified: "then"))
    try handle.write(contentsOf: Data(count: sample.byteCount))
    let asked = try Self.file(
      sample.askedPath, size: sample.askedSize, version: sample.askedVersion, sha256: sample.askedSHA256)
    let start = partial.start(for: asked)
    #expect(start.offset == (sample.continues ? Int64(sample.byteCount) : 0))
    #expect(root.files.count == (sample.continues ? 2 : 0))
    #expect(start.size == (sample.continues ? sample.askedSize ?? sample.size : sample.askedSize))
    #expect(start.etag == (sample.continues ? sample.etag : nil))
    #expect(start.validators.etag == (sample.continues ? sample.etag : nil))
    #expect(start.validators.modified == (sample.continues ? "then" : nil))
    #expect(start.isPinned == (sample.continues && sample.askedSHA256 != nil))
  }

  @Test("keep a weak ETag for comparison, but not for requests")
  func weakETag() throws {
    let root = try TestFolder()
    let folder = root.model()
    try folder.make()
    let partial = PartialFile(folder: folder)
    let file = try Self.file(sha256: Self.digest)
    try partial.begin(file, size: 20, validators: .init(etag: "W/\"e\"")).write(contentsOf: Data(count: 3))
    let start = partial.start(for: file)
    #expect(start.offset == 3 && start.etag == nil && start.validators.etag == "W/\"e\"")
    #expect(start.validators.modified == nil)
  }

  @Test("are removed without their record, and records without bytes too", arguments: ["partial.json", "partial.data"])
  func halves(removed: String) throws {
    let root = try TestFolder()
    let folder = root.model()
    try folder.make()
    let partial = PartialFile(folder: folder)
    let file = try Self.file(sha256: Self.digest)
    try partial.begin(file, size: 20).write(contentsOf: Data(count: 3))
    try folder.remove(folder.path + "/" + removed)
    #expect(partial.start(for: file).offset == 0 && root.files.isEmpty)
  }

  @Test("start empty, with a record of all known values")
  func begin() throws {
    let root = try TestFolder()
    let folder = root.model()
    try folder.make()
    let partial = PartialFile(folder: folder)
    try partial.begin(try Self.file("/old"), size: 1).write(contentsOf: Data(count: 9))
    let handle = try partial.begin(
      try Self.file("/new", version: "v", sha256: Self.digest), size: 77,
      validators: .init(etag: "e", modified: "m"))
    #expect(PathKind.byteCount(of: folder.partialDataPath) == 0)
    try handle.write(contentsOf: Data([1, 2]))
    try partial.open().write(contentsOf: Data([3]))
    #expect(FileManager.default.contents(atPath: folder.partialDataPath) == Data([1, 2, 3]))
    let mode = try FileManager.default.attributesOfItem(atPath: folder.partialDataPath)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o644)
    let bytes = try #require(FileManager.default.contents(atPath: folder.partialNotePath))
    let note = try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    #expect(note["address"] as? String == "https://example.com/new" && note["version"] as? String == "v")
    #expect(note["sha256"] as? String == Self.digest && note["size"] as? Int == 77)
    #expect(note["etag"] as? String == "e" && note["modified"] as? String == "m" && note.count == 6)
    try partial.discard()
    #expect(root.files.isEmpty)
  }

  struct Answer: Sendable, CustomTestStringConvertible {
    var isPinned = false
    var known: (etag: String?, modified: String?)
    var strong: String?
    var part: (etag: String?, modified: String?)
    var continues: Bool
    var testDescription: String { "\(isPinned ? "pinned " : "")\(known) \(strong ?? "-") \(part)" }
  }

  static let answers: [Answer] = [
    .init(known: ("e", "m"), strong: "e", part: ("e", "m"), continues: true),
    .init(known: ("e", "m"), strong: "e", part: (nil, "m"), continues: false),
    .init(known: ("e", "m"), strong: "e", part: ("f", "m"), continues: false),
    .init(known: ("e", "m"), strong: "e", part: ("e", "n"), continues: false),
    .init(known: ("e", "m"), strong: "e", part: ("e", nil), continues: true),
    .init(known: ("e", nil), strong: "e", part: ("e", "n"), continues: true),
    .init(isPinned: true, known: ("e", "m"), strong: "e", part: (nil, nil), continues: true),
    .init(isPinned: true, known: ("e", "m"), strong: "e", part: ("f", "m"), continues: false),
    .init(isPinned: true, known: ("e", "m"), strong: "e", part: ("e", "n"), continues: false),
    .init(isPinned: true, known: (nil, nil), part: ("f", "n"), continues: true),
    .init(known: ("W/e", nil), part: (nil, nil), continues: true),
    .init(known: ("W/e", nil), part: ("W/f", nil), continues: false),
  ]

  @Test("continue only with responses of the same version", arguments: answers)
  func isContinued(_ answer: Answer) {
    let start = PartialFile.Start(
      offset: 1, etag: answer.strong, size: nil,
      validators: .init(etag: answer.known.etag, modified: answer.known.modified), isPinned: answer.isPinned)
    #expect(
      start.isContinued(by: .init(etag: answer.part.etag, modified: answer.part.modified)) == answer.continues)
  }
}
