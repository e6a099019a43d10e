import SwiftletKernels

/// An image in memory: rows of pixels, top row first.
///
/// An image buffer is a value that can be copied and sent between threads. Copies share the bytes. The buffer either
/// owns its bytes or borrows them from an object that it keeps alive, so a camera frame needs no copy.
///
/// The pixels are stored as captured: if the camera was rotated, the pixels are too. An ``ImageOrientation`` describes
/// how to rotate the image upright, and ``oriented(_:)`` returns the upright image.
///
/// - Thread safety: callable concurrently.
public struct ImageBuffer: Sendable {
  package let layout: PixelLayout
  let storage: PixelStorage

  /// The width in pixels.
  public var width: Int { layout.width }
  /// The height in pixels.
  public var height: Int { layout.height }
  /// The distance in bytes between the starts of two adjacent rows.
  public var bytesPerRow: Int { layout.bytesPerRow }
  /// The layout of the bytes of a pixel.
  public var pixelFormat: PixelFormat { layout.pixelFormat }

  /// Creates an image that owns its bytes.
  ///
  /// - Parameters:
  ///   - bytes: The rows from top to bottom. Bytes after the last pixel are ignored.
  ///   - width: The number of pixels per row, at least 1.
  ///   - height: The number of rows, at least 1.
  ///   - bytesPerRow: The distance between rows in bytes, or nil for rows without padding.
  ///   - pixelFormat: The layout of the bytes of a pixel.
  /// - Throws: ``ImageError`` if a size is out of range, if `bytesPerRow` is too small, or if there are too few bytes.
  public init(
    bytes: [UInt8], width: Int, height: Int, bytesPerRow: Int? = nil, pixelFormat: PixelFormat
  ) throws(ImageError) {
    let layout = try PixelLayout(width: width, height: height, bytesPerRow: bytesPerRow, pixelFormat: pixelFormat)
    try layout.requireBytes(bytes.count)
    self.layout = layout
    storage = .owned(bytes)
  }

  /// Creates an image from a copy of the bytes, so that the caller can reuse their memory. The copy has no row padding.
  ///
  /// - Throws: ``ImageError``, as in ``init(bytes:width:height:bytesPerRow:pixelFormat:)``.
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

  /// Creates an image from bytes that belong to `owner`, without copying them.
  ///
  /// The bytes must stay valid and must not change while the image retains `owner`. The owner is released together with
  /// the last copy of the image.
  ///
  /// - Throws: ``ImageError``, as in ``init(bytes:width:height:bytesPerRow:pixelFormat:)``.
  public init(
    borrowing bytes: UnsafeRawBufferPointer, owner: any AnyObject & Sendable, width: Int, height: Int,
    bytesPerRow: Int? = nil, pixelFormat: PixelFormat
  ) throws(ImageError) {
    let layout = try PixelLayout(width: width, height: height, bytesPerRow: bytesPerRow, pixelFormat: pixelFormat)
    try layout.requireBytes(bytes.count)
    self.layout = layout
    storage = .borrowed(BorrowedBytes(bytes: bytes, owner: owner))
  }

