/// An image in memory: rows of pixels, top row first.
///
/// A value that can be copied and sent between threads freely; copies share the bytes. It either owns its bytes or
/// borrows them from an object that it keeps alive, so a camera frame needs no copy.
///
/// The image is *raw*: if the camera was turned, the pixels are too. How to turn them upright is said by an
/// ``ImageOrientation`` next to the image; ``oriented(_:)`` does it.
///
/// - Thread safety: callable concurrently.
public struct ImageBuffer: Sendable {
  package let layout: PixelLayout
  let storage: PixelStorage

  /// Width in pixels.
  public var width: Int { layout.width }
  /// Height in pixels.
  public var height: Int { layout.height }
  /// Distance in bytes from the start of one row to the start of the next.
  public var bytesPerRow: Int { layout.bytesPerRow }
  /// The layout of the bytes of a pixel.
  public var pixelFormat: PixelFormat { layout.pixelFormat }

  /// Creates an image that owns its bytes.
  ///
  /// - Parameters:
  ///   - bytes: Rows from top to bottom. Bytes after the last pixel are ignored.
  ///   - width: Pixels per row, 1 or more.
  ///   - height: Rows, 1 or more.
  ///   - bytesPerRow: Distance between rows in bytes; nil when rows follow each other without padding.
  ///   - pixelFormat: How the bytes of a pixel are laid out.
  /// - Throws: ``ImageError`` when a size is out of range, the rows are too short, or there are too few bytes.
  public init(
    bytes: [UInt8], width: Int, height: Int, bytesPerRow: Int? = nil, pixelFormat: PixelFormat
  ) throws(ImageError) {
    let layout = try PixelLayout(width: width, height: height, bytesPerRow: bytesPerRow, pixelFormat: pixelFormat)
    try layout.requireBytes(bytes.count)
    self.layout = layout
    storage = .owned(bytes)
  }

  /// Creates an image from a copy of the bytes, so that the caller may reuse them at once. The copy has no padding.
  ///
  /// - Throws: ``ImageError``, as ``init(bytes:width:height:bytesPerRow:pixelFormat:)``.
  public init(
    copying bytes: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int? = nil, pixelFormat: PixelFormat
  ) throws(ImageError) {
    let source = try PixelLayout(width: width, height: height, bytesPerRow: bytesPerRow, pixelFormat: pixelFormat)
    try source.requireBytes(bytes.count)
    self = try ImageBuffer(width: width, height: height, pixelFormat: pixelFormat) { target in
      let rowBytes = width * pixelFormat.bytesPerPixel
      for row in 0..<height {
        let from = bytes[row * source.bytesPerRow..<row * source.bytesPerRow + rowBytes]
        UnsafeMutableRawBufferPointer(rebasing: target[row * rowBytes..<(row + 1) * rowBytes]).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: from))
      }
    }
  }

  /// Creates an image of bytes that belong to `owner`, without copying them.
  ///
  /// The bytes must stay valid, and nobody may write to them, for as long as `owner` is held. It is released with the
  /// last copy of this value.
  ///
  /// - Throws: ``ImageError``, as ``init(bytes:width:height:bytesPerRow:pixelFormat:)``.
  public init(
    borrowing bytes: UnsafeRawBufferPointer, owner: any AnyObject & Sendable, width: Int, height: Int,
    bytesPerRow: Int? = nil, pixelFormat: PixelFormat
  ) throws(ImageError) {
    let layout = try PixelLayout(width: width, height: height, bytesPerRow: bytesPerRow, pixelFormat: pixelFormat)
    try layout.requireBytes(bytes.count)
    self.layout = layout
    storage = .borrowed(BorrowedBytes(bytes: bytes, owner: owner))
  }

  /// Creates an image without row padding whose bytes `fill` writes. They are zero before it is called.
  ///
  /// - Throws: ``ImageError`` when a size is out of range or there is no memory for it.
  package init(
    width: Int, height: Int, pixelFormat: PixelFormat, fill: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(ImageError) {
    let layout = try PixelLayout(fresh: width, height, pixelFormat)
    var bytes = [UInt8](repeating: 0, count: layout.byteCount)
    bytes.withUnsafeMutableBytes(fill)
    self.layout = layout
    storage = .owned(bytes)
  }

  /// Creates an image without row padding whose bytes `read` writes. They are zero before it is called.
  ///
  /// - Throws: ``ImageError`` if a size is out of range, and any error of `read`.
  package init(
    width: Int, height: Int, pixelFormat: PixelFormat, reading read: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws {
    let layout = try PixelLayout(fresh: width, height, pixelFormat)
    var bytes = [UInt8](repeating: 0, count: layout.byteCount)
    try bytes.withUnsafeMutableBytes(read)
    self.layout = layout
    storage = .owned(bytes)
  }

  /// Calls `body` with the bytes of the image, from its first pixel to at least its last.
  ///
  /// The pointer is valid only during the call.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withUnsafeBytes(body)
  }

  /// Returns a copy of the pixels without row padding: `height · width · bytesPerPixel` bytes.
  public func packedBytes() -> [UInt8] {
    let rowBytes = width * pixelFormat.bytesPerPixel
    if case .owned(let bytes) = storage, bytesPerRow == rowBytes, bytes.count == layout.byteCount { return bytes }
    return withUnsafeBytes { source in
      var packed: [UInt8] = []
      packed.reserveCapacity(rowBytes * height)
      for row in 0..<height {
        packed.append(contentsOf: source[row * bytesPerRow..<row * bytesPerRow + rowBytes])
      }
      return packed
    }
  }
}

