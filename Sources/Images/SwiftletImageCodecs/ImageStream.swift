/// A splitter for a byte stream of consecutive PNG and JPEG files, such as the video frames that a program writes to a
/// pipe (`ffmpeg -f image2pipe`).
///
/// Files are separated by their own structure: the chunks of a PNG, or the segments and scans of a JPEG. Their contents
/// aren't read.
///
/// - Thread safety: A value; one caller at a time.
package struct ImageStream: Sendable {
  private enum Progress: Sendable {
    /// Only the start of the image is known.
    case start
    case chunks
    case segments
    /// In the entropy-coded data of a JPEG, which ends with the first marker that doesn't belong to it.
    case scan
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  /// The start position of the current image.
  private var first = 0
  /// The position up to which the bytes are parsed.
  private var position = 0
  private var progress = Progress.start
  /// The number of fill bytes of JPEG images that were inspected. Each byte is inspected once.
  private(set) var inspectedFillCount = 0

  /// Creates a stream.
  ///
  /// - Parameter limits: The limits, where `maximumFileByteCount` is the maximum number of bytes of one image.
  package init(limits: ImageDecoderLimits = .default) { limit = limits.maximumFileByteCount }

  /// Whether the bytes end with a complete image.
  package var isAtEnd: Bool { first == bytes.count }

  /// Appends the next bytes of the stream.
  package mutating func append(_ more: [UInt8]) {
    // Not after every small image, because the bytes after it are moved each time.
    if first > bytes.count / 2 {
      bytes.removeSubrange(0..<first)
      position -= first
      first = 0
    }
    bytes += more
  }

  /// Returns the next image file once all its bytes have arrived; `nil` until then.
  ///
  /// - Throws: ``ImageCodecError`` if the data isn't an image, or if the image is damaged or has too many bytes.
  package mutating func next() throws -> [UInt8]? {
    if case .start = progress {
      // The maximum size of the two signatures.
      guard bytes.count - first >= 8 else { return nil }
      let format = try ImageFileFormat(detecting: Array(bytes[first..<first + 8]))
      progress = format == .png ? .chunks : .segments
      position = first + (format == .png ? 8 : 2)
    }
    let isComplete = try findEnd()
    guard (isComplete ? position : bytes.count) - first <= limit else {
      throw ImageCodecError(
        code: .limitExceeded,
        message:
          "an image in the stream has more than \(limit) bytes; raise ImageDecoderLimits.maximumFileByteCount if they are trusted"
      )
    }
    guard isComplete else { return nil }
    let file = Array(bytes[first..<position])
    first = position
    progress = .start
    return file
  }

  /// Ends the stream.
  ///
  /// - Throws: ``ImageCodecError`` if the bytes end within an image.
  package func finish() throws {
    guard isAtEnd else {
      _ = try ImageFileFormat(detecting: Array(bytes[first...].prefix(16)))
      throw ImageCodecError(
        code: .truncated, message: "the stream ends within an image, after \(bytes.count - first) bytes of it")
    }
  }

  /// Advances to the end of the image, as far as bytes are available.
  private mutating func findEnd() throws -> Bool {
    while true {
      switch progress {
      case .start: return false
      case .chunks:
        guard let length = number(at: position, byteCount: 4), bytes.count >= position + 12 + length else {
          return false
        }
        let isLast = bytes[position + 4..<position + 8].elementsEqual("IEND".utf8)
        position += 12 + length
        if isLast { return true }
      case .segments:
        guard let (marker, after) = try nextMarker() else { return false }
        switch marker {
        case 0xD9:
          position = after
          return true
        case 0x01, 0xD0...0xD7: position = after
        default:
          guard let length = number(at: after, byteCount: 2), bytes.count >= after + length else { return false }
          guard length >= 2 else { throw Self.damaged("a segment of \(length) bytes") }
          position = after + length
          if marker == 0xDA { progress = .scan }
        }
      case .scan:
        guard skipScan() else { return false }
        progress = .segments
      }
    }
  }

  /// Advances to the marker after the entropy-coded data, as far as bytes are available.
  private mutating func skipScan() -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      while position + 1 < bytes.count {
        if bytes[position] == 0xFF, bytes[position + 1] != 0, bytes[position + 1] != 0xFF,
          !(0xD0...0xD7).contains(bytes[position + 1])
        {
          return true
        }
        position += 1
      }
      return false
    }
  }

  /// Returns the next marker and the position after it; `nil` until more bytes arrive. The fill bytes before it are
  /// then parsed and aren't read again.
  private mutating func nextMarker() throws -> (UInt8, after: Int)? {
    guard position < bytes.count else { return nil }
    guard bytes[position] == 0xFF else { throw Self.damaged("byte \(bytes[position]) where a marker should be") }
    while position + 1 < bytes.count, bytes[position + 1] == 0xFF {
      position += 1
      inspectedFillCount += 1
    }
    guard position + 1 < bytes.count else { return nil }
    let marker = bytes[position + 1]
    guard marker != 0, marker != 0xD8 else { throw Self.damaged("marker \(marker) within an image") }
    return (marker, position + 2)
  }

  private func number(at start: Int, byteCount: Int) -> Int? {
    guard bytes.count >= start + byteCount else { return nil }
    return bytes[start..<start + byteCount].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func damaged(_ what: String) -> ImageCodecError {
    ImageCodecError(code: .corrupt, message: "a JPEG image in the stream is damaged: \(what)")
  }
}