  /// Creates an image without row padding and calls `fill` to write its pixels. The bytes are initially zero.
  ///
  /// - Throws: ``ImageError`` if a size is out of range or there is no memory for it.
  package init(
    width: Int, height: Int, pixelFormat: PixelFormat, fill: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(ImageError) {
    let layout = try PixelLayout(fresh: width, height, pixelFormat)
    var bytes = [UInt8](repeating: 0, count: layout.byteCount)
    bytes.withUnsafeMutableBytes(fill)
    self.layout = layout
    storage = .owned(bytes)
  }

  /// Creates an image without row padding and calls `read` to write its pixels. The bytes are initially zero.
  ///
  /// - Throws: ``ImageError`` if a size is out of range, and any error that `read` throws.
  package init(
    width: Int, height: Int, pixelFormat: PixelFormat, reading read: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws {
    let layout = try PixelLayout(fresh: width, height, pixelFormat)
    var bytes = [UInt8](repeating: 0, count: layout.byteCount)
    try bytes.withUnsafeMutableBytes(read)
    self.layout = layout
    storage = .owned(bytes)
  }

  /// Calls `body` with the bytes of the image, from the first pixel to at least the last pixel.
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
  /// Returns the image rotated upright.
  ///
  /// The method only moves whole pixels, so it is lossless: `orientation.inverse` restores the original image. To feed
  /// a model, pass the orientation to ``ImageToTensor`` instead, which rotates while it resamples.
  ///
  /// - Returns: An image of the same pixel format. Width and height are swapped for the four orientations with a
  ///   quarter turn.
  /// - Throws: ``ImageError`` if the copy is too large to address. For `up`, the method returns the image itself and
  ///   never throws.
  public func oriented(_ orientation: ImageOrientation) throws(ImageError) -> ImageBuffer {
    guard orientation != .up else { return self }
    let step = pixelFormat.bytesPerPixel
    // The stored position of the upright image's first pixel, and the byte strides for one step right or down.
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
        guard let first = source.baseAddress?.assumingMemoryBound(to: UInt8.self),
          let bytes = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        for row in 0..<newHeight {
          KernelTable.current.images.movePixels(
            first + (start + row * perRow), stride: perColumn, count: newWidth, pixelBytes: step,
            into: bytes + row * newWidth * step)
        }
      }
    }
  }
}

extension ImageBuffer {
  /// Returns the image resized with bilinear interpolation and half-pixel centers.
  ///
  /// The result has the same bytes as OpenCV's `resize` with `INTER_LINEAR`: 11-bit weights, and products truncated at
  /// the same points. There is no smoothing when an image gets smaller. To create a model input, use ``ImageToTensor``
  /// instead.
  ///
  /// - Returns: An image of the same pixel format, without row padding.
  /// - Throws: ``ImageError`` if the new size is out of range.
  public func resized(width newWidth: Int, height newHeight: Int) throws(ImageError) -> ImageBuffer {
    // Validate the size before any computation uses it.
    _ = try PixelLayout(fresh: newWidth, newHeight, pixelFormat)
    let step = pixelFormat.bytesPerPixel
    let columns = FixedPointTap.columns(from: width, to: newWidth, pixelStride: step)
    let rows = FixedPointTap.rows(from: height, to: newHeight)
    var blend = RowBlend(count: newWidth * step)
    return try withUnsafeBytes { source throws(ImageError) in
      try ImageBuffer(width: newWidth, height: newHeight, pixelFormat: pixelFormat) { target in
        guard let first = source.baseAddress?.assumingMemoryBound(to: UInt8.self),
          let bytes = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        for row in 0..<newHeight {
          let tap = rows[row]
          blend.load(tap.index0, tap.index1) { index, result in
            columns.withUnsafeBufferPointer { columns in
              KernelTable.current.images.mixPixels(
                first + index * bytesPerRow, columns, pixelBytes: step, into: result)
            }
          }
          blend.write(tap.weight0, tap.weight1, to: bytes + row * newWidth * step)
        }
      }
    }
  }
}

extension FixedPointTap {
  /// Returns the taps of the columns. At the left and right edges, the edge pixel has the full weight.
  fileprivate static func columns(from source: Int, to target: Int, pixelStride: Int) -> [FixedPointTap] {
    (0..<target).map { index in
      var (first, fraction) = position(index, source, target)
      if first < 0 { (first, fraction) = (0, 0) }
      if first >= source - 1 { (first, fraction) = (source - 1, 0) }
      return FixedPointTap(
        index0: first * pixelStride, index1: min(first + 1, source - 1) * pixelStride,
        weight0: weight(1 - fraction), weight1: weight(fraction))
    }
  }

  /// Returns the taps of the rows. At the top and bottom, both pixels are the edge pixel but the weights stay, which
  /// changes the truncated products.
  fileprivate static func rows(from source: Int, to target: Int) -> [FixedPointTap] {
    (0..<target).map { index in
      let (first, fraction) = position(index, source, target)
      return FixedPointTap(
        index0: min(max(first, 0), source - 1), index1: min(max(first + 1, 0), source - 1),
        weight0: weight(1 - fraction), weight1: weight(fraction))
    }
  }

