/// The type and normalization of the elements of an image tensor.
public enum TensorPixelEncoding: Sendable, Hashable {
  /// One byte per channel, 0…255.
  case uint8
  /// One signed byte per channel: the image byte minus 128.
  case int8
  /// One 32-bit float per channel.
  case float32(PixelNormalization)
  /// One unsigned byte per channel, normalized and then quantized: `round(value / scale) + zeroPoint`, clamped to
  /// 0…255.
  case quantizedUInt8(PixelNormalization, scale: Float, zeroPoint: Int)
  /// One signed byte per channel, normalized and then quantized: `round(value / scale) + zeroPoint`, clamped to
  /// −128…127.
  case quantizedInt8(PixelNormalization, scale: Float, zeroPoint: Int)

  /// The size of one element in bytes.
  public var bytesPerElement: Int {
    if case .float32 = self { 4 } else { 1 }
  }
}

/// A lookup table of the element value of each image byte, one table per tensor channel.
enum PixelValueTable: Sendable {
  /// The bytes are stored unchanged.
  case identity
  case bytes([UInt8])
  case floats([Float])

  /// The values of ``identity``, for up to four channels.
  static let identityBytes: [UInt8] = (0..<4).flatMap { _ in (0...255).map { UInt8($0) } }

  init(_ encoding: TensorPixelEncoding, channels: Int) throws(ImageError) {
    switch encoding {
    case .uint8:
      self = .identity
    case .int8:
      self = .bytes((0..<channels).flatMap { _ in (0..<256).map { UInt8($0) ^ 0x80 } })
    case .float32(let normalization):
      try Self.check(normalization, channels)
      self = .floats((0..<channels).flatMap { normalization.values(channel: $0) })
    case .quantizedUInt8(let normalization, let scale, let zeroPoint):
      self = .bytes(try Self.quantized(normalization, channels, scale, zeroPoint, 0...255))
    case .quantizedInt8(let normalization, let scale, let zeroPoint):
      self = .bytes(try Self.quantized(normalization, channels, scale, zeroPoint, -128...127))
    }
  }

  private static func quantized(
    _ normalization: PixelNormalization, _ channels: Int, _ scale: Float, _ zeroPoint: Int, _ range: ClosedRange<Int>
  ) throws(ImageError) -> [UInt8] {
    try check(normalization, channels)
    guard scale > 0, scale.isFinite, range.contains(zeroPoint) else {
      throw ImageError(
        code: .invalidParameter,
        message: """
          quantization with scale \(scale) and zero point \(zeroPoint) is not usable; \
          scale must be greater than 0 and the zero point in \(range)
          """)
    }
    let low = Float(range.lowerBound - zeroPoint)
    let high = Float(range.upperBound - zeroPoint)
    return (0..<channels).flatMap { channel in
      normalization.values(channel: channel).map { value in
        let steps = min(max((value / scale).rounded(.toNearestOrAwayFromZero), low), high)
        return UInt8(truncatingIfNeeded: Int(steps) + zeroPoint)
      }
    }
  }

  private static func check(_ normalization: PixelNormalization, _ channels: Int) throws(ImageError) {
    guard normalization.scale.count == 1 || normalization.scale.count >= channels else {
      throw ImageError(
        code: .invalidParameter,
        message: """
          normalization has values for \(normalization.scale.count) channels, but the tensor has \(channels); \
          give one value for all channels, or one per channel
          """)
    }
  }
}

/// The normalization of image bytes, 0…255, for a model: `Float(byte) · scale + offset`.
public struct PixelNormalization: Sendable, Hashable {
  /// The scale factors: one for all channels, or one each for red, green, blue (and alpha).
  public let scale: [Float]
  /// The offsets, as many as factors.
  public let offset: [Float]

  /// Creates a normalization from scale factors and offsets.
  ///
  /// - Throws: ``ImageError`` unless both arrays have the same count, 1…4, and all values are finite.
  public init(scale: [Float], offset: [Float]) throws(ImageError) {
    guard scale.count == offset.count, (1...4).contains(scale.count), (scale + offset).allSatisfy(\.isFinite) else {
      throw ImageError(
        code: .invalidParameter,
        message: """
          normalization with scale \(scale) and offset \(offset) is not usable; \
          give one finite value of each for all channels, or one per channel
          """)
    }
    self.scale = scale
    self.offset = offset
  }

  /// Creates the normalization `(byte − mean) / standardDeviation`, as in model metadata.
  ///
  /// It is computed like in MediaPipe, from the values for 0 and 255 in single precision.
  ///
  /// - Parameters:
  ///   - mean: One mean for all channels or one per channel, in the range 0…255.
  ///   - standardDeviation: The standard deviations, as many as means, none of them 0.
  /// - Throws: ``ImageError`` if the counts differ, or if a deviation is 0 or not finite.
  public init(mean: [Float], standardDeviation: [Float]) throws(ImageError) {
    guard mean.count == standardDeviation.count, standardDeviation.allSatisfy({ $0 != 0 }) else {
      throw ImageError(
        code: .invalidParameter,
        message: """
          normalization with mean \(mean) and standard deviation \(standardDeviation) is not usable; \
          both need the same number of values, and no deviation may be 0
          """)
    }
    var scale: [Float] = []
    var offset: [Float] = []
    for (mean, deviation) in zip(mean, standardDeviation) {
      let low = (0 - mean) / deviation
      let high = (255 - mean) / deviation
      scale.append((high - low) / 255)
      offset.append(low)
    }
    try self.init(scale: scale, offset: offset)
  }

  private init(low: Float, high: Float) {
    scale = [(high - low) / 255]
    offset = [low]
  }

  /// Maps 0…255 to 0…1.
  public static let zeroToOne = PixelNormalization(low: 0, high: 1)
  /// Maps 0…255 to −1…1.
  public static let minusOneToOne = PixelNormalization(low: -1, high: 1)
  /// Maps 0…255 to itself.
  public static let unchanged = PixelNormalization(low: 0, high: 255)

  /// Returns the value of every byte for one channel. The product is rounded before the offset is added.
  func values(channel: Int) -> [Float] {
    let scale = scale.count == 1 ? scale[0] : scale[channel]
    let offset = offset.count == 1 ? offset[0] : offset[channel]
    return (0..<256).map { Float($0) * scale + offset }
  }
}
