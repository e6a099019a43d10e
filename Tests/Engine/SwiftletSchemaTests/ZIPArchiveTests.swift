import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("ZIPArchive")
struct ZIPArchiveTests {
  private func archive(_ bytes: [UInt8], limits: ArchiveLimits = .default) throws(SchemaError) -> ZIPArchive? {
    try ZIPArchive(endOf: ByteRegion(bytes), limits: limits)
  }

  /// Returns the error of opening the archive and reading its first member.
  private func error(
    _ raw: RawArchive, limits: ArchiveLimits = .default, _ sourceLocation: SourceLocation = #_sourceLocation
  ) -> SchemaError? {
    #expect(throws: SchemaError.self, sourceLocation: sourceLocation) {
      try archive(raw.bytes, limits: limits)?.contents(of: raw.members[0].name)
    }
  }

  private let text = RawArchive.Member("labels.txt", Array("cat\ndog\n".utf8))
  private let greeting = RawArchive.Member(
    "greeting", Array("hello hello hello hello\n".utf8), deflated: hexadecimal("cb48cdc9c957c84027b900"))

  @Test("lists its members and returns their bytes, without a copy if they are stored")
  func readsMembers() throws {
    let region = ByteRegion(RawArchive([text, greeting, .init("empty", [])]).bytes)
    let archive = try #require(try ZIPArchive(endOf: region))
    #expect(archive.names == ["labels.txt", "greeting", "empty"])
    #expect(archive.contains("greeting"))
    #expect(!archive.contains("Greeting"))
    let stored = try archive.contents(of: "labels.txt")
    #expect(stored.array == text.contents)
    #expect(stored.owner === region.owner)
    #expect(try archive.contents(of: "greeting").array == greeting.contents)
    #expect(try archive.contents(of: "empty").count == 0)
  }

  @Test("may follow other bytes, wherever its offsets start", arguments: [true, false])
  func followsOtherBytes(_ countsFromFile: Bool) throws {
    var raw = RawArchive([text, greeting])
    raw.prefix = [UInt8](repeating: 0x50, count: 1001)
    raw.countsFromFile = countsFromFile
    raw.comment = Array("made by hand".utf8)
    let archive = try #require(try archive(raw.bytes))
    #expect(try archive.contents(of: "labels.txt").array == text.contents)
    #expect(try archive.contents(of: "greeting").array == greeting.contents)
  }

  @Test("is absent if bytes only look like its end")
  func ignoresLookalikes() throws {
    #expect(try archive([]) == nil)
    #expect(try archive([UInt8](repeating: 0, count: 100)) == nil)
    let lookalike: [UInt8] = [0x50, 0x4B, 5, 6]
    #expect(try archive(lookalike + [UInt8](repeating: 1, count: 18)) == nil)
    #expect(try archive(lookalike + [UInt8](repeating: 0x7F, count: 40)) == nil)
    // An archive before the lookalike is still found; the rest counts as its comment.
    var raw = RawArchive([text])
    raw.comment = lookalike + [UInt8](repeating: 1, count: 30)
    #expect(try archive(raw.bytes)?.names == ["labels.txt"])
  }

  @Test("returns the last of several members with the same name")
  func lastOfSeveral() throws {
    let archive = try #require(try archive(RawArchive([.init("a", [1]), .init("a", [2])]).bytes))
    #expect(try archive.contents(of: "a").array == [2])
  }

  @Test("lists its members if a requested one is missing")
  func namesMembers() throws {
    let archive = try #require(try archive(RawArchive([text, greeting]).bytes))
    let error = #expect(throws: SchemaError.self) { try archive.contents(of: "vocabulary") }
    #expect(error?.code == .missingMember)
    #expect(error?.message == "the archive has no member \"vocabulary\"; available: labels.txt, greeting")
    let none = #expect(throws: SchemaError.self) { try ZIPArchive.empty.contents(of: "x") }
    #expect(none?.message == "the archive has no member \"x\"; there are no members")
  }

  @Test("rejects members whose bytes contradict the directory")
  func rejectsContradictions() {
    func changed(_ member: RawArchive.Member, _ change: (inout RawArchive.Member) -> Void) -> RawArchive {
      var member = member
      change(&member)
      return RawArchive([member])
    }
    #expect(error(changed(text) { $0.statedChecksum ^= 1 })?.code == .malformed)
    #expect(error(changed(text) { $0.packed[0] ^= 1 })?.message.contains("checksum") == true)
    #expect(error(changed(greeting) { $0.statedChecksum ^= 1 })?.code == .malformed)
    #expect(error(changed(text) { $0.headerName = "labels.TXT" })?.code == .malformed)
    #expect(error(changed(text) { $0.statedSize += 1 })?.code == .malformed)
    #expect(
      error(
        changed(text) {
          $0.statedPackedSize = 10_000; $0.statedSize = 10_000
        })?.code == .truncated)
    #expect(error(changed(greeting) { $0.statedSize += 1 })?.code == .malformed)
    #expect(error(changed(greeting) { $0.statedSize -= 1 })?.code == .malformed)
    #expect(error(changed(greeting) { $0.statedPackedSize -= 2 })?.code == .malformed)
    #expect(error(changed(text) { $0.flags = 1 })?.message.contains("encrypted") == true)
    #expect(error(changed(text) { $0.method = 12 })?.message.contains("method 12") == true)
    #expect(error(changed(text) { $0.statedSize = .max })?.message.contains("64-bit") == true)
  }

  @Test("rejects bombs before reserving memory for them")
  func rejectsBombs() {
    var bomb = greeting
    bomb.statedSize = 0xFFFF_FFFE
    #expect(error(RawArchive([bomb]))?.code == .limitExceeded)
    bomb.statedSize = 1 << 28
    #expect(error(RawArchive([bomb]))?.message.contains("cannot contain") == true)
    var limits = ArchiveLimits.default
    limits.unpackedBytes = greeting.contents.count - 1
    #expect(error(RawArchive([greeting]), limits: limits)?.code == .limitExceeded)
    limits.unpackedBytes += 1
    #expect(throws: Never.self) { try archive(RawArchive([greeting]).bytes, limits: limits)?.contents(of: "greeting") }
    // Decompression stops at the declared size if the data is longer.
    var understated = RawArchive.Member(
      "run", [UInt8](repeating: 97, count: 5000),
      deflated: hexadecimal("edc13101000000c2a0aceb5fc2147e4001000000006f03"))
    #expect(throws: Never.self) { try archive(RawArchive([understated]).bytes)?.contents(of: "run") }
    understated.statedSize = 4999
    #expect(error(RawArchive([understated]))?.message.contains("more than the 4999 bytes") == true)
  }

  @Test("rejects directories that are damaged or too long")
  func rejectsDirectories() throws {
    var limits = ArchiveLimits.default
    limits.members = 1
    #expect(error(RawArchive([text, greeting]), limits: limits)?.code == .limitExceeded)
    var raw = RawArchive([text])
    raw.statedMemberCount = 2
    #expect(error(raw)?.message.contains("directory is damaged") == true)
    raw.statedMemberCount = .max
    #expect(error(raw)?.message.contains("members; the limit is") == true)
    raw = RawArchive([text])
    raw.directoryOffsetError = 1
    #expect(try archive(raw.bytes) == nil)
    raw.directoryOffsetError = 0
    raw.directorySizeError = -1
    #expect(try archive(raw.bytes) == nil)
  }

  @Test("survives truncation and damage everywhere")
  func survivesDamage() {
    var raw = RawArchive([text, greeting])
    raw.prefix = [1, 2, 3]
    let bytes = raw.bytes
    var rejections = 0
    func attempt(_ bytes: [UInt8]) {
      do {
        guard let archive = try archive(bytes) else {
          rejections += 1
          return
        }
        for name in archive.names { _ = try archive.contents(of: name).array }
      } catch { rejections += 1 }
    }
    for count in 0..<bytes.count {
      attempt(Array(bytes.prefix(count)))
      attempt(Array(bytes.dropFirst(count + 1)))
    }
    #expect(rejections >= 2 * bytes.count - 4)
    for position in bytes.indices {
      for byte in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var damaged = bytes
        damaged[position] = byte
        attempt(damaged)
      }
    }
    var generator = SplitMix64(state: 3)
    for _ in 0..<1000 {
      var damaged = bytes
      for _ in 0..<3 {
        damaged[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      attempt(damaged)
    }
    #expect(rejections > 1500)
  }
}