  /// Returns the integer and fractional parts of a position that is first rounded to single precision.
  private static func position(_ index: Int, _ source: Int, _ target: Int) -> (Int, Float) {
    let position = Float((Double(index) + 0.5) * (Double(source) / Double(target)) - 0.5)
    let floor = position.rounded(.down)
    return (Int(floor), position - floor)
  }

  private static func weight(_ fraction: Float) -> Int32 {
    Int32((fraction * 2048).rounded(.toNearestOrEven))
  }
}

/// Two horizontally resized source rows to be blended.
private struct RowBlend {
  private var upper: [Int32]
  private var lower: [Int32]
  private var upperRow = -1
  private var lowerRow = -1

  init(count: Int) {
    upper = [Int32](repeating: 0, count: count)
    lower = upper
  }

  /// Loads two rows, and reuses rows that are already loaded.
  mutating func load(_ first: Int, _ second: Int, _ compute: (Int, UnsafeMutablePointer<Int32>) -> Void) {
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

  func write(_ weight0: Int32, _ weight1: Int32, to target: UnsafeMutablePointer<UInt8>) {
    KernelTable.current.images.mixLines(upper, lower, weight0, weight1, count: upper.count, into: target)
  }
}

extension ImageBuffer {
  /// Creates an `rgb8` image from the two planes of a 4:2:0 camera image (NV12, NV21, `420v`, `420f`).
  ///
  /// Each 2 × 2 block of pixels uses its chroma pair without interpolation.
  ///
  /// - Parameters:
  ///   - lumaPlane: The luma plane, one byte per pixel.
  ///   - lumaBytesPerRow: The distance in bytes between luma rows.
  ///   - chromaPlane: The chroma plane, two bytes per 2 × 2 pixels. If the width or height is odd, the last column or
  ///     row has its own chroma values.
  ///   - chromaBytesPerRow: The distance in bytes between chroma rows.
  ///   - width: The width of the image in pixels.
  ///   - height: The height of the image in pixels.
  ///   - encoding: The encoding of luma and chroma.
  /// - Throws: ``ImageError`` if a size is out of range, or if a plane has too few bytes or rows that are too short.
  public init(
    lumaPlane: UnsafeRawBufferPointer, lumaBytesPerRow: Int, chromaPlane: UnsafeRawBufferPointer,
    chromaBytesPerRow: Int, width: Int, height: Int, encoding: YUVEncoding
  ) throws(ImageError) {
    let luma = try PixelLayout(width: width, height: height, bytesPerRow: lumaBytesPerRow, pixelFormat: .gray8)
    try luma.requireBytes(lumaPlane.count)
    let chroma = try PixelLayout(
      width: (width + 1) / 2 * 2, height: (height + 1) / 2, bytesPerRow: chromaBytesPerRow, pixelFormat: .gray8)
    try chroma.requireBytes(chromaPlane.count)
    var conversion = encoding.conversion
    self = try ImageBuffer(width: width, height: height, pixelFormat: .rgb8) { target in
      guard let lumaRow = lumaPlane.baseAddress?.assumingMemoryBound(to: UInt8.self),
        let chromaRow = chromaPlane.baseAddress?.assumingMemoryBound(to: UInt8.self),
        let bytes = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
      else { return }
      for row in 0..<height {
        KernelTable.current.images.convertChroma(
          &conversion, count: width, luma: lumaRow + row * lumaBytesPerRow,
          chroma: chromaRow + row / 2 * chromaBytesPerRow, into: bytes + row * width * 3)
      }
    }
  }
}

/// The storage of an image's bytes.
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
      // The owner must outlive the call. The optimizer may otherwise release it after the last visible use of
      // `borrowed`.
      defer { withExtendedLifetime(borrowed) {} }
      return try body(borrowed.bytes)
    }
  }
}

/// Borrowed bytes, with the object that keeps them valid.
///
/// Unchecked `Sendable` because a raw pointer is never `Sendable`. The callers of the `ImageBuffer` initializer that
/// creates this type guarantee that nobody writes to the bytes while the owner is retained. This type only reads.
final class BorrowedBytes: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  private let owner: any AnyObject & Sendable

  init(bytes: UnsafeRawBufferPointer, owner: any AnyObject & Sendable) {
    self.bytes = bytes
    self.owner = owner
  }
}
