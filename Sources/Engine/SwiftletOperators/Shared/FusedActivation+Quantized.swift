import SwiftletEngine
import SwiftletSchema

extension FusedActivation {
  /// Reads the activation from `field` of the options.
  ///
  /// - Throws: for a value outside the format, and for activations that are not a clamp unless `allowed` names them.
  init(
    _ node: NodeReader, field: OptionField<FusedActivation>,
    allowed: [FusedActivation] = [.none, .relu, .reluN1To1, .relu6]
  ) throws {
    let value = try node.options.code(of: field)
    guard let activation = FusedActivation(rawValue: value) else {
      throw node.invalid("has fused activation \(value), which the format does not define")
    }
    guard allowed.contains(activation) else {
      throw node.invalid("has fused activation \(activation), which the operator does not take")
    }
    self = activation
  }

  /// The clamp in quantised units of an output with this scale and zero point, inside `range` of its element type.
  ///
  /// - Source: the reference runtime's activation range rule: the real bounds are divided by the scale in single
  ///   precision and rounded half away from zero.
  func quantizedRange(scale: Float, zeroPoint: Int32, in range: ClosedRange<Int32>) -> ClosedRange<Int32> {
    Self.quantizedRange(of: floatRange, scale: scale, zeroPoint: zeroPoint, in: range)
  }

  /// The same for any clamp in real numbers.
  static func quantizedRange(
    of real: (lower: Float, upper: Float), scale: Float, zeroPoint: Int32, in range: ClosedRange<Int32>
  ) -> ClosedRange<Int32> {
    func quantized(_ value: Float) -> Int32 {
      let steps = Int32(saturating: (value / scale).rounded(.toNearestOrAwayFromZero))
      return Int32(clamping: Int64(zeroPoint) + Int64(steps))
    }
    let low = real.lower.isFinite ? max(range.lowerBound, quantized(real.lower)) : range.lowerBound
    let high = real.upper.isFinite ? min(range.upperBound, quantized(real.upper)) : range.upperBound
    return low <= high ? low...high : low...low
  }
}

extension ElementType {
  /// The integers of a quantised type, or `nil` for the others.
  var quantizedRange: ClosedRange<Int32>? {
    switch self {
    case .int8: -128...127
    case .uint8: 0...255
    case .int16: -32768...32767
    default: nil
    }
  }
}
