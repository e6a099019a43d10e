/// How the integers of a tensor stand for real numbers: `real = scale · (integer - zeroPoint)`.
public struct QuantizationParameters: Equatable, Hashable, Sendable {
  /// The difference between the real numbers of neighbouring integers.
  public let scale: Float
  /// The integer that stands for 0.
  public let zeroPoint: Int

  init(scale: Float, zeroPoint: Int) {
    self.scale = scale
    self.zeroPoint = zeroPoint
  }
}
