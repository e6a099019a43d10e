/// A converter that crops, rotates, and resizes a region of an image and writes it as a model input in one pass.
///
/// Sampling matches MediaPipe bit for bit: a bilinear warp from the image directly to the tensor size, without a
/// half-pixel shift and without smoothing, with positions rounded to 1/32 pixel (see `docs/guide/image-to-tensor.md`).
/// Pixels of any ``PixelFormat`` are read in place. Alpha is ignored.
///
/// Create one converter per model input and keep it. It stores the tables for one region and reuses their memory, so a
/// conversion allocates nothing.
///
/// ```swift
/// var converter = try ImageToTensor(width: 128, height: 128, encoding: .float32(.minusOneToOne),
///                                   keepsAspectRatio: true, border: .zero)
/// let toImage = try converter.convert(image, orientation: .right, into: tensorBytes)
/// let place = toImage(NormalizedPoint(x: 0.5, y: 0.5))   // where the middle of the tensor is in `image`
/// ```
///
/// - Shapes: The output is `[1, height, width, channels]`, without row padding.
/// - Thread safety: One caller at a time. Between two calls of ``prepare(for:region:flipsHorizontally:)``,
///   ``convertRows(_:of:into:)`` may run concurrently on different rows.
public struct ImageToTensor: Sendable {
  /// The values of pixels outside the image.
  public enum Border: Sendable, Hashable {
    /// The nearest pixel of the image.
    case replicate
    /// Black: byte 0 before normalization.
    case zero
  }

  /// The channels of the tensor, in order.
  public enum Channels: Int, Sendable, Hashable {
    /// One channel: luma.
    case gray = 1
    /// Red, green, and blue.
    case rgb = 3
    /// Red, green, blue, and alpha.
    case rgba = 4
  }

  /// The width of the tensor in pixels.
  public let width: Int
  /// The height of the tensor in pixels.
  public let height: Int
  /// The channels of the tensor.
  public let channels: Channels
  /// The type and normalization of the tensor's elements.
  public let encoding: TensorPixelEncoding
  /// A Boolean value that indicates whether the region is extended to the aspect ratio of the tensor (letterbox)
  /// instead of being stretched.
  public let keepsAspectRatio: Bool
  /// The values of pixels outside the image.
  public let border: Border

  /// The size of the tensor in bytes: `height · width · channels · bytesPerElement`.
  public var byteCount: Int { height * rowByteCount }

  let rowByteCount: Int
  let table: PixelValueTable
  var sampling: SamplingPlan
  private var preparedFor: PixelLayout?

  /// The maximum width and height of a tensor in pixels.
  static let maximumDimension = 16384

  /// Creates a converter.
  ///
  /// - Parameters:
  ///   - width: The width of the tensor in pixels, 1…16384.
  ///   - height: The height of the tensor in pixels, 1…16384.
  ///   - channels: The channels of the tensor. A gray image fills all color channels with the same value. A color image
  ///     is converted to gray with the BT.601 weights.
  ///   - encoding: The type and normalization of the elements.
  ///   - keepsAspectRatio: True for MediaPipe's face, palm, and pose detectors; false for all its other models.
  ///   - border: `zero` for these detectors, `replicate` for all other models.
  /// - Throws: ``ImageError`` if a size is out of range, or if the normalization doesn't match the channels.
  public init(
    width: Int, height: Int, channels: Channels = .rgb, encoding: TensorPixelEncoding,
    keepsAspectRatio: Bool = false, border: Border = .replicate
  ) throws(ImageError) {
    guard (1...Self.maximumDimension).contains(width), (1...Self.maximumDimension).contains(height) else {
      throw ImageError(
        code: .invalidSize,
        message: """
          a tensor of \(width) × \(height) pixels is not supported; \
          width and height must each be in 1…\(Self.maximumDimension)
          """)
    }
    self.width = width
    self.height = height
    self.channels = channels
    self.encoding = encoding
    self.keepsAspectRatio = keepsAspectRatio
    self.border = border
    rowByteCount = width * channels.rawValue * encoding.bytesPerElement
    table = try PixelValueTable(encoding, channels: channels.rawValue)
    sampling = SamplingPlan(tensorWidth: width, tensorHeight: height)
  }

