import SwiftletImage

/// A reader for the orientation in an EXIF block, which is a small TIFF file.
///
/// Every offset is checked. An invalid block has no orientation.
enum ExifReader {
  private static let orientationTag = 0x0112
  private static let shortType = 3
  private static let longType = 4

  static func orientation(in exif: UnsafeRawBufferPointer) -> ImageOrientation? {
    guard let reader = Reader(exif), reader.number(at: 2, byteCount: 2) == 42,
      let directory = reader.number(at: 4, byteCount: 4), let count = reader.number(at: directory, byteCount: 2)
    else { return nil }
    for entry in 0..<count {
      let position = directory + 2 + 12 * entry
      guard let tag = reader.number(at: position, byteCount: 2),
        let type = reader.number(at: position + 2, byteCount: 2),
        let values = reader.number(at: position + 4, byteCount: 4)
      else { return nil }
      guard tag == orientationTag else { continue }
      guard values == 1, type == shortType || type == longType else { return nil }
      return reader.number(at: position + 8, byteCount: type == shortType ? 2 : 4)
        .flatMap(ImageOrientation.init(rawValue:))
    }
    return nil
  }

  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    let isLittleEndian: Bool

    init?(_ bytes: UnsafeRawBufferPointer) {
      guard bytes.count >= 8 else { return nil }
      switch (bytes[0], bytes[1]) {
      case (0x49, 0x49): isLittleEndian = true
      case (0x4D, 0x4D): isLittleEndian = false
      default: return nil
      }
      self.bytes = bytes
    }

    /// Returns the number at a position.
    ///
    /// - Parameter position: At most a 32-bit offset plus a 16-bit count of small entries, so that sums can't overflow.
    func number(at position: Int, byteCount: Int) -> Int? {
      guard position >= 0, position <= bytes.count - byteCount else { return nil }
      let field = bytes[position..<position + byteCount]
      return isLittleEndian
        ? field.reversed().reduce(0) { $0 << 8 | Int($1) } : field.reduce(0) { $0 << 8 | Int($1) }
    }
  }
}

/// A search for the EXIF block of an image file, which iterates over the file's segments or chunks.
///
/// Invalid data ends the search. The decoder decides whether the file is valid.
enum ExifLocator {
  static func exif(in bytes: UnsafeRawBufferPointer, format: ImageFileFormat) -> UnsafeRawBufferPointer? {
    switch format {
    case .png: pngExif(in: bytes)
    case .jpeg: jpegExif(in: bytes)
    }
  }

  /// Returns the first APP1 segment before the first scan that begins with `Exif`.
  private static func jpegExif(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      // Skip fill bytes before a marker, and markers without a length.
      if marker == 0xFF {
        position += 1
        continue
      }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) {
        position += 2
        continue
      }
      if marker == 0xDA || marker == 0xD9 { return nil }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      let end = position + 2 + length
      guard length >= 2, end <= bytes.count else { return nil }
      let content = bytes[(position + 4)..<end]
      if marker == 0xE1, content.starts(with: [0x45, 0x78, 0x69, 0x66, 0, 0]) {
        return UnsafeRawBufferPointer(rebasing: content.dropFirst(6))
      }
      position = end
    }
    return nil
  }

  /// Returns the `eXIf` chunk.
  private static func pngExif(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var position = ImageFileFormat.pngSignature.count
    while position + 8 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let start = position + 8
      guard length <= bytes.count - start else { return nil }
      if bytes[(position + 4)..<start].elementsEqual([0x65, 0x58, 0x49, 0x66]) {
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
      }
      // Also skip the checksum after the content.
      position = start + length + 4
    }
    return nil
  }
}