extension ImageBuffer {
  /// Returns the image turned upright, given how its pixels are stored.
  ///
  /// Moves whole pixels, so nothing is lost: applying `orientation.inverse` gives the original back. To feed a model,
  /// pass the orientation to ``ImageToTensor`` instead, which turns while it resamples.
  ///
  /// - Returns: the same pixel format; width and height are exchanged for the four orientations that lie on a side.
  /// - Throws: nothing for `up`, which returns the image itself; ``ImageError`` if the copy is too large to address.
  public func oriented(_ orientation: ImageOrientation) throws(ImageError) -> ImageBuffer {
    guard orientation != .up else { return self }
    let step = pixelFormat.bytesPerPixel
    // Where the upright image's first pixel is stored, and how far a step right or down moves in the stored bytes.
    let right = step
    let down = bytesPerRow
    let lastColumn = (width - 1) * right
    let lastRow = (height - 1) * down
    let (start, perColumn, perRow) =
      switch orientation {
      case .up: (0, right, down)
      case .upMirrored: (lastColumn, -right, down)
      case .down: (lastColumn + lastRow, -right, -down)
      case .downMirrored: (lastRow, right, -down)
      case .leftMirrored: (0, down, right)
      case .right: (lastRow, -down, right)
      case .rightMirrored: (lastColumn + lastRow, -down, -right)
      case .left: (lastColumn, down, -right)
      }
    let (newWidth, newHeight) = orientation.swapsWidthAndHeight ? (height, width) : (width, height)
    return try withUnsafeBytes { source throws(ImageError) in
      try ImageBuffer(width: newWidth, height: newHeight, pixelFormat: pixelFormat) { target in
        var to = 0
        for row in 0..<newHeight {
          var from = start + row * perRow
          for _ in 0..<newWidth {
            for channel in 0..<step { target[to + channel] = source[from + channel] }
            to += step
            from += perColumn
          }
        }
      }
    }
  }
}

