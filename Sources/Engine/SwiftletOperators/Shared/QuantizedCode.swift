import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// An integer that stands for a real number in a quantised tensor.
protocol QuantizedCode: FixedWidthInteger, BitwiseCopyable, Sendable {}

extension Int8: QuantizedCode {}
extension UInt8: QuantizedCode {}
extension Int16: QuantizedCode {}
extension Int32: QuantizedCode {}

extension QuantizedCode {
  static var range: ClosedRange<Int32> { Int32(Self.min)...Int32(Self.max) }
}

/// The type of a tensor of 8- or 16-bit codes, as a value: what is not a loop over codes is compiled once for all types.
enum CodeType: Sendable {
  case int8, uint8, int16

  init?(_ type: ElementType) {
    switch type {
    case .int8: self = .int8
    case .uint8: self = .uint8
    case .int16: self = .int16
    default: return nil
    }
  }

  var isSigned: Bool { self != .uint8 }

  var elementType: ElementType {
    switch self {
    case .int8: .int8
    case .uint8: .uint8
    case .int16: .int16
    }
  }

  var range: ClosedRange<Int32> {
    switch self {
    case .int8: Int8.range
    case .uint8: UInt8.range
    case .int16: Int16.range
    }
  }
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

  /// The whole range of codes of `type`.
  init(_ quantization: TensorQuantization, _ type: CodeType) {
    self.init(zeroPoint: quantization.zeroPoint, type.range)
  }

  /// The range that `activation` leaves of the codes of `type`.
  init(_ quantization: TensorQuantization, _ activation: FusedActivation, _ type: CodeType) {
    self.init(
      zeroPoint: quantization.zeroPoint,
      activation.quantizedRange(scale: quantization.scale, zeroPoint: quantization.zeroPoint, in: type.range))
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
    try quantization(ofInput: index, Code.range, isSymmetric: isSymmetric)
  }

  /// Quantisation of output `index`, likewise.
  func quantization<Code: QuantizedCode>(
    ofOutput index: Int, _ type: Code.Type, isSymmetric: Bool = Code.self == Int16.self
  ) throws -> TensorQuantization {
    try quantization(ofOutput: index, Code.range, isSymmetric: isSymmetric)
  }

  /// Quantisation of input `index`, for a tensor of `type`; `isSymmetric` is left out where it follows from the type.
  func quantization(
    ofInput index: Int, _ type: CodeType, isSymmetric: Bool? = nil
  ) throws -> TensorQuantization {
    try quantization(ofInput: index, type.range, isSymmetric: isSymmetric ?? (type == .int16))
  }

  /// Quantisation of output `index`, likewise.
  func quantization(
    ofOutput index: Int, _ type: CodeType, isSymmetric: Bool? = nil
  ) throws -> TensorQuantization {
    try quantization(ofOutput: index, type.range, isSymmetric: isSymmetric ?? (type == .int16))
  }

  /// Quantisation of input `index`, for codes of this range.
  func quantization(ofInput index: Int, _ range: ClosedRange<Int32>, isSymmetric: Bool) throws -> TensorQuantization {
    let quantization = try inputQuantization(index)
    try check(quantization.zeroPoint, "input \(index) \(input(index))", range, isSymmetric)
    return quantization
  }

  /// Quantisation of output `index`, likewise.
  func quantization(ofOutput index: Int, _ range: ClosedRange<Int32>, isSymmetric: Bool) throws -> TensorQuantization {
    let quantization = try outputQuantization(index)
    try check(quantization.zeroPoint, "output \(index) \(output(index))", range, isSymmetric)
    return quantization
  }

  private func check(
    _ zeroPoint: Int32, _ what: @autoclosure () throws -> String, _ range: ClosedRange<Int32>, _ isSymmetric: Bool
  ) throws {
    guard range.contains(zeroPoint) else {
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