@Suite("Deflate")
struct DeflateTests {
  private func unpacked(_ packed: [UInt8], to contents: [UInt8]) throws -> [UInt8]? {
    try ZIPArchive(endOf: ByteRegion(RawArchive([.init("x", contents, deflated: packed)]).bytes))?
      .contents(of: "x").array
  }

  // 300 letters and their compressed form, from zlib 1.2.13.
  private static let letters = Array(
    """
    enc data gdaa eat hnd aaaia geaohtaih hht aeidf d oeog  nao nbah ef i ctodfo  aaab nn ffohagiih o n t ia oeoigeba \
    nigoea e aii tahfinfci bccata h df  cff of  t aada   eg d ogeaha ebftoeihothoa n eb egb cc  fen eaibngntfob g \
    dgnengad  oaa   afg ne eg d i iaihcbceffig  o    d haenid bec ee dn cnihnc  
    """.utf8)
  private static let packedLetters = hexadecimal(
    """
    2590b911443108435b516b32e64a2071ffb3fab31103e649c23e86cb47e425e17ca8b920d91a39b71ebb50f540ef1bb858df04868b392c78a0\
    616f6f2c3eee6006115bcc16a92d3c484c58a71f623ad7650576e3b1a227ac71ccbe180599c022b0aa72e52500cfcf59814ae489b7deb5af56\
    72eaf57c600684ab659fc979b107a2727c9217587e428cc4f85faf95abcb8e7944eb261d008d8b3e7d71dce08e3bb0e9d237e107
    """)

