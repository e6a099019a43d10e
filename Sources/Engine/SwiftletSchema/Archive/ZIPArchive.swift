package import SwiftletBase

/// The members of a ZIP archive: a file of its own, or one that follows other data.
///
/// Members are unpacked, and their checksums verified, when they are asked for. Stored members are not copied.
///
/// - Thread safety: callable concurrently.
/// - Source: the ZIP application note; methods "stored" and "deflate", without encryption and 64-bit extensions.
package struct ZIPArchive: Sendable {
  /// One row of the archive's directory.
  struct Member: Sendable {
    var name: String
    var isDeflated: Bool
    var checksum: UInt32
    var packedByteCount: Int
    var byteCount: Int
    /// Where the member's own header starts in the file.
    var headerOffset: Int
  }

  private let file: ByteRegion
  private let limits: ArchiveLimits
  private let members: [Member]

  /// An archive without members.
  package static let empty = ZIPArchive(file: .empty, limits: .default, members: [])

  private init(file: ByteRegion, limits: ArchiveLimits, members: [Member]) {
    self.file = file
    self.limits = limits
    self.members = members
  }

  /// Creates the archive that ends `file`, or `nil` if none does.
  ///
  /// What precedes the archive is skipped, whether the archive's offsets count from the file's start or its own.
  ///
  /// - Parameter isWholeFile: Whether nothing but an archive may precede its own end. The end of a file may be missing,
  ///   and an archive inside of it be whole.
  /// - Throws: `SchemaError` if there is an archive, but damaged or of an unsupported kind.
  package init?(
    endOf file: ByteRegion, limits: ArchiveLimits = .default, isWholeFile: Bool = false
  ) throws(SchemaError) {
    guard let directory = ZIPDirectory(endOf: file) else { return nil }
    guard !isWholeFile || directory.bias == 0 else {
      throw SchemaError(
        .truncated, "the end of the archive is missing: only an archive inside of it is whole; fetch the file again")
    }
    self.init(file: file, limits: limits, members: try directory.members(limit: limits.members))
  }

  /// The members' names in stored order.
  package var names: [String] { members.map(\.name) }

  /// Returns whether there is a member of exactly this name.
  package func contains(_ name: String) -> Bool { members.contains { $0.name == name } }

  /// Returns the bytes of the member of exactly this name; of several, the last.
  ///
  /// - Parameter limit: The most bytes that it may unpack to, if that is less than the archive's own limit.
  /// - Throws: `SchemaError` if there is none (the message lists the names), it is damaged, or too large.
  package func contents(of name: String, atMost limit: Int = .max) throws(SchemaError) -> ByteRegion {
    guard let member = members.last(where: { $0.name == name }) else {
      let available = names.isEmpty ? "there are no members" : "available: " + SanitizedText.list(names)
      throw SchemaError(.missingMember, "the archive has no member \"\(name.excerpt)\"; \(available)")
    }
    return try locating("\"\(name.excerpt)\"") { () throws(SchemaError) in try contents(of: member, atMost: limit) }
  }

  private func contents(of member: Member, atMost limit: Int) throws(SchemaError) -> ByteRegion {
    let packed = try packedBytes(of: member)
    let contents: ByteRegion
    if member.isDeflated {
      try checkUnpackedSize(of: member, atMost: min(limit, limits.unpackedBytes))
      contents = try Inflater.inflate(packed, byteCount: member.byteCount)
    } else {
      guard member.packedByteCount == member.byteCount else {
        throw SchemaError(
          .malformed,
          "a stored member has the same size packed and unpacked, got \(member.packedByteCount) and \(member.byteCount)"
        )
      }
      contents = packed
    }
    let checksum = try CRC32.checksum(of: contents)
    guard checksum == member.checksum else {
      throw SchemaError(
        .malformed,
        """
        the checksum is \(String(checksum, radix: 16)), the archive says \(String(member.checksum, radix: 16)); the \
        file is damaged, fetch it again
        """
      )
    }
    return contents
  }

  /// Checks the stated size before memory is reserved for it.
  private func checkUnpackedSize(of member: Member, atMost limit: Int) throws(SchemaError) {
    guard member.byteCount <= limit else {
      throw SchemaError(.limitExceeded, "it unpacks to \(member.byteCount) bytes; the limit is \(limit)")
    }
    // Two bits of deflate yield at most 258 bytes.
    let greatestRatio = 1032
    guard member.byteCount / greatestRatio <= member.packedByteCount else {
      throw SchemaError(
        .malformed, "\(member.packedByteCount) packed bytes cannot hold the \(member.byteCount) that the archive says")
    }
  }

  /// Returns the member's bytes as stored; its own header says where they start.
  private func packedBytes(of member: Member) throws(SchemaError) -> ByteRegion {
    let headerByteCount = 30
    guard file.integer(UInt32.self, at: member.headerOffset) == 0x0403_4B50,
      let nameByteCount = file.integer(UInt16.self, at: member.headerOffset + 26),
      let extraByteCount = file.integer(UInt16.self, at: member.headerOffset + 28),
      let name = file.slice(offset: member.headerOffset + headerByteCount, count: Int(nameByteCount)),
      name.text == member.name
    else {
      throw SchemaError(
        .malformed, "the member's header is missing or names another member", byteOffset: member.headerOffset)
    }
    let start = member.headerOffset + headerByteCount + Int(nameByteCount) + Int(extraByteCount)
    guard let packed = file.slice(offset: start, count: member.packedByteCount) else {
      throw SchemaError(
        .truncated, "the member's \(member.packedByteCount) bytes reach past the end of the file; fetch it again",
        byteOffset: start)
    }
    return packed
  }
}
