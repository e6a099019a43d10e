import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("TaskBundle")
struct TaskBundleTests {
  private let model = RawArchive.Member("hand_detector.tflite", RawModel.addition.bytes)

  private func bundle(_ members: [RawArchive.Member], limits: ArchiveLimits = .default) throws(SchemaError)
    -> TaskBundle
  {
    try TaskBundle(ByteRegion(RawArchive(members).bytes), limits: limits)
  }

  @Test("returns models and other members by exact name")
  func members() throws {
    let bundle = try bundle([.init("readme", [1, 2]), model])
    #expect(bundle.memberNames == ["readme", "hand_detector.tflite"])
    #expect(bundle.contains("readme"))
    #expect(try bundle.member("readme").array == [1, 2])
    #expect(try bundle.model("hand_detector.tflite").subgraphs.first?.name == "main")
  }

  @Test("zeros that align the first member are not part of it", arguments: [0, 1, 2, 63])
  func padding(count: Int) throws {
    var archive = RawArchive([model])
    archive.prefix = [UInt8](repeating: 0, count: count)
    let bundle = try TaskBundle(ByteRegion(archive.bytes), limits: .default)
    #expect(try bundle.model("hand_detector.tflite").version == 3)
    archive.prefix = [UInt8](repeating: 1, count: count + 1)
    #expect(throws: SchemaError.self) { try TaskBundle(ByteRegion(archive.bytes), limits: .default) }
  }

  @Test("returns nested bundles, up to a limit")
  func nesting() throws {
    let inner = RawArchive.Member("inner.task", RawArchive([model]).bytes)
    let outer = try bundle([inner])
    #expect(try outer.bundle("inner.task").model("hand_detector.tflite").version == 3)
    let shallow = try bundle([inner], limits: ArchiveLimits(nesting: 1))
    let error = #expect(throws: SchemaError.self) { try shallow.bundle("inner.task") }
    #expect(error?.code == .limitExceeded)
  }

  @Test("is damaged without its end record, even if a nested bundle is intact")
  func withoutItsEnd() throws {
    let inner = RawArchive([model]).bytes
    let whole = RawArchive([.init("first", [1]), .init("inner.task", inner)]).bytes
    #expect(try TaskBundle(ByteRegion(whole)).memberNames == ["first", "inner.task"])
    let start = try #require(whole.indices.first { whole[$0...].starts(with: inner) })
    for count in start + inner.count..<whole.count {
      let error = #expect(throws: SchemaError.self) { try TaskBundle(ByteRegion(Array(whole.prefix(count)))) }
      #expect(error?.code == .truncated)
    }
  }

  @Test("lists its members if one is missing, and names an invalid member")
  func errors() throws {
    let bundle = try bundle([.init("broken.tflite", [1, 2, 3]), model])
    let missing = #expect(throws: SchemaError.self) { try bundle.model("face_detector.tflite") }
    #expect(missing?.code == .missingMember)
    #expect(missing?.message.contains("available: broken.tflite, hand_detector.tflite") == true)
    let broken = #expect(throws: SchemaError.self) { try bundle.model("broken.tflite") }
    #expect(broken?.location == "\"broken.tflite\"")
    #expect(throws: SchemaError.self) { try bundle.bundle("hand_detector.tflite") }
  }
}
