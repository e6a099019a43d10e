import SwiftletEngine
import SwiftletKernels

/// An integer that stands for a real number in a quantised tensor.
protocol QuantizedCode: FixedWidthInteger, BitwiseCopyable, Sendable {}

extension Int8: QuantizedCode {}
extension UInt8: QuantizedCode {}
extension Int16: QuantizedCode {}
extension Int32: QuantizedCode {}

extension QuantizedCode {
  static var range: ClosedRange<Int32> { Int32(Self.min)...Int32(Self.max) }
}

/// Scale and zero point of one quantised tensor: `real = scale × (code − zeroPoint)`.
typealias TensorQuantization = (scale: Float, zeroPoint: Int32)

/// How a fixed-point result becomes an output code.
struct OutputRange: Sendable {
  var zeroPoint: Int32
  var lower: Int32
  var upper: Int32

  init(zeroPoint: Int32, _ range: ClosedRange<Int32>) {
    self.zeroPoint = zeroPoint
    lower = range.lowerBound
    upper = range.upperBound
  }

  /// The whole range of `Code`.
  init<Code: QuantizedCode>(_ quantization: TensorQuantization, _ type: Code.Type) {
    self.init(zeroPoint: quantization.zeroPoint, Code.range)
  }

  /// The range that `activation` leaves of `Code`.
  init<Code: QuantizedCode>(_ quantization: TensorQuantization, _ activation: FusedActivation, _ type: Code.Type) {
    self.init(
      zeroPoint: quantization.zeroPoint,
      activation.quantizedRange(scale: quantization.scale, zeroPoint: quantization.zeroPoint, in: Code.range))
  }

  @inline(__always)
  func code<Code: QuantizedCode>(_ value: Int32) -> Code {
    Code(truncatingIfNeeded: min(max(value &+ zeroPoint, lower), upper))
  }

  /// The code for a real number in output units that already includes the zero point, rounded to the nearest, ties to
  /// even; the smallest code for NaN.
  @inline(__always)
  func code<Code: QuantizedCode>(rounding value: Float) -> Code {
    let low = Float(lower)
    let high = Float(upper)
    let raised = value > low ? value : low
    let clamped = raised < high ? raised : high
    return Code(truncatingIfNeeded: clamped.roundedToNearestInteger)
  }
}

extension NodeView {
  /// Quantisation of input `index`, for a tensor of `Code`.
  ///
  /// - Parameter isSymmetric: whether the zero point must be 0, as most operators demand of int16.
  /// - Throws: when there is none, or the zero point is not allowed.
  func quantization<Code: QuantizedCode>(
    ofInput index: Int, _ type: Code.Type, isSymmetric: Bool = Code.self == Int16.self
  ) throws -> TensorQuantization {
    let quantization = try inputQuantization(index)
    try check(quantization.zeroPoint, "input \(index) \(input(index))", type, isSymmetric)
    return quantization
  }

  /// Quantisation of output `index`, likewise.
  func quantization<Code: QuantizedCode>(
    ofOutput index: Int, _ type: Code.Type, isSymmetric: Bool = Code.self == Int16.self
  ) throws -> TensorQuantization {
    let quantization = try outputQuantization(index)
    try check(quantization.zeroPoint, "output \(index) \(output(index))", type, isSymmetric)
    return quantization
  }

  private func check<Code: QuantizedCode>(
    _ zeroPoint: Int32, _ what: @autoclosure () throws -> String, _ type: Code.Type, _ isSymmetric: Bool
  ) throws {
    guard Code.range.contains(zeroPoint) else {
      throw invalid("\(try what()) has zero point \(zeroPoint), which its type cannot hold")
    }
    guard !isSymmetric || zeroPoint == 0 else {
      throw invalid("\(try what()) has zero point \(zeroPoint), it must be 0")
    }
  }
}

extension QuantizedMultiplier {
  /// The fixed-point form of a factor that was computed in single precision.
  init(_ factor: Float) { self.init(Double(factor)) }
}
