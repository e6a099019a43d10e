/// Cuts a stream of bytes into the PNG and JPEG files that follow each other in it, as programs write the frames of a
/// video into a pipe (`ffmpeg -f image2pipe`).
///
/// Files are told apart by their own structure: chunks of a PNG, segments and scans of a JPEG. Their contents are not
/// read.
///
/// - Thread safety: a value; one caller at a time.
package struct ImageStream: Sendable {
  private enum Progress: Sendable {
    /// Nothing of the image but its beginning is known.
    case start
    case chunks
    case segments
    /// In the coded pixels of a JPEG, which end with the first marker that does not belong to them.
    case scan
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  /// Where the image begins that is being read.
  private var first = 0
  /// Everything before this position has been parsed.
  private var position = 0
  private var progress = Progress.start
  /// How many fill bytes of JPEG images were looked at so far, each once.
  private(set) var inspectedFillCount = 0

  /// - Parameter limits: `maximumFileByteCount` is the most bytes of one image.
  package init(limits: ImageDecoderLimits = .default) { limit = limits.maximumFileByteCount }

  /// Whether the bytes end with an image, and not within one.
  package var isAtEnd: Bool { first == bytes.count }

  /// Adds what came in next.
  package mutating func append(_ more: [UInt8]) {
    // Not for every small image: what is behind it would be moved each time.
    if first > bytes.count / 2 {
      bytes.removeSubrange(0..<first)
      position -= first
      first = 0
    }
    bytes += more
  }

  /// Returns the file of the next image that has come in whole, or `nil` until more has come.
  ///
  /// - Throws: ``ImageCodecError`` when there is something else than an image, a damaged one, or one with too many
  ///   bytes.
  package mutating func next() throws -> [UInt8]? {
    if case .start = progress {
      // As much as both signatures take.
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
    let picture = Array(bytes[first..<position])
    first = position
    progress = .start
    return picture
  }

  /// Ends the stream.
  ///
  /// - Throws: ``ImageCodecError`` when the bytes end within an image.
  package func finish() throws {
    guard isAtEnd else {
      _ = try ImageFileFormat(detecting: Array(bytes[first...].prefix(16)))
      throw ImageCodecError(
        code: .truncated, message: "the stream ends within an image, after \(bytes.count - first) bytes of it")
    }
  }

  /// Advances to the end of the image, as far as the bytes reach.
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

  /// Advances to the marker behind the coded pixels, as far as the bytes reach.
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

  /// The next marker, and where what follows it begins; `nil` until more has come. Fill bytes before it have then been
  /// parsed and are not read again.
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