  @Test("decompresses every kind of block")
  func unpacks() throws {
    #expect(try unpacked(Self.packedLetters, to: Self.letters) == Self.letters)
    #expect(try unpacked(hexadecimal("010c00f3ff73746f726564206279746573"), to: Array("stored bytes".utf8)) != nil)
    #expect(try unpacked(hexadecimal("0300"), to: []) == [])
    let run = [UInt8](repeating: 97, count: 5000)
    #expect(try unpacked(hexadecimal("edc13101000000c2a0aceb5fc2147e4001000000006f03"), to: run) == run)
    // A stored block between two compressed ones: the bits that were read ahead are returned.
    let mixed = hexadecimal("000100feff61") + hexadecimal("cb48cdc9c957c84027b900")
    #expect(try unpacked(mixed, to: Array("ahello hello hello hello\n".utf8)) != nil)
  }

  @Test("rejects damaged data")
  func rejects() {
    let cases: [(packed: String, message: String)] = [
      ("", "ends in the middle"),
      ("07", "block type 3"),
      ("010c00f3fe73746f726564206279746573", "contradicts itself"),
      ("010c00f3ff73746f72", "ends in the middle"),
      ("cb48cdc9c9", "ends in the middle"),
      // Fixed codes: a distance before the first byte, and the length symbol 286.
      ("0302", "before the start"),
      ("1b03", "does not exist"),
      // A code of code lengths in which all symbols have one bit.
      ("05e0ff49922449922449", "not a code"),
      ("fdffffff", "286 and 30 exist"),
    ]
    for (packed, message) in cases {
      let error = #expect(throws: SchemaError.self) {
        try unpacked(hexadecimal(packed), to: [UInt8](repeating: 1, count: 100))
      }
      #expect(error?.code == .malformed)
      #expect(error?.message.contains(message) == true, "\(packed): \(error?.message ?? "")")
    }
  }

  @Test("survives truncation and random damage")
  func survivesDamage() {
    var rejections = 0
    func attempt(_ packed: [UInt8]) {
      do { _ = try unpacked(packed, to: Self.letters) } catch { rejections += 1 }
    }
    for count in 0..<Self.packedLetters.count { attempt(Array(Self.packedLetters.prefix(count))) }
    #expect(rejections == Self.packedLetters.count)
    var generator = SplitMix64(state: 5)
    for _ in 0..<2000 {
      var packed = Self.packedLetters
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        packed[Int.random(in: 0..<packed.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      attempt(packed)
    }
    #expect(rejections > 1800)
  }
}
