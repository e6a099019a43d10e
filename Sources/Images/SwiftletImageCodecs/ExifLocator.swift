/// Finds the EXIF block of a picture file by walking over its segments or chunks.
///
/// Anything that does not fit ends the search: whether the file is intact is for the decoder to decide.
enum ExifLocator {
  static func exif(in bytes: UnsafeRawBufferPointer, format: ImageFileFormat) -> UnsafeRawBufferPointer? {
    switch format {
    case .png: pngExif(in: bytes)
    case .jpeg: jpegExif(in: bytes)
    }
  }

  /// The first APP1 segment that begins with `Exif`, before the first scan.
  private static func jpegExif(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      // Fill bytes before a marker, and markers without a length.
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

  /// The `eXIf` chunk.
  private static func pngExif(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var position = ImageFileFormat.pngSignature.count
    while position + 8 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let start = position + 8
      guard length <= bytes.count - start else { return nil }
      if bytes[(position + 4)..<start].elementsEqual([0x65, 0x58, 0x49, 0x66]) {
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
      }
      // Skips the checksum behind the content, too.
      position = start + length + 4
    }
    return nil
  }
}
