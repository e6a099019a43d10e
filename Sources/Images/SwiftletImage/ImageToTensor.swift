/// Cuts a region out of a picture, turns it, resizes it, and writes it as a model's input, in one pass.
///
/// Sampling is MediaPipe's, to the last bit: a bilinear warp from the picture straight to the size of the tensor,
/// without half-pixel shift and without smoothing, with positions rounded to 1/32 pixel (see
/// `docs/guide/image-to-tensor.md`). Pixels of any ``PixelFormat`` are read where they are; alpha is ignored.
///
/// Make one per model input and keep it: it holds the tables for one region and reuses their memory, so that a
/// conversion allocates nothing.
///
/// ```swift
/// var converter = try ImageToTensor(width: 128, height: 128, encoding: .float32(.minusOneToOne),
///                                   keepsAspectRatio: true, border: .zero)
/// let toImage = try converter.convert(image, orientation: .right, into: tensorBytes)
/// let place = toImage(NormalizedPoint(x: 0.5, y: 0.5))   // where the middle of the tensor is in `image`
/// ```
///
/// - Shapes: output `[1, height, width, channels]`, rows without padding.
/// - Thread safety: one caller at a time; between two calls of ``prepare(for:region:flipsHorizontally:)``,
///   ``convertRows(_:of:into:)`` may run concurrently on different rows.
public struct ImageToTensor: Sendable {
  /// What the model sees beyond the edge of the picture.
  public enum Border: Sendable, Hashable {
    /// The nearest pixel of the picture.
    case replicate
    /// Black: byte 0, before normalisation.
    case zero
  }

  /// The channels of the tensor, in this order.
  public enum Channels: Int, Sendable, Hashable {
    /// One channel: brightness.
    case gray = 1
    /// Red, green and blue.
    case rgb = 3
    /// Red, green, blue and opacity.
    case rgba = 4
  }

  /// Width of the tensor in pixels.
  public let width: Int
  /// Height of the tensor in pixels.
  public let height: Int
  /// The channels of the tensor, in their order.
  public let channels: Channels
  /// The numbers that stand for pixels.
  public let encoding: TensorPixelEncoding
  /// Whether the region grows to the proportions of the tensor (letterbox) instead of being stretched.
  public let keepsAspectRatio: Bool
  /// What is read outside of the picture.
  public let border: Border

  /// How many bytes the tensor takes: `height · width · channels · bytesPerElement`.
  public var byteCount: Int { height * rowByteCount }

  let rowByteCount: Int
  let table: PixelValueTable
  var sampling: SamplingPlan
  private var preparedFor: PixelLayout?

  /// The largest tensor, in pixels in either direction.
  static let maximumDimension = 16384

  /// - Parameters:
  ///   - width: width of the tensor in pixels, 1…16384.
  ///   - height: height of the tensor in pixels, 1…16384.
  ///   - channels: how many channels the tensor has. A grey picture fills all of them alike, a colour picture becomes
  ///     grey by the BT.601 weights.
  ///   - encoding: type and value of the numbers.
  ///   - keepsAspectRatio: true for MediaPipe's face, palm and pose detectors, false for all its other models.
  ///   - border: zero for those detectors, replicate for all others.
  /// - Throws: ``ImageError`` when a size is out of range, or the normalisation does not fit the channels.
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

  /// Computes where every pixel of the tensor lies in the picture, for a region given in the stored picture.
  ///
  /// Needed before ``convertRows(_:of:into:)``; again only when the layout of the picture or the region changes.
  ///
  /// - Parameters:
  ///   - image: a picture of the layout to be converted; its pixels are not read.
  ///   - region: what to cut out, in coordinates of the stored picture.
  ///   - flipsHorizontally: whether the cut-out is mirrored left to right after it has been turned.
  /// - Returns: the map from the tensor to the stored picture, both in normalised coordinates. It includes letterbox,
  ///   rotation and mirroring, so projecting a result with it undoes all three.
  /// - Throws: ``ImageError`` when the region is empty, not a number, or much too far from the picture.
  /// - Complexity: O(width + height) time; allocates nothing.
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
  ///   - rows: rows of the tensor, within 0..<height.
  ///   - image: a picture of exactly the layout that was prepared for.
  ///   - tensor: the whole tensor, at least ``byteCount`` bytes; only the given rows are written.
  /// - Throws: ``ImageError`` when nothing was prepared for this layout, or the buffer is too small.
  /// - Complexity: O(rows · width) time; allocates nothing.
  public func convertRows(
    _ rows: Range<Int>, of image: ImageBuffer, into tensor: UnsafeMutableRawBufferPointer
  ) throws(ImageError) {
    guard preparedFor == image.layout else {
      throw ImageError(
        code: .invalidParameter,
        message: """
          rows cannot be converted: \(preparedFor.map { "prepared for \($0.summary)" } ?? "nothing was prepared"), \
          but the picture is \(image.layout.summary); call prepare(for:region:flipsHorizontally:) with it first
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

  /// Converts a region of the stored picture.
  ///
  /// - Parameters: as ``prepare(for:region:flipsHorizontally:)`` and ``convertRows(_:of:into:)``.
  /// - Returns: the map from the tensor to the stored picture.
  /// - Throws: ``ImageError`` when the region makes no sense or the buffer is too small.
  @discardableResult
  public mutating func convert(
    _ image: ImageBuffer, region: NormalizedRect = .fullImage, flipsHorizontally: Bool = false,
    into tensor: UnsafeMutableRawBufferPointer
  ) throws(ImageError) -> ImageProjection {
    let projection = try prepare(for: image, region: region, flipsHorizontally: flipsHorizontally)
    try convertRows(0..<height, of: image, into: tensor)
    return projection
  }

  /// Converts a picture that has to be turned to stand upright.
  ///
  /// - Parameters:
  ///   - image: the picture.
  ///   - orientation: how the pixels are stored; all eight are supported.
  ///   - regionOfInterest: what to cut out, in coordinates of the *stored* picture, not turned.
  ///   - tensor: where the tensor goes; at least `byteCount` bytes.
  /// - Returns: the map from the tensor to the stored picture. Follow it by `orientation.storedToUpright` for results
  ///   in the upright picture.
  /// - Throws: ``ImageError`` when the region makes no sense or the buffer is too small.
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