extension ImageBuffer {
  /// Returns the image in another size, by bilinear interpolation with half-pixel centers.
  ///
  /// Gives the bytes of OpenCV's `resize` with `INTER_LINEAR`: weights of 11 bits, products truncated in the same
  /// places. There is no smoothing when shrinking. To make a model's input use ``ImageToTensor`` instead.
  ///
  /// - Returns: the same pixel format, rows without padding.
  /// - Throws: ``ImageError`` when the new size is out of range.
  public func resized(width newWidth: Int, height newHeight: Int) throws(ImageError) -> ImageBuffer {
    // Checks the size before anything is computed from it.
    _ = try PixelLayout(fresh: newWidth, newHeight, pixelFormat)
    let step = pixelFormat.bytesPerPixel
    let columns = FixedPointTap.columns(from: width, to: newWidth, pixelStride: step)
    let rows = FixedPointTap.rows(from: height, to: newHeight)
    var blend = RowBlend(count: newWidth * step)
    return try withUnsafeBytes { source throws(ImageError) in
      try ImageBuffer(width: newWidth, height: newHeight, pixelFormat: pixelFormat) { target in
        for row in 0..<newHeight {
          let tap = rows[row]
          blend.load(tap.index0, tap.index1) { index, result in
            let line = UnsafeRawBufferPointer(rebasing: source[(index * bytesPerRow)...])
            interpolate(line, columns, step, into: &result)
          }
          let line = UnsafeMutableRawBufferPointer(rebasing: target[(row * newWidth * step)...])
          blend.write(tap.weight0, tap.weight1, to: line)
        }
      }
    }
  }

  private func interpolate(
    _ line: UnsafeRawBufferPointer, _ columns: [FixedPointTap], _ step: Int, into result: inout [Int32]
  ) {
    result.withUnsafeMutableBufferPointer { result in
      var index = 0
      for tap in columns {
        for channel in 0..<step {
          let left = Int32(line[tap.index0 + channel])
          let right = Int32(line[tap.index1 + channel])
          result[index] = left &* tap.weight0 &+ right &* tap.weight1
          index += 1
        }
      }
    }
  }
}

/// Two neighboring pixels and their weights out of 2048.
private struct FixedPointTap {
  let index0: Int
  let index1: Int
  let weight0: Int32
  let weight1: Int32

  /// At the left and right edge all weight goes to the pixel of the edge.
  static func columns(from source: Int, to target: Int, pixelStride: Int) -> [FixedPointTap] {
    (0..<target).map { index in
      var (first, fraction) = position(index, source, target)
      if first < 0 { (first, fraction) = (0, 0) }
      if first >= source - 1 { (first, fraction) = (source - 1, 0) }
      return FixedPointTap(
        index0: first * pixelStride, index1: min(first + 1, source - 1) * pixelStride,
        weight0: weight(1 - fraction), weight1: weight(fraction))
    }
  }

  /// At the top and bottom the weights stay and both pixels are that of the edge; the truncated products differ by it.
  static func rows(from source: Int, to target: Int) -> [FixedPointTap] {
    (0..<target).map { index in
      let (first, fraction) = position(index, source, target)
      return FixedPointTap(
        index0: min(max(first, 0), source - 1), index1: min(max(first + 1, 0), source - 1),
        weight0: weight(1 - fraction), weight1: weight(fraction))
    }
  }

  /// Whole and fractional part of a position that is rounded to single precision first.
  private static func position(_ index: Int, _ source: Int, _ target: Int) -> (Int, Float) {
    let position = Float((Double(index) + 0.5) * (Double(source) / Double(target)) - 0.5)
    let floor = position.rounded(.down)
    return (Int(floor), position - floor)
  }

  private static func weight(_ fraction: Float) -> Int32 {
    Int32((fraction * 2048).rounded(.toNearestOrEven))
  }
}

/// Two rows of the source, resized horizontally and waiting to be blended.
private struct RowBlend {
  private var upper: [Int32]
  private var lower: [Int32]
  private var upperRow = -1
  private var lowerRow = -1

  init(count: Int) {
    upper = [Int32](repeating: 0, count: count)
    lower = upper
  }

  /// Brings two rows in, reusing what is there already.
  mutating func load(_ first: Int, _ second: Int, _ compute: (Int, inout [Int32]) -> Void) {
    if first == lowerRow {
      swap(&upper, &lower)
      swap(&upperRow, &lowerRow)
    }
    if first != upperRow {
      compute(first, &upper)
      upperRow = first
    }
    if second != lowerRow {
      compute(second, &lower)
      lowerRow = second
    }
  }

