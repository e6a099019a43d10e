import SwiftletImage

/// Reads the one thing of interest in an EXIF block, which is a small TIFF file: the orientation.
///
/// Every offset is checked. A block that makes no sense has no orientation.
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

    /// - Parameter position: at most a 32-bit offset plus a 16-bit count of small entries, so sums cannot overflow.
    func number(at position: Int, byteCount: Int) -> Int? {
      guard position >= 0, position <= bytes.count - byteCount else { return nil }
      let field = bytes[position..<position + byteCount]
      return isLittleEndian
        ? field.reversed().reduce(0) { $0 << 8 | Int($1) } : field.reduce(0) { $0 << 8 | Int($1) }
    }
  }
}
