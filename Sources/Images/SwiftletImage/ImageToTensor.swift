import SwiftletKernels

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
      writeRows(rows, of: source, format: image.pixelFormat, to: base)
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
  private func writeRows(
    _ rows: Range<Int>, of source: UnsafeRawBufferPointer, format: PixelFormat, to tensor: UnsafeMutableRawPointer
  ) {
    guard let image = source.baseAddress else { return }
    let kernels = KernelTable.current.images
    var sampled = sampledRow(of: format)
    sampling.columns.withUnsafeBufferPointer { columns in
      sampled.columns = sampling.isSeparable ? columns.baseAddress : nil
      for row in rows {
        sampled.row = row
        sampled.vertical = sampling.rows[row]
        sampled.pairedColumns = pairedColumns(sampled, byteCount: source.count)
        let target = tensor + row * rowByteCount
        let bytes = target + (rowByteCount - width * sampled.sampledBytes)
        kernels.sampleRow(&sampled, of: image, into: bytes)
        expand(bytes, sampled.sampledBytes, to: target, kernels)
      }
    }
  }

  /// Returns what all rows of an image have in common.
  private func sampledRow(of format: PixelFormat) -> SampledRow {
    let sampledBytes = format == .gray8 || channels == .gray ? 1 : format.hasAlpha && channels == .rgba ? 4 : 3
    let (red, green, blue) = format.colorOffsets
    var row = SampledRow(
      source: sampling.source, path: sampling.path, sampledBytes: sampledBytes,
      isLuma: format != .gray8 && channels == .gray, red: red, green: green, blue: blue)
    // With three bytes per pixel, the last row of the image is not sampled in pairs, because reading four bytes of its
    // last pixel would read one byte too many.
    row.pairedRows = max(sampling.source.height - (format.bytesPerPixel == 4 ? 1 : 2), 0)
    return row
  }

  /// Returns the number of leading columns of a row that may be sampled in pairs, which reads and writes four bytes per
  /// pixel.
  private func pairedColumns(_ row: SampledRow, byteCount: Int) -> Int {
    guard row.sampledBytes > 1 else { return 0 }
    if sampling.isSeparable {
      let (tap, source) = (row.vertical, sampling.source)
      let farthest = source.origin + sampling.farthestColumnOffset + max(tap.offset0, tap.offset1)
      // The second blend requires weights that sum to 32.
      guard farthest + 4 <= byteCount, tap.weight0 + tap.weight1 == 32 else { return 0 }
    }
    return row.sampledBytes == 4 ? width : width - 1
  }

  /// Converts the sampled bytes of a row to elements.
  private func expand(
    _ bytes: UnsafeRawPointer, _ sampledBytes: Int, to target: UnsafeMutableRawPointer, _ kernels: ImageKernels
  ) {
    switch table {
    case .identity where sampledBytes == channels.rawValue: return
    case .identity: expand(bytes, sampledBytes, PixelValueTable.identityBytes, to: target, kernels)
    case .bytes(let table): expand(bytes, sampledBytes, table, to: target, kernels)
    case .floats(let table):
      table.withUnsafeBufferPointer { table in
        guard let table = table.baseAddress else { return }
        kernels.expandRow(
          bytes, sampledBytes: sampledBytes, channels: channels.rawValue, width: width, table,
          into: target.assumingMemoryBound(to: Float.self))
      }
    }
  }

  private func expand(
    _ bytes: UnsafeRawPointer, _ sampledBytes: Int, _ table: [UInt8], to target: UnsafeMutableRawPointer,
    _ kernels: ImageKernels
  ) {
    table.withUnsafeBufferPointer { table in
      guard let table = table.baseAddress else { return }
      kernels.expandRow(
        bytes, sampledBytes: sampledBytes, channels: channels.rawValue, width: width, table,
        into: target.assumingMemoryBound(to: UInt8.self))
    }
  }
}
