/// A ZIP archive that a test describes by value, including ones that no correct writer would create.
package struct RawArchive {
  package struct Member {
    package var name: String
    package var contents: [UInt8]
    /// The stored bytes, which equal `contents` for method 0.
    package var packed: [UInt8]
    package var method: UInt16 = 0
    package var flags: UInt16 = 0
    /// The sizes and the checksum in the directory.
    package var statedPackedSize: UInt32
    package var statedSize: UInt32
    package var statedChecksum: UInt32
    /// The name in the member's own header.
    package var headerName: String
    package var extra: [UInt8] = []

    /// Creates a stored member.
    package init(_ name: String, _ contents: [UInt8]) {
      self.init(name, contents, packed: contents)
    }

    /// Creates a compressed member.
    package init(_ name: String, _ contents: [UInt8], deflated packed: [UInt8]) {
      self.init(name, contents, packed: packed)
      method = 8
    }

    private init(_ name: String, _ contents: [UInt8], packed: [UInt8]) {
      self.name = name
      self.contents = contents
      self.packed = packed
      statedPackedSize = UInt32(packed.count)
      statedSize = UInt32(contents.count)
      statedChecksum = Self.checksum(contents)
      headerName = name
    }

    /// Returns the CRC-32, computed byte by byte.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
      remainders.withUnsafeBufferPointer { remainders in
        bytes.withUnsafeBufferPointer { bytes in
          var value = ~UInt32(0)
          // A `for` loop takes several times as long in a debug build.
          var index = 0
          while index < bytes.count {
            value = value >> 8 ^ remainders[Int(UInt8(truncatingIfNeeded: value) ^ bytes[index])]
            index += 1
          }
          return ~value
        }
      }
    }

    private static let remainders: [UInt32] = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }
  }

  package var members: [Member]
  /// The bytes before the archive in the file.
  package var prefix: [UInt8] = []
  /// Whether offsets count from the start of the file instead of the archive.
  package var countsFromFile = true
  package var comment: [UInt8] = []
  package var statedMemberCount: UInt16?
  /// The errors that are added to the directory's offset and size in the end record.
  package var directoryOffsetError: Int = 0
  package var directorySizeError: Int = 0

  package init(_ members: [Member]) { self.members = members }

  package var bytes: [UInt8] {
    var file = prefix
    let base = countsFromFile ? 0 : prefix.count
    var directory: [UInt8] = []
    for member in members {
      let offset = UInt32(file.count - base)
      let common =
        Self.words(member.flags, member.method, 0, 0) + Self.bytes(member.statedChecksum)
        + Self.bytes(member.statedPackedSize) + Self.bytes(member.statedSize)
      file +=
        Self.bytes(UInt32(0x0403_4B50)) + Self.words(20) + common
        + Self.words(UInt16(member.headerName.utf8.count), UInt16(member.extra.count))
        + Array(member.headerName.utf8) + member.extra + member.packed
      directory +=
        Self.bytes(UInt32(0x0201_4B50)) + Self.words(20, 20) + common
        + Self.words(UInt16(member.name.utf8.count), 0, 0, 0, 0) + Self.bytes(UInt32(0)) + Self.bytes(offset)
        + Array(member.name.utf8)
    }
    let count = statedMemberCount ?? UInt16(members.count)
    let start = UInt32(truncatingIfNeeded: file.count - base + directoryOffsetError)
    return file + directory + Self.bytes(UInt32(0x0605_4B50)) + Self.words(0, 0, count, count)
      + Self.bytes(UInt32(truncatingIfNeeded: directory.count + directorySizeError)) + Self.bytes(start)
      + Self.words(UInt16(comment.count)) + comment
  }

  private static func words(_ values: UInt16...) -> [UInt8] { values.flatMap { bytes($0) } }

  private static func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) }
  }
}

/// Returns bytes from hexadecimal digits.
package func hexadecimal(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
