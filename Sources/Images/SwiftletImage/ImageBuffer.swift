/// A picture in memory: rows of pixels, top row first.
///
/// A value that can be copied and sent between threads freely; copies share the bytes. It either owns its bytes or
/// borrows them from an object that it keeps alive, so a camera frame needs no copy.
///
/// The picture is *raw*: if the camera was turned, the pixels are too. How to turn them upright is said by an
/// ``ImageOrientation`` next to the picture; ``oriented(_:)`` does it.
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
  /// How the bytes of a pixel are laid out.
  public var pixelFormat: PixelFormat { layout.pixelFormat }

  /// Makes a picture that owns its bytes.
  ///
  /// - Parameters:
  ///   - bytes: rows from top to bottom. Bytes after the last pixel are ignored.
  ///   - width: pixels per row, 1 or more.
  ///   - height: rows, 1 or more.
  ///   - bytesPerRow: distance between rows in bytes; nil when rows follow each other without padding.
  ///   - pixelFormat: how the bytes of a pixel are laid out.
  /// - Throws: ``ImageError`` when a size is out of range, the rows are too short, or there are too few bytes.
  public init(
    bytes: [UInt8], width: Int, height: Int, bytesPerRow: Int? = nil, pixelFormat: PixelFormat
  ) throws(ImageError) {
    let layout = try PixelLayout(width: width, height: height, bytesPerRow: bytesPerRow, pixelFormat: pixelFormat)
    try layout.requireBytes(bytes.count)
    self.layout = layout
    storage = .owned(bytes)
  }

  /// Makes a picture from a copy of the bytes, so that the caller may reuse them at once. The copy has no padding.
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

  /// Makes a picture of bytes that belong to `owner`, without copying them.
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

  /// Makes a picture without row padding whose bytes `fill` writes. They are zero before it is called.
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

  /// Calls `body` with the bytes of the picture, from its first pixel to at least its last.
  ///
  /// The pointer is valid only during the call.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withUnsafeBytes(body)
  }

  /// A copy of the pixels without row padding: `height · width · bytesPerPixel` bytes.
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
