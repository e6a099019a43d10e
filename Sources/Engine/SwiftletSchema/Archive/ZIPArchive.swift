package import SwiftletBase

/// The members of a ZIP archive, which is a separate file or appended to other data.
///
/// Members are unpacked, and their checksums verified, on access. Stored members aren't copied.
///
/// - Thread safety: callable concurrently.
/// - Source: the ZIP application note; methods "stored" and "deflate", without encryption and 64-bit extensions.
package struct ZIPArchive: Sendable {
  /// One entry of the archive's central directory.
  struct Member: Sendable {
    var name: String
    var isDeflated: Bool
    var checksum: UInt32
    var packedByteCount: Int
    var byteCount: Int
    /// The position of the member's local header in the file.
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

  /// Creates the archive at the end of `file`, or returns `nil` if there is none.
  ///
  /// Data before the archive is skipped. The archive's offsets may count from the start of the file or of the archive.
  ///
  /// - Parameter isWholeFile: Whether the file must consist of the archive only. Otherwise, a truncated bundle could be
  ///   mistaken for a complete archive that is nested in it.
  /// - Throws: `SchemaError` if there is an archive, but it is damaged or of an unsupported kind.
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

  /// The member names in stored order.
  package var names: [String] { members.map(\.name) }

  /// Returns whether there is a member with exactly this name.
  package func contains(_ name: String) -> Bool { members.contains { $0.name == name } }

  /// Returns the bytes of the member with exactly this name, or of the last one if there are several.
  ///
  /// - Parameter limit: The maximum unpacked size in bytes, if it is less than the archive's own limit.
  /// - Throws: `SchemaError` if there is no such member (the message lists the names), or if it is damaged or too
  ///   large.
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

  /// Checks the stated size before memory is allocated for it.
  private func checkUnpackedSize(of member: Member, atMost limit: Int) throws(SchemaError) {
    guard member.byteCount <= limit else {
      throw SchemaError(.limitExceeded, "it unpacks to \(member.byteCount) bytes; the limit is \(limit)")
    }
    // Two bits of deflate data yield at most 258 bytes.
    let greatestRatio = 1032
    guard member.byteCount / greatestRatio <= member.packedByteCount else {
      throw SchemaError(
        .malformed,
        "\(member.packedByteCount) compressed bytes cannot contain the \(member.byteCount) bytes that the archive states"
      )
    }
  }

  /// Returns the bytes of a member as stored. The position of the data is in the member's local header.
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