  /// Computes the position in the image of every tensor pixel, for a region in stored image coordinates.
  ///
  /// Call this method before ``convertRows(_:of:into:)``. Call it again only if the layout of the image or the region
  /// changes.
  ///
  /// - Parameters:
  ///   - image: An image with the layout of the images to convert. The method doesn't read its pixels.
  ///   - region: The region to crop, in stored image coordinates.
  ///   - flipsHorizontally: Whether to mirror the crop left to right after the rotation.
  /// - Returns: The map from the tensor to the stored image, both in normalized coordinates. It includes letterbox,
  ///   rotation, and mirroring, so projecting a result with it undoes all three.
  /// - Throws: ``ImageError`` if the region is empty, contains NaN, or is too far outside the image.
  /// - Complexity: O(width + height) time. Allocates nothing.
  @discardableResult
  public mutating func prepare(
    for image: ImageBuffer, region: NormalizedRect = .fullImage, flipsHorizontally: Bool = false
  ) throws(ImageError) -> ImageProjection {
    preparedFor = nil
    var pixels = try PixelRegion(region, imageWidth: image.width, imageHeight: image.height)
    if keepsAspectRatio { pixels = pixels.grown(toAspectOfWidth: width, height: height) }
    try sampling.update(
      region: flipsHorizontally ? pixels.mirrored(imageWidth: image.width) : pixels,
      layout: image.layout, mirrorsSource: flipsHorizontally, border: border)
    preparedFor = image.layout
    return ImageProjection(
      region: pixels, imageWidth: image.width, imageHeight: image.height, flipsHorizontally: flipsHorizontally)
  }

  /// Writes some rows of the tensor.
  ///
  /// - Parameters:
  ///   - rows: The rows to write, within 0..<height.
  ///   - image: An image with exactly the prepared layout.
  ///   - tensor: The whole tensor, at least ``byteCount`` bytes. Only the given rows are written.
  /// - Throws: ``ImageError`` if this layout isn't prepared, or if the buffer is too small.
  /// - Complexity: O(rows · width) time. Allocates nothing.
  public func convertRows(
    _ rows: Range<Int>, of image: ImageBuffer, into tensor: UnsafeMutableRawBufferPointer
  ) throws(ImageError) {
    guard preparedFor == image.layout else {
      throw ImageError(
        code: .invalidParameter,
        message: """
          rows cannot be converted: \(preparedFor.map { "prepared for \($0.summary)" } ?? "nothing was prepared"), \
          but the image is \(image.layout.summary); call prepare(for:region:flipsHorizontally:) with it first
          """)
    }
    guard tensor.count >= byteCount, let base = tensor.baseAddress, rows.lowerBound >= 0, rows.upperBound <= height
    else {
      throw ImageError(
        code: .tooFewBytes,
        message: """
          a tensor of \(height) × \(width) × \(channels.rawValue) with \(encoding.bytesPerElement) bytes per number \
          takes \(byteCount) bytes, but the buffer has \(tensor.count); rows \(rows) of 0..<\(height) were asked for
          """)
    }
    image.withUnsafeBytes { source in
      for row in rows {
        writeRow(row, of: source, format: image.pixelFormat, to: base + row * rowByteCount)
      }
    }
  }

  /// Converts a region of the stored image.
  ///
  /// - Parameters: The same as for ``prepare(for:region:flipsHorizontally:)`` and ``convertRows(_:of:into:)``.
  /// - Returns: The map from the tensor to the stored image.
  /// - Throws: ``ImageError`` if the region is invalid, or if the buffer is too small.
  @discardableResult
  public mutating func convert(
    _ image: ImageBuffer, region: NormalizedRect = .fullImage, flipsHorizontally: Bool = false,
    into tensor: UnsafeMutableRawBufferPointer
  ) throws(ImageError) -> ImageProjection {
    let projection = try prepare(for: image, region: region, flipsHorizontally: flipsHorizontally)
    try convertRows(0..<height, of: image, into: tensor)
    return projection
  }

