import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// SQUARE: `x × x`.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32.
/// - Source: operator 92 of the model format.
struct SquareOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.square, versions: 1...1, types: .uniform([.float32]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .floatingPoint(context, Function(), cost: 0.25)
  }

  private struct Function: FloatFunction {
    var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .square) }

    @inline(__always)
    func callAsFunction(_ input: Float) -> Float { input * input }
  }
}

/// SQRT: the square root.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32; int8, int16 quantized. Negative quantized input is an error of the run.
/// - Source: operator 75 of the model format. Quantized results are truncated, not rounded. In fast numerics, float32
///   results are bit-exact with XNNPACK on x86-64, which doesn't round correctly.
struct SquareRootOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.sqrt, versions: 1...2, floatError: 1e-6, types: .uniform([.float32, .int8, .int16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8: try prepareQuantized(context, Int8.self)
    case .int16: try prepareQuantized(context, Int16.self)
    default: try .floatingPoint(context, SquareRoot(), cost: 0.4)
    }
  }

  private func prepareQuantized<Quantized: QuantizedValue>(
    _ context: PrepareContext, _ type: Quantized.Type
  ) throws -> PreparedOperator {
    let input = try context.node.quantization(ofInput: 0, type, isSymmetric: false)
    let output = try context.node.quantization(ofOutput: 0, type, isSymmetric: false)
    let root = QuantizedSquareRoot<Quantized>(input: input, output: output)
    return try .nonNegativeQuantized(context, root, zeroPoint: input.zeroPoint, cost: 4)
  }
}

private struct SquareRoot: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .squareRoot) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { input.squareRoot() }
}

private struct QuantizedSquareRoot<Quantized: QuantizedValue>: UnaryFunction {
  let input: TensorQuantization
  let output: TensorQuantization

  func callAsFunction(_ quantized: Quantized) -> Quantized {
    let real = max(0, input.scale * Float(Int32(quantized) &- input.zeroPoint))
    let steps = Int32(saturating: real.squareRoot() / output.scale)
    return Quantized(clamping: Int64(steps) + Int64(output.zeroPoint))
  }
}

/// RSQRT: `1 / √x`.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32; int8, int16 quantized. In quantized tensors, zero results in the largest output, and negative
///   input is an error of the run.
/// - Source: operator 76 of the model format: int8 in fixed point, int16 with an interpolation table. In fast numerics,
///   float32 results are bit-exact with XNNPACK on x86-64, which doesn't round correctly.
struct ReciprocalSquareRootOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.rsqrt, versions: 1...3, floatError: 1e-6, types: .uniform([.float32, .int8, .int16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    switch try node.input(0).elementType {
    case .int8:
      let input = try node.quantization(ofInput: 0, Int8.self)
      let output = try node.quantization(ofOutput: 0, Int8.self)
      let function = FixedPointRoot(input: input, output: output)
      return try .nonNegativeQuantized(context, function, zeroPoint: input.zeroPoint, cost: 0)
    case .int16:
      let output = try node.quantization(ofOutput: 0, Int16.self)
      let table = InterpolationTable(input: try node.quantization(ofInput: 0, Int16.self), output: output) {
        $0 <= 0 ? Float(Int16.max) * output.scale : 1 / $0.squareRoot()
      }
      return try .nonNegativeQuantized(context, table, zeroPoint: 0, cost: 2)
    default: return try .floatingPoint(context, ReciprocalRoot(), cost: 0.6)
    }
  }
}

private struct ReciprocalRoot: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .reciprocalSquareRoot) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { 1 / input.squareRoot() }
}

private struct FixedPointRoot: UnaryFunction {
  private let multiplier: QuantizedMultiplier
  private let inputZeroPoint: Int32
  private let range: OutputRange
  /// The number of fraction bits in the root of a quantized value.
  private static let fractionBits: Int32 = 20

  init(input: TensorQuantization, output: TensorQuantization) {
    // The product is rounded to single precision before the division, as in the reference.
    var multiplier = QuantizedMultiplier(1 / Double(input.scale.squareRoot() * output.scale))
    multiplier.shift -= Self.fractionBits
    self.multiplier = multiplier
    inputZeroPoint = input.zeroPoint
    range = OutputRange(output, Int8.self)
  }

  func callAsFunction(_ input: Int8) -> Int8 {
    let value = Int32(input) &- inputZeroPoint
    guard value > 0 else { return .max }
    var root = QuantizedMultiplier(reciprocalSquareRootOf: value)
    root.shift += Self.fractionBits
    return range.quantized(multiplier.apply(root.apply(Int32(1))))
  }
}
