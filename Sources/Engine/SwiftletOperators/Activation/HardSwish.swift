import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// HARD_SWISH: `x × min(max(x + 3, 0), 6) / 6`.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32; int8, uint8 quantized.
/// - Source: operator 117 of the model format.
struct HardSwishOperator: PlainUnaryOperator, EpilogueOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .hardSwish, versions: 1...1, floatError: 1e-6, types: .uniform([.float32, .int8, .uint8]))
  }

  func epilogueStep(_ node: NodeView, ofInput index: Int) -> EpilogueStep? {
    .unary(UnaryFloatKernel(operation: .hardSwish))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    guard let type = QuantizedType(try context.node.input(0).elementType) else {
      return try .floatingPoint(context, HardSwish(), cost: 0.25)
    }
    return try prepareQuantized(context, type)
  }

  private func prepareQuantized(_ context: PrepareContext, _ type: QuantizedType) throws -> PreparedOperator {
    let node = context.node
    let function = QuantizedHardSwish(
      input: try node.quantization(ofInput: 0, type), output: try node.quantization(ofOutput: 0, type), type)
    guard function.output.shift <= 0 else {
      throw node.invalid("output \(try node.output(0)) has a scale too small for input \(try node.input(0))")
    }
    return try .quantized(context, type, function, cost: 5)
  }
}

private struct HardSwish: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .hardSwish) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float {
    let shifted = input + 3
    let raised = shifted < 0 ? 0 : shifted
    return input * (raised > 6 ? 6 : raised) / 6
  }
}

/// The reference's 16-bit arithmetic: the input at 128 times its resolution, once in output units and once clamped to a
/// fraction of 2¹⁵.
private struct QuantizedHardSwish: UnaryFunction {
  struct ShortMultiplier: Sendable {
    let multiplier: Int16
    let shift: Int32

    init(_ factor: Float) {
      let full = QuantizedMultiplier(factor)
      multiplier =
        full.multiplier >= Int32.max - (1 << 15) ? .max : Int16(clamping: (full.multiplier + (1 << 15)) >> 16)
      shift = full.shift
    }
  }

  let output: ShortMultiplier
  private let gate: ShortMultiplier
  private let inputZeroPoint: Int32
  private let range: OutputRange

  init(input: TensorQuantization, output: TensorQuantization, _ type: QuantizedType) {
    let fineScale = (1 / Float(128)) * input.scale
    self.output = ShortMultiplier(fineScale / output.scale)
    gate = ShortMultiplier(fineScale / (3 / Float(32768)))
    inputZeroPoint = input.zeroPoint
    range = OutputRange(output, type)
  }

  func callAsFunction(_ input: Int32) -> Int32 {
    let fine = Int16(truncatingIfNeeded: (input &- inputZeroPoint) &<< 7)
    let scaled: Int16 = FixedPoint.saturatingRoundingDoublingHighMultiply(fine, output.multiplier)
    // The high product is truncated here, unlike everywhere else.
    let product = Int32(share(fine)) &* Int32(scaled) / (1 << 15)
    let shifted = FixedPoint.roundingDivide(product, byPowerOfTwo: 0 &- output.shift)
    let sum = Int16(truncatingIfNeeded: shifted &+ range.zeroPoint)
    return min(max(Int32(sum), range.lower), range.upper)
  }

  /// Returns `(x + 3) / 6`, clamped to 0…1, in units of 2⁻¹⁵.
  private func share(_ fine: Int16) -> Int16 {
    var value = fine
    if gate.shift > 0 { value = Self.saturatingShift(value, by: gate.shift &- 1) }
    value = FixedPoint.saturatingRoundingDoublingHighMultiply(value, gate.multiplier)
    if gate.shift > 0 { value = Self.saturatingShift(value, by: 1) }
    if gate.shift < 0 {
      value = Int16(truncatingIfNeeded: FixedPoint.roundingDivide(Int32(value), byPowerOfTwo: 0 &- gate.shift))
    }
    return Int16(truncatingIfNeeded: (Int32(value) &+ (1 << 15)) >> 1)
  }

  private static func saturatingShift(_ value: Int16, by amount: Int32) -> Int16 {
    Int16(clamping: Int64(value) << Int64(min(amount, 31)))
  }
}