  /// Converts an image to an upright tensor.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - orientation: The orientation of the stored pixels. All eight orientations are supported.
  ///   - regionOfInterest: The region to crop, in coordinates of the *stored* image, before rotation.
  ///   - tensor: The destination, at least `byteCount` bytes.
  /// - Returns: The map from the tensor to the stored image. For results in the upright image, append
  ///   `orientation.storedToUpright`.
  /// - Throws: ``ImageError`` if the region is invalid, or if the buffer is too small.
  @discardableResult
  public mutating func convert(
    _ image: ImageBuffer, orientation: ImageOrientation, regionOfInterest: NormalizedRect = .fullImage,
    into tensor: UnsafeMutableRawBufferPointer
  ) throws(ImageError) -> ImageProjection {
    let region = regionOfInterest.turnedUpright(
      orientation, imageWidth: image.width, imageHeight: image.height)
    return try convert(image, region: region, flipsHorizontally: orientation.isMirrored, into: tensor)
  }
}

extension PixelLayout {
  var summary: String { "\(width) × \(height) pixels of \(pixelFormat), \(bytesPerRow) bytes per row" }
}

/// The conversion of one tensor row at a time: resample bytes, then look up their values.
///
/// The bytes are written to the end of the row's own memory and expanded from there, front to back. This needs no
/// scratch memory, and every row can be written by another thread.
extension ImageToTensor {
  /// The samples taken per pixel.
  private enum Samples {
    /// One byte of any image format.
    case gray
    /// Red, green, and blue.
    case color
    /// Red, green, blue, and alpha.
    case colorAndAlpha
    /// Red, green, and blue, reduced to luma.
    case luma

    var byteCount: Int {
      switch self {
      case .gray, .luma: 1
      case .color: 3
      case .colorAndAlpha: 4
      }
    }
  }

  private func samples(of format: PixelFormat) -> Samples {
    switch (format, channels) {
    case (.gray8, _): .gray
    case (_, .gray): .luma
    case (.rgba8, .rgba), (.bgra8, .rgba): .colorAndAlpha
    case (_, .rgb), (_, .rgba): .color
    }
  }

  func writeRow(
    _ row: Int, of source: UnsafeRawBufferPointer, format: PixelFormat, to target: UnsafeMutableRawPointer
  ) {
    guard let base = source.baseAddress else { return }
    let samples = samples(of: format)
    let bytes = target + (rowByteCount - width * samples.byteCount)
    let origin = base + sampling.source.origin
    let (red, green, blue) = format.colorOffsets
    switch samples {
    case .gray:
      sampleRow(row, from: 0, origin, bytes, stride: 1) { tap, pixel in
        pixel.storeBytes(of: tap.byte(0), as: UInt8.self)
      }
    case .color:
      let done = samplePairs(row, source, format, bytes, stride: 3)
      sampleRow(row, from: done, origin, bytes, stride: 3) { tap, pixel in
        pixel.storeBytes(of: tap.byte(red), as: UInt8.self)
        pixel.storeBytes(of: tap.byte(green), toByteOffset: 1, as: UInt8.self)
        pixel.storeBytes(of: tap.byte(blue), toByteOffset: 2, as: UInt8.self)
      }
    case .colorAndAlpha:
      let done = samplePairs(row, source, format, bytes, stride: 4)
      sampleRow(row, from: done, origin, bytes, stride: 4) { tap, pixel in
        pixel.storeBytes(of: tap.byte(red), as: UInt8.self)
        pixel.storeBytes(of: tap.byte(green), toByteOffset: 1, as: UInt8.self)
        pixel.storeBytes(of: tap.byte(blue), toByteOffset: 2, as: UInt8.self)
        pixel.storeBytes(of: tap.byte(3), toByteOffset: 3, as: UInt8.self)
      }
    case .luma:
      sampleRow(row, from: 0, origin, bytes, stride: 1) { tap, pixel in
        let value = luma(red: tap.byte(red), green: tap.byte(green), blue: tap.byte(blue))
        pixel.storeBytes(of: value, as: UInt8.self)
      }
    }
    expand(bytes, perPixel: samples.byteCount, to: target)
  }

