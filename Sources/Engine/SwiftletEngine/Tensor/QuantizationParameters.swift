/// How integers stand for real numbers: `real = scale × (integer − zeroPoint)`.
public struct QuantizationParameters: Sendable, Hashable {
  /// One scale for the whole tensor, or one per index along `axis`.
  public var scales: [Float]
  /// As many as `scales`.
  public var zeroPoints: [Int32]
  /// The axis along which scales differ; meaningful only when there are several.
  public var axis: Int

  /// One scale and zero point for every index of `axis`, or one for all.
  public init(scales: [Float], zeroPoints: [Int32], axis: Int = 0) {
    self.scales = scales
    self.zeroPoints = zeroPoints
    self.axis = axis
  }

  /// One scale and zero point for the whole tensor.
  public init(scale: Float, zeroPoint: Int32) {
    self.init(scales: [scale], zeroPoints: [zeroPoint])
  }

  /// Whether every index of `axis` has a scale of its own.
  public var isPerChannel: Bool { scales.count > 1 }
}
