/// The type and value of the numbers a model takes its picture in.
public enum TensorPixelEncoding: Sendable, Hashable {
  /// One byte per channel, 0…255.
  case uint8
  /// One signed byte per channel: the byte of the picture minus 128.
  case int8
  /// One 32-bit float per channel.
  case float32(PixelNormalization)
  /// Normalised first, then quantised: `round(value / scale) + zeroPoint`, clamped to 0…255.
  case quantizedUInt8(PixelNormalization, scale: Float, zeroPoint: Int)
  /// Normalised first, then quantised: `round(value / scale) + zeroPoint`, clamped to −128…127.
  case quantizedInt8(PixelNormalization, scale: Float, zeroPoint: Int)

  /// How many bytes one number takes.
  public var bytesPerElement: Int {
    if case .float32 = self { 4 } else { 1 }
  }
}

/// What each byte of a picture becomes, looked up instead of computed: one table per channel of the tensor.
enum PixelValueTable: Sendable {
  /// Bytes are stored as they are.
  case identity
  case bytes([UInt8])
  case floats([Float])

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
          quantisation with scale \(scale) and zero point \(zeroPoint) is not usable; \
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
          normalisation has values for \(normalization.scale.count) channels, but the tensor has \(channels); \
          give one value for all channels, or one per channel
          """)
    }
  }
}
