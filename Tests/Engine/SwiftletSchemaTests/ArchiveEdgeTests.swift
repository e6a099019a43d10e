import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("Edge cases of archives")
struct ArchiveEdgeTests {
  private let text = RawArchive.Member("text", Array("some text".utf8))

  private func archive(_ raw: RawArchive, limits: ArchiveLimits = .default) throws(SchemaError) -> ZIPArchive? {
    try ZIPArchive(endOf: ByteRegion(raw.bytes), limits: limits)
  }

  private func error(_ raw: RawArchive, limits: ArchiveLimits = .default) -> SchemaError? {
    thrownError { try archive(raw, limits: limits)?.contents(of: raw.members[0].name) }
  }

  @Test("exactly the maximum number of members is accepted")
  func members() throws {
    let raw = RawArchive([text, .init("b", [1]), .init("c", [2])])
    #expect(try archive(raw, limits: ArchiveLimits(members: 3))?.names == ["text", "b", "c"])
    let error = error(raw, limits: ArchiveLimits(members: 2))
    #expect(error?.code == .limitExceeded && error?.message == "the archive has 3 members; the limit is 2")
  }

  @Test("exactly the maximum size is accepted, and stored members have no limit")
  func unpackedBytes() throws {
    let packed: [UInt8] = [1, 9, 0, 0xF6, 0xFF] + Array("some text".utf8)
    let raw = RawArchive([.init("text", Array("some text".utf8), deflated: packed)])
    #expect(try archive(raw, limits: ArchiveLimits(unpackedBytes: 9))?.contents(of: "text").text == "some text")
    let error = error(raw, limits: ArchiveLimits(unpackedBytes: 8))
    #expect(error?.message == "it unpacks to 9 bytes; the limit is 8" && error?.location == "\"text\"")
    #expect(try archive(RawArchive([text]), limits: ArchiveLimits(unpackedBytes: 0))?.contents(of: "text").count == 9)
  }

  @Test("a size beyond the maximum compression ratio is rejected, and one at the ratio is accepted")
  func ratio() {
    var bomb = RawArchive.Member("bomb", [1], deflated: [1, 2, 3, 4])
    bomb.statedSize = 1032 * 5
    #expect(
      error(RawArchive([bomb]))?.message == "4 compressed bytes cannot contain the 5160 bytes that the archive states")
    bomb.statedSize = 1032 * 5 - 1
    #expect(error(RawArchive([bomb]))?.message.contains("damaged") == true)
  }

  @Test("a comment of any length may follow", arguments: [0, 1, 65_535])
  func comments(count: Int) throws {
    var raw = RawArchive([text])
    raw.comment = [UInt8](repeating: 7, count: count)
    #expect(try archive(raw)?.contents(of: "text").text == "some text")
    // One byte of it is missing.
    guard count > 0 else { return }
    #expect(try ZIPArchive(endOf: ByteRegion(Array(raw.bytes.dropLast()))) == nil)
  }

  @Test("members have a start, and can have extra data before it")
  func headers() throws {
    var second = RawArchive.Member("second", [4, 5])
    second.extra = [1, 2, 3]
    let found = try archive(RawArchive([text, second]))
    #expect(try found?.contents(of: "second").array == [4, 5] && found?.contents(of: "text").count == 9)
    var renamed = text
    renamed.headerName = "texT"
    let error = error(RawArchive([renamed]))
    #expect(error?.code == .malformed && error?.byteOffset == 0)
    #expect(error?.message == "the member's header is missing or names another member")
  }

  @Test("unsupported flags, methods, and sizes are named")
  func unsupported() {
    func error(_ change: (inout RawArchive.Member) -> Void) -> String? {
      var member = text
      change(&member)
      return self.error(RawArchive([member]))?.message
    }
    #expect(error { $0.flags = 3 } == "member \"text\" is encrypted; write the archive without encryption")
    #expect(error { $0.flags = 0x0806 } == nil)
    for method in [1, 7, 9] as [UInt16] {
      #expect(
        error { $0.method = method }
          == "member \"text\" is compressed by method \(method); supported are 0 (stored) and 8 (deflate)")
    }
    for change in [{ $0.statedSize = .max }, { $0.statedPackedSize = .max }] as [(inout RawArchive.Member) -> Void] {
      #expect(error(change) == "member \"text\" uses 64-bit (ZIP64) sizes, which are not supported")
    }
    #expect(error { $0.statedSize = 8 } == "a stored member has the same size packed and unpacked, got 9 and 8")
    #expect(error { $0.statedChecksum ^= 1 }?.hasPrefix("the checksum is ") == true)
    #expect(
      error {
        $0.statedSize = 500
        $0.statedPackedSize = 500
      } == "the member's 500 bytes reach past the end of the file; fetch it again")
  }

  @Test("bundles nest up to the depth limit")
  func nesting() throws {
    func wrapped(_ depth: Int) -> [UInt8] {
      var bytes = RawArchive([text]).bytes
      for _ in 0..<depth { bytes = RawArchive([.init("inner", bytes)]).bytes }
      return bytes
    }
    func opened(_ depth: Int, _ limit: Int) throws(SchemaError) -> [String] {
      var bundle = try TaskBundle(ByteRegion(wrapped(depth)), limits: ArchiveLimits(nesting: limit))
      for _ in 0..<depth { bundle = try bundle.bundle("inner") }
      return bundle.memberNames
    }
    #expect(try opened(2, 3) == ["text"] && opened(3, 4) == ["text"])
    let error: SchemaError? = thrownError { try opened(2, 2) }
    #expect(error?.code == .limitExceeded && error?.message == "bundle \"inner\" is nested too deeply in other bundles")
  }
}
