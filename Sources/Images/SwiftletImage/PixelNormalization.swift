/// How a byte of a picture, 0…255, becomes the number a model was trained on: `Float(byte) · scale + offset`.
public struct PixelNormalization: Sendable, Hashable {
  /// One factor for all channels, or one each for red, green, blue (and alpha).
  public let scale: [Float]
  /// As many offsets as factors.
  public let offset: [Float]

  /// Makes the conversion from its factors and offsets.
  ///
  /// - Throws: ``ImageError`` unless both have the same count, 1…4, and all are finite.
  public init(scale: [Float], offset: [Float]) throws(ImageError) {
    guard scale.count == offset.count, (1...4).contains(scale.count), (scale + offset).allSatisfy(\.isFinite) else {
      throw ImageError(
        code: .invalidParameter,
        message: """
          normalisation with scale \(scale) and offset \(offset) is not usable; \
          give one finite value of each for all channels, or one per channel
          """)
    }
    self.scale = scale
    self.offset = offset
  }

  /// Makes the conversion `(byte − mean) / standardDeviation`, as model metadata describes it.
  ///
  /// It is computed as MediaPipe does, through the values of 0 and 255 in single precision.
  ///
  /// - Parameters:
  ///   - mean: one value for all channels or one per channel, on the scale of 0…255.
  ///   - standardDeviation: as many values, none of them 0.
  /// - Throws: ``ImageError`` when the counts differ or a deviation is 0 or not finite.
  public init(mean: [Float], standardDeviation: [Float]) throws(ImageError) {
    guard mean.count == standardDeviation.count, standardDeviation.allSatisfy({ $0 != 0 }) else {
      throw ImageError(
        code: .invalidParameter,
        message: """
          normalisation with mean \(mean) and standard deviation \(standardDeviation) is not usable; \
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

  /// 0…255 becomes 0…1.
  public static let zeroToOne = PixelNormalization(low: 0, high: 1)
  /// 0…255 becomes −1…1.
  public static let minusOneToOne = PixelNormalization(low: -1, high: 1)
  /// 0…255 stays as it is.
  public static let unchanged = PixelNormalization(low: 0, high: 255)

  /// The value of every byte for one channel: the product is rounded before the offset is added.
  func values(channel: Int) -> [Float] {
    let scale = scale.count == 1 ? scale[0] : scale[channel]
    let offset = offset.count == 1 ? offset[0] : offset[channel]
    return (0..<256).map { Float($0) * scale + offset }
  }
}
