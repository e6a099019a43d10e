import SwiftletEngine
import SwiftletKernels

/// Sums and differences of quantised tensors whose scales differ.
enum QuantizedAddition {
  /// - Parameters:
  ///   - sign: 1 for a sum, -1 for a difference.
  ///   - prefersPowersOfTwo: whether int16 tensors whose scales are powers of two are shifted instead of multiplied.
  static func prepare<Code: QuantizedCode>(
    _ context: PrepareContext, _ type: Code.Type, sign: Int32, activation: FusedActivation, prefersPowersOfTwo: Bool
  ) throws -> PreparedOperator {
    let node = context.node
    let left = try node.quantization(ofInput: 0, type)
    let right = try node.quantization(ofInput: 1, type)
    let output = try node.quantization(ofOutput: 0, type)
    let range = OutputRange(output, activation, type)
    if Code.self == Int16.self, prefersPowersOfTwo,
      let shifts = ShiftedSum.shifts(left: left.scale, right: right.scale, output: output.scale)
    {
      return try .binary(
        context, ShiftedSum(leftShift: shifts.left, rightShift: shifts.right, sign: sign, range: range), cost: 1)
    }
    if context.options.numerics == .fast {
      guard Code.bitWidth == 8 else {
        return try .binary(
          context, FastSum<Code>(left: left, right: right, output: output, sign: Float(sign), range: range), cost: 0.5)
      }
      // XNNPACK refuses the same scales, and TensorFlow Lite then adds as the reference does.
      if let scales = ByteKernels.SumScales(
        left: left.scale / output.scale, right: right.scale / output.scale, isDifference: sign < 0)
      {
        let kernel = ByteKernel<Code>(
          context, .add(scales), leftZeroPoint: left.zeroPoint, rightZeroPoint: right.zeroPoint, range: range)
        return try .binary(context, kernel, cost: 0.1)
      }
    }
    let scales = SumScales(left: left.scale, right: right.scale, output: output.scale, isWide: Code.self == Int16.self)
    let leftTerm = ScaledTerm<Code>(
      multiplier: scales.left, zeroPoint: left.zeroPoint, headroom: scales.headroom, sign: 1)
    let rightTerm = ScaledTerm<Code>(
      multiplier: scales.right, zeroPoint: right.zeroPoint, headroom: scales.headroom, sign: sign)
    guard Code.bitWidth == 8 else {
      let sum = ExactSum<ScaledTerm<Code>>(left: leftTerm, right: rightTerm, multiplier: scales.output, range: range)
      return try .binary(context, sum, cost: 8)
    }
    let sum = ExactSum<LookupTable<Code, Int32>>(
      left: LookupTable { leftTerm($0) }, right: LookupTable { rightTerm($0) }, multiplier: scales.output, range: range)
    return try oneCode(context, sum) ?? .binary(context, sum, cost: 4)
  }

  /// The sum as a table, where one operand is a constant that holds the same code everywhere.
  private static func oneCode<Function: BinaryFunction>(
    _ context: PrepareContext, _ sum: Function
  ) throws -> PreparedOperator?
  where Function.Left: QuantizedCode, Function.Right == Function.Left, Function.Result == Function.Left {
    typealias Code = Function.Left
    let node = context.node, kernels = context.kernels.bytes
    for constant in 0...1 {
      guard node.isConstant(constant), try node.input(1 - constant).shape == node.output(0).shape,
        let bytes = node.constant(constant), let first = bytes.first, bytes.allSatisfy({ $0 == first })
      else { continue }
      let code = Code(truncatingIfNeeded: first)
      let table = LookupTable<Code, Code> { constant == 0 ? sum(code, $0) : sum($0, code) }
      let source = try context.inputSlot(1 - constant), destination = try context.outputSlot(0)
      return PreparedOperator(items: try node.output(0).shape.elementCount, cost: 0.05) { run, range in
        table.apply(
          kernels, count: range.count, from: UnsafePointer(run.pointer(source, as: Code.self)) + range.lowerBound,
          to: run.pointer(destination, as: Code.self) + range.lowerBound)
      }
    }
    return nil
  }
}

/// The multipliers of the reference: both inputs are brought to twice the larger scale with room for a fraction, then
/// to the output's scale.
struct SumScales: Sendable {
  let headroom: Int32
  let left: QuantizedMultiplier
  let right: QuantizedMultiplier
  let output: QuantizedMultiplier

  init(left: Float, right: Float, output: Float, isWide: Bool) {
    headroom = isWide ? 15 : 20
    let common = Double(2 * max(left, right))
    self.left = QuantizedMultiplier(Double(left) / common)
    self.right = QuantizedMultiplier(Double(right) / common)
    self.output = QuantizedMultiplier(common / Double(Float(sign: .plus, exponent: Int(headroom), significand: output)))
  }
}

/// One input of a sum, brought to the common scale.
private struct ScaledTerm<Code: QuantizedCode>: UnaryFunction {
  let multiplier: QuantizedMultiplier
  let zeroPoint: Int32
  let headroom: Int32
  let sign: Int32

  @inline(__always)
  func callAsFunction(_ input: Code) -> Int32 {
    sign &* multiplier.apply((Int32(input) &- zeroPoint) &<< headroom)
  }
}

/// The reference's fixed-point sum.
private struct ExactSum<Term: UnaryFunction>: BinaryFunction where Term.Input: QuantizedCode, Term.Result == Int32 {
  let left: Term
  let right: Term
  let multiplier: QuantizedMultiplier
  let range: OutputRange

  @inline(__always)
  func callAsFunction(_ left: Term.Input, _ right: Term.Input) -> Term.Input {
    range.code(multiplier.apply(self.left(left) &+ self.right(right)))
  }
}

/// The same in floating point, for int16.
private struct FastSum<Code: QuantizedCode>: BinaryFunction {
  private let leftFactor: Float
  private let rightFactor: Float
  private let offset: Float
  private let range: OutputRange

  init(
    left: TensorQuantization, right: TensorQuantization, output: TensorQuantization, sign: Float, range: OutputRange
  ) {
    leftFactor = left.scale / output.scale
    rightFactor = sign * right.scale / output.scale
    offset =
      Float(output.zeroPoint) - Float(left.zeroPoint) * leftFactor - Float(right.zeroPoint) * rightFactor
    self.range = range
  }

  @inline(__always)
  func callAsFunction(_ left: Code, _ right: Code) -> Code {
    range.code(rounding: Float(Int32(left)) * leftFactor + (Float(Int32(right)) * rightFactor + offset))
  }
}

/// Sums of int16 tensors whose scales are powers of two: one input keeps its codes, the other is shifted.
private struct ShiftedSum: BinaryFunction {
  let leftShift: Int32
  let rightShift: Int32
  let sign: Int32
  let range: OutputRange

  /// How far each input is shifted right, or `nil` when the scales are not such powers of two.
  static func shifts(left: Float, right: Float, output: Float) -> (left: Int32, right: Int32)? {
    guard let left = left.exponentOfTwo, let right = right.exponentOfTwo, let output = output.exponentOfTwo else {
      return nil
    }
    let shifts = (left: output - left, right: output - right)
    guard shifts.left == 0 || shifts.right == 0, shifts.left >= 0, shifts.right >= 0 else { return nil }
    return shifts
  }

  @inline(__always)
  func callAsFunction(_ left: Int16, _ right: Int16) -> Int16 {
    let first = FixedPoint.roundingDivide(Int32(left), byPowerOfTwo: leftShift)
    let second = FixedPoint.roundingDivide(Int32(right), byPowerOfTwo: rightShift)
    return range.code(first &+ sign &* second)
  }
}
