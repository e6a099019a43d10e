import SwiftletBase

/// The central directory of a ZIP archive, located from the end of a file.
struct ZIPDirectory {
  private static let endSignature: UInt32 = 0x0605_4B50
  private static let endByteCount = 22
  private static let rowSignature: UInt32 = 0x0201_4B50
  private static let rowByteCount = 46
  private static let maximumComment = 65_535

  private let file: ByteRegion
  private let start: Int
  private let byteCount: Int
  private let rowCount: Int
  /// The number to add to the archive's offsets to get positions in the file.
  let bias: Int

  /// Creates the directory of the archive at the end of `file`, or returns `nil` if there is none.
  ///
  /// Bytes that only look like the end of an archive, as weights may, are ignored.
  init?(endOf file: ByteRegion) {
    let last = file.count - Self.endByteCount
    guard last >= 0 else { return nil }
    for position in stride(from: last, through: max(0, last - Self.maximumComment), by: -1) {
      guard file.byte(at: position) == UInt8(ascii: "P"),
        file.integer(UInt32.self, at: position) == Self.endSignature,
        let directory = ZIPDirectory(endRecordAt: position, in: file)
      else { continue }
      self = directory
      return
    }
    return nil
  }

  private init?(endRecordAt position: Int, in file: ByteRegion) {
    guard let rowCount = file.integer(UInt16.self, at: position + 10),
      let byteCount = file.integer(UInt32.self, at: position + 12),
      let offset = file.integer(UInt32.self, at: position + 16),
      let commentByteCount = file.integer(UInt16.self, at: position + 20),
      file.contains(offset: position + Self.endByteCount, count: Int(commentByteCount))
    else { return nil }
    self.file = file
    self.rowCount = Int(rowCount)
    self.byteCount = Int(byteCount)
    start = position - Int(byteCount)
    bias = start - Int(offset)
    let is64Bit = rowCount == .max || byteCount == .max || offset == .max
    guard is64Bit || (start >= 0 && bias >= 0) else { return nil }
    guard is64Bit || rowCount == 0 || file.integer(UInt32.self, at: start) == Self.rowSignature else { return nil }
  }

  /// Returns the entries of the directory.
  ///
  /// - Throws: `SchemaError` if there are more than `limit` entries, or if one is damaged or uses an unsupported
  ///   feature.
  func members(limit: Int) throws(SchemaError) -> [ZIPArchive.Member] {
    guard start >= 0, bias >= 0 else {
      throw SchemaError(
        .unsupported, "the archive uses 64-bit (ZIP64) sizes, which are not supported; write it without them")
    }
    guard rowCount <= limit else {
      throw SchemaError(.limitExceeded, "the archive has \(rowCount) members; the limit is \(limit)")
    }
    var members: [ZIPArchive.Member] = []
    var position = start
    for _ in 0..<rowCount {
      let (member, rowByteCount) = try member(at: position)
      members.append(member)
      position += rowByteCount
    }
    return members
  }

  private func member(at position: Int) throws(SchemaError) -> (member: ZIPArchive.Member, rowByteCount: Int) {
    guard let row = file.slice(offset: position, count: Self.rowByteCount),
      position + Self.rowByteCount <= start + byteCount,
      row.integer(UInt32.self, at: 0) == Self.rowSignature,
      let flags = row.integer(UInt16.self, at: 8),
      let method = row.integer(UInt16.self, at: 10),
      let checksum = row.integer(UInt32.self, at: 16),
      let packedByteCount = row.integer(UInt32.self, at: 20),
      let byteCount = row.integer(UInt32.self, at: 24),
      let nameByteCount = row.integer(UInt16.self, at: 28),
      let extraByteCount = row.integer(UInt16.self, at: 30),
      let commentByteCount = row.integer(UInt16.self, at: 32),
      let offset = row.integer(UInt32.self, at: 42),
      let name = file.slice(offset: position + Self.rowByteCount, count: Int(nameByteCount))?.text
    else {
      throw SchemaError(.malformed, "the archive's directory is damaged", byteOffset: position)
    }
    guard flags & 1 == 0 else {
      throw SchemaError(.unsupported, "member \"\(name.excerpt)\" is encrypted; write the archive without encryption")
    }
    guard method == 0 || method == 8 else {
      throw SchemaError(
        .unsupported,
        "member \"\(name.excerpt)\" is compressed by method \(method); supported are 0 (stored) and 8 (deflate)")
    }
    guard packedByteCount != .max, byteCount != .max, offset != .max else {
      throw SchemaError(
        .unsupported, "member \"\(name.excerpt)\" uses 64-bit (ZIP64) sizes, which are not supported")
    }
    let member = ZIPArchive.Member(
      name: name, isDeflated: method == 8, checksum: checksum, packedByteCount: Int(packedByteCount),
      byteCount: Int(byteCount), headerOffset: bias + Int(offset))
    return (member, Self.rowByteCount + Int(nameByteCount) + Int(extraByteCount) + Int(commentByteCount))
  }
}