  func write(_ weight0: Int32, _ weight1: Int32, to target: UnsafeMutableRawBufferPointer) {
    for index in upper.indices {
      let first = (weight0 &* (upper[index] >> 4)) >> 16
      let second = (weight1 &* (lower[index] >> 4)) >> 16
      target[index] = UInt8(truncatingIfNeeded: (first &+ second &+ 2) >> 2)
    }
  }
}

extension ImageBuffer {
  /// Creates an `rgb8` image from the two planes of a 4:2:0 image, as cameras deliver it (NV12, NV21, `420v`, `420f`).
  ///
  /// Every 2 × 2 pixels share one pair of color differences; the pair is not interpolated.
  ///
  /// - Parameters:
  ///   - lumaPlane: Brightness, one byte per pixel.
  ///   - lumaBytesPerRow: Distance in bytes between rows of brightness.
  ///   - chromaPlane: Two bytes of color difference per 2 × 2 pixels; the last column and row of an odd size count
  ///     whole.
  ///   - chromaBytesPerRow: Distance in bytes between rows of color difference.
  ///   - width: In pixels of the image.
  ///   - height: In pixels of the image.
  ///   - encoding: How the values are to be understood.
  /// - Throws: ``ImageError`` when a size is out of range, or a plane has too short rows or too few bytes.
  public init(
    lumaPlane: UnsafeRawBufferPointer, lumaBytesPerRow: Int, chromaPlane: UnsafeRawBufferPointer,
    chromaBytesPerRow: Int, width: Int, height: Int, encoding: YUVEncoding
  ) throws(ImageError) {
    let luma = try PixelLayout(width: width, height: height, bytesPerRow: lumaBytesPerRow, pixelFormat: .gray8)
    try luma.requireBytes(lumaPlane.count)
    let chroma = try PixelLayout(
      width: (width + 1) / 2 * 2, height: (height + 1) / 2, bytesPerRow: chromaBytesPerRow, pixelFormat: .gray8)
    try chroma.requireBytes(chromaPlane.count)
    let factors = encoding.coefficients
    let (u, v) = encoding.chromaOrder == .blueFirst ? (0, 1) : (1, 0)
    self = try ImageBuffer(width: width, height: height, pixelFormat: .rgb8) { target in
      var to = 0
      for row in 0..<height {
        let lumaRow = row * lumaBytesPerRow
        let chromaRow = row / 2 * chromaBytesPerRow
        for column in 0..<width {
          let pair = chromaRow + column / 2 * 2
          let brightness = (Int32(lumaPlane[lumaRow + column]) - factors.black) * factors.luma
          let blueDifference = Int32(chromaPlane[pair + u]) - 128
          let redDifference = Int32(chromaPlane[pair + v]) - 128
          target[to] = Self.byte(brightness + redDifference * factors.redFromV)
          target[to + 1] = Self.byte(
            brightness + blueDifference * factors.greenFromU + redDifference * factors.greenFromV)
          target[to + 2] = Self.byte(brightness + blueDifference * factors.blueFromU)
          to += 3
        }
      }
    }
  }

  /// Rounds 16-bit fixed point to a byte.
  private static func byte(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max((value + 32768) >> 16, 0), 255))
  }
}

/// Where the bytes of an image live.
enum PixelStorage: Sendable {
  case owned([UInt8])
  case borrowed(BorrowedBytes)

  @inline(__always)
  func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .owned(let bytes):
      return try bytes.withUnsafeBufferPointer { bytes throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
    case .borrowed(let borrowed):
      // The owner must outlive the call, not only the last use of `borrowed` that the optimizer sees.
      defer { withExtendedLifetime(borrowed) {} }
      return try body(borrowed.bytes)
    }
  }
}

/// Bytes that belong to somebody else, with the object that keeps them valid.
///
/// Unchecked because a raw pointer is never `Sendable`: the initializer of `ImageBuffer` that makes this asks its
/// caller to promise that nobody writes to the bytes while the owner is held, and this type only ever reads.
final class BorrowedBytes: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  private let owner: any AnyObject & Sendable

  init(bytes: UnsafeRawBufferPointer, owner: any AnyObject & Sendable) {
    self.bytes = bytes
    self.owner = owner
  }
}