  /// Calls `store` with the four neighbors of each pixel of a row, starting at a column.
  @inline(__always)
  private func sampleRow(
    _ row: Int, from first: Int, _ origin: UnsafeRawPointer, _ bytes: UnsafeMutableRawPointer, stride: Int,
    _ store: (FourTaps, UnsafeMutableRawPointer) -> Void
  ) {
    guard first < width else { return }
    var pixel = bytes + first &* stride
    if sampling.isSeparable {
      let vertical = sampling.rows[row]
      sampling.columns.withUnsafeBufferPointer { columns in
        for column in first..<width {
          store(FourTaps(origin, columns[column], vertical), pixel)
          pixel += stride
        }
      }
      return
    }
    let path = WarpPath(sampling.matrix, tensorWidth: width, tensorHeight: height)
    let source = sampling.source
    var column = first
    while column < width {
      let block = path.block(row: row, containing: column)
      while column < block.end {
        let (x, y) = block.position(column)
        store(FourTaps(origin, source, WarpPath.rounded(x), WarpPath.rounded(y)), pixel)
        pixel += stride
        column &+= 1
      }
    }
  }

  /// Converts the sampled bytes to tensor elements, repeating gray and adding opaque alpha if needed.
  private func expand(_ bytes: UnsafeMutableRawPointer, perPixel: Int, to target: UnsafeMutableRawPointer) {
    let channelCount = channels.rawValue
    switch table {
    case .identity where perPixel == channelCount:
      return
    case .identity:
      expand(bytes, perPixel, channelCount) { byte, index, _ in
        target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
    case .bytes(let table):
      table.withUnsafeBufferPointer { table in
        expand(bytes, perPixel, channelCount) { byte, index, channel in
          target.storeBytes(of: table[channel &* 256 &+ Int(byte)], toByteOffset: index, as: UInt8.self)
        }
      }
    case .floats(let table):
      table.withUnsafeBufferPointer { table in
        expand(bytes, perPixel, channelCount) { byte, index, channel in
          target.storeBytes(of: table[channel &* 256 &+ Int(byte)], toByteOffset: index &* 4, as: Float.self)
        }
      }
    }
  }

  @inline(__always)
  private func expand(
    _ bytes: UnsafeMutableRawPointer, _ perPixel: Int, _ channelCount: Int, _ store: (UInt8, Int, Int) -> Void
  ) {
    var index = 0
    for pixel in 0..<width {
      let from = bytes + pixel &* perPixel
      if perPixel == 3 && channelCount == 3 {
        store(from.load(as: UInt8.self), index, 0)
        store(from.load(fromByteOffset: 1, as: UInt8.self), index &+ 1, 1)
        store(from.load(fromByteOffset: 2, as: UInt8.self), index &+ 2, 2)
      } else {
        // Read all bytes of the pixel before writing the first element, because the last pixel's elements may overlap
        // its bytes.
        let first = from.load(as: UInt8.self)
        let second = perPixel == 1 ? first : from.load(fromByteOffset: 1, as: UInt8.self)
        let third = perPixel == 1 ? first : from.load(fromByteOffset: 2, as: UInt8.self)
        let fourth = perPixel == 4 ? from.load(fromByteOffset: 3, as: UInt8.self) : 255
        store(first, index, 0)
        if channelCount >= 3 {
          store(second, index &+ 1, 1)
          store(third, index &+ 2, 2)
        }
        if channelCount == 4 { store(fourth, index &+ 3, 3) }
      }
      index &+= channelCount
    }
  }
}
