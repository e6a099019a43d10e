import SwiftletEngine
import SwiftletSchema

/// The options that convolutions share.
struct WindowOptions: Sendable {
  private let padding: WindowPadding
  private let strides: (height: Int, width: Int)
  private let dilations: (height: Int, width: Int)
  private(set) var activation: FusedActivation
  /// What 8-bit results are limited to behind the activation.
  private(set) var quantized: ClosedRange<Int32>?
  /// Padding taken over from a padding node.
  private var explicitPadding: ExplicitPadding?

  init(
    padding: WindowPadding, strides: (height: Int, width: Int), dilations: (height: Int, width: Int) = (1, 1),
    activation: FusedActivation
  ) {
    self.padding = padding
    self.strides = strides
    self.dilations = dilations
    self.activation = activation
  }

  /// These options with `activation` applied last, or `nil` when they already have one.
  func fusing(_ activation: FusedActivation) -> WindowOptions? {
    guard self.activation == .none, quantized == nil else { return nil }
    var fused = self
    fused.activation = activation
    return fused
  }

  /// These options with quantised values limited to `quantized` last.
  func clamping(_ quantized: ClosedRange<Int32>) -> WindowOptions {
    var clamped = self
    clamped.quantized = self.quantized.map { $0.clampedBounds(to: quantized) } ?? quantized
    return clamped
  }

  /// What convolutions of quantised tensors give.
  func outputRange<Quantized: QuantizedValue>(_ quantization: TensorQuantization, _ type: Quantized.Type) -> OutputRange
  {
    let range = activation.quantizedRange(
      scale: quantization.scale, zeroPoint: quantization.zeroPoint, in: Quantized.range)
    return OutputRange(zeroPoint: quantization.zeroPoint, quantized.map { range.clampedBounds(to: $0) } ?? range)
  }

  /// These options for an input without `padding`, or `nil` when they already pad.
  func folding(_ padding: ExplicitPadding) -> WindowOptions? {
    guard self.padding == .valid, explicitPadding == nil else { return nil }
    var folded = self
    folded.explicitPadding = padding
    return folded
  }

  /// How a window of the given size moves over an input `[batch, height, width, channels]`.
  func geometry(_ node: NodeView, input: TensorSpec, windowHeight: Int, windowWidth: Int) throws -> WindowGeometry {
    guard input.shape.rank == 4, input.shape.dimensions[1...].allSatisfy({ $0 > 0 }) else {
      throw node.invalid("takes an input of rank 4 without empty dimensions but the batch, got \(input)")
    }
    let extra = explicitPadding ?? ExplicitPadding(top: 0, bottom: 0, left: 0, right: 0)
    return WindowGeometry(
      batch: input.shape[0],
      height: try WindowAxis(
        node, "height", inputSize: input.shape[1], windowSize: windowHeight, stride: strides.height,
        dilation: dilations.height, padding: padding, padded: (extra.top, extra.bottom)),
      width: try WindowAxis(
        node, "width", inputSize: input.shape[2], windowSize: windowWidth, stride: strides.width,
        dilation: dilations.width, padding: padding, padded: (extra.left, extra.right)),
      channels: input.shape[3])
  }
}

extension ClosedRange<Int32> {
  /// Both bounds limited to `quantized`: what limiting to `quantized` leaves of the range.
  fileprivate func clampedBounds(to quantized: ClosedRange<Int32>) -> ClosedRange<Int32> {
    func clamp(_ bound: Int32) -> Int32 { Swift.min(Swift.max(bound, quantized.lowerBound), quantized.upperBound) }
    return clamp(lowerBound)...clamp(upperBound)
  }
}
