import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// An integer type that represents real numbers in a quantized tensor.
protocol QuantizedValue: FixedWidthInteger, BitwiseCopyable, Sendable {}

extension Int8: QuantizedValue {}
extension UInt8: QuantizedValue {}
extension Int16: QuantizedValue {}
extension Int32: QuantizedValue {}

extension QuantizedValue {
  static var range: ClosedRange<Int32> { Int32(Self.min)...Int32(Self.max) }
}

/// The type of an 8- or 16-bit quantized tensor, as a value. Code other than loops over quantized values is compiled
/// once for all types.
enum QuantizedType: Sendable {
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

/// The scale and zero point of one quantized tensor: `real = scale × (quantized − zeroPoint)`.
typealias TensorQuantization = (scale: Float, zeroPoint: Int32)

/// The conversion of a fixed-point result to an output value.
struct OutputRange: Sendable {
  var zeroPoint: Int32
  var lower: Int32
  var upper: Int32

  init(zeroPoint: Int32, _ range: ClosedRange<Int32>) {
    self.zeroPoint = zeroPoint
    lower = range.lowerBound
    upper = range.upperBound
  }

  /// Creates the range of all values of `Quantized`.
  init<Quantized: QuantizedValue>(_ quantization: TensorQuantization, _ type: Quantized.Type) {
    self.init(zeroPoint: quantization.zeroPoint, Quantized.range)
  }

  /// Creates the range of all quantized values of `type`.
  init(_ quantization: TensorQuantization, _ type: QuantizedType) {
    self.init(zeroPoint: quantization.zeroPoint, type.range)
  }

  /// Creates the range of quantized values of `type` that `activation` allows.
  init(_ quantization: TensorQuantization, _ activation: FusedActivation, _ type: QuantizedType) {
    self.init(
      zeroPoint: quantization.zeroPoint,
      activation.quantizedRange(scale: quantization.scale, zeroPoint: quantization.zeroPoint, in: type.range))
  }

  /// Creates the range of `Quantized` that `activation` allows.
  init<Quantized: QuantizedValue>(
    _ quantization: TensorQuantization, _ activation: FusedActivation, _ type: Quantized.Type
  ) {
    self.init(
      zeroPoint: quantization.zeroPoint,
      activation.quantizedRange(scale: quantization.scale, zeroPoint: quantization.zeroPoint, in: Quantized.range))
  }

  @inline(__always)
  func quantized<Quantized: QuantizedValue>(_ value: Int32) -> Quantized {
    Quantized(truncatingIfNeeded: min(max(value &+ zeroPoint, lower), upper))
  }

  /// Returns the quantized value of a real number in output units that already includes the zero point, rounded to
  /// nearest, ties to even; the smallest quantized value for NaN.
  @inline(__always)
  func quantized<Quantized: QuantizedValue>(rounding value: Float) -> Quantized {
    let low = Float(lower)
    let high = Float(upper)
    let raised = value > low ? value : low
    let clamped = raised < high ? raised : high
    return Quantized(truncatingIfNeeded: clamped.roundedToNearestInteger)
  }
}

extension NodeView {
  /// Returns the quantization of input `index`, for a tensor of `Quantized`.
  ///
  /// - Parameter isSymmetric: Whether the zero point must be 0, as most operators require for int16.
  /// - Throws: An error if there is none, or if the zero point isn't allowed.
  func quantization<Quantized: QuantizedValue>(
    ofInput index: Int, _ type: Quantized.Type, isSymmetric: Bool = Quantized.self == Int16.self
  ) throws -> TensorQuantization {
    try quantization(ofInput: index, Quantized.range, isSymmetric: isSymmetric)
  }

  /// Returns the quantization of output `index`, for a tensor of `Quantized`.
  func quantization<Quantized: QuantizedValue>(
    ofOutput index: Int, _ type: Quantized.Type, isSymmetric: Bool = Quantized.self == Int16.self
  ) throws -> TensorQuantization {
    try quantization(ofOutput: index, Quantized.range, isSymmetric: isSymmetric)
  }

  /// Returns the quantization of input `index`, for a tensor of `type`. `isSymmetric` depends on the type by default.
  func quantization(
    ofInput index: Int, _ type: QuantizedType, isSymmetric: Bool? = nil
  ) throws -> TensorQuantization {
    try quantization(ofInput: index, type.range, isSymmetric: isSymmetric ?? (type == .int16))
  }

  /// Returns the quantization of output `index`, for a tensor of `type`.
  func quantization(
    ofOutput index: Int, _ type: QuantizedType, isSymmetric: Bool? = nil
  ) throws -> TensorQuantization {
    try quantization(ofOutput: index, type.range, isSymmetric: isSymmetric ?? (type == .int16))
  }

  /// Returns the quantization of input `index`, for quantized values of this range.
  func quantization(ofInput index: Int, _ range: ClosedRange<Int32>, isSymmetric: Bool) throws -> TensorQuantization {
    let quantization = try inputQuantization(index)
    try check(quantization.zeroPoint, "input \(index) \(input(index))", range, isSymmetric)
    return quantization
  }

  /// Returns the quantization of output `index`, for quantized values of this range.
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
      throw invalid("\(try what()) has zero point \(zeroPoint); it must be 0")
    }
  }
}

extension QuantizedMultiplier {
  /// Creates the fixed-point form of a factor that was computed in single precision.
  init(_ factor: Float) { self.init(Double(factor)) }
}
