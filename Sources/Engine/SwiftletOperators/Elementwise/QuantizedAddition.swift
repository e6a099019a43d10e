import SwiftletEngine
import SwiftletBase
import SwiftletKernels
import SwiftletSchema

/// Sums and differences of quantized tensors with different scales.
enum QuantizedAddition {
  /// Prepares the operator.
  ///
  /// - Parameters:
  ///   - sign: 1 for a sum, -1 for a difference.
  ///   - prefersPowersOfTwo: Whether int16 tensors whose scales are powers of two are shifted instead of multiplied.
  static func prepare(
    _ context: PrepareContext, _ type: QuantizedType, sign: Int32, activation: FusedActivation, prefersPowersOfTwo: Bool
  ) throws -> PreparedOperator {
    let node = context.node
    let left = try node.quantization(ofInput: 0, type)
    let right = try node.quantization(ofInput: 1, type)
    let output = try node.quantization(ofOutput: 0, type)
    let range = OutputRange(output, activation, type)
    if type == .int16, prefersPowersOfTwo,
      let shifts = ShiftedSum.shifts(left: left.scale, right: right.scale, output: output.scale)
    {
      return try .binary(
        context, ShiftedSum(leftShift: shifts.left, rightShift: shifts.right, sign: sign, range: range), cost: 1)
    }
    if context.options.numerics == .fast {
      guard type != .int16 else {
        let leftFactor = left.scale / output.scale, rightFactor = Float(sign) * right.scale / output.scale
        let offset =
          Float(output.zeroPoint) - Float(left.zeroPoint) * leftFactor - Float(right.zeroPoint) * rightFactor
        return try .binary(
          context, Int16Kernel(context, .sum, leftFactor, rightFactor, offset, range: range), cost: 0.15)
      }
      // XNNPACK rejects the same scales, and TensorFlow Lite then falls back to the reference's addition.
      if let scales = ByteKernels.SumScales(
        left: left.scale / output.scale, right: right.scale / output.scale, isDifference: sign < 0)
      {
        let kernel = ByteKernel(
          context, type, .add(scales), leftZeroPoint: left.zeroPoint, rightZeroPoint: right.zeroPoint, range: range)
        return try .binary(context, kernel, cost: 0.1)
      }
    }
    let scales = SumScales(left: left.scale, right: right.scale, output: output.scale, isWide: type == .int16)
    let leftTerm = ScaledTerm(
      multiplier: scales.left, zeroPoint: left.zeroPoint, headroom: scales.headroom, sign: 1)
    let rightTerm = ScaledTerm(
      multiplier: scales.right, zeroPoint: right.zeroPoint, headroom: scales.headroom, sign: sign)
    guard type != .int16 else {
      let sum = ExactSum(left: leftTerm, right: rightTerm, multiplier: scales.output, range: range)
      return try .binary(context, .quantized(type, sum), cost: 8)
    }
    func table(_ term: ScaledTerm) -> UnaryLoop {
      ByteTable(isSigned: type.isSigned, resultBytes: 4, term).loop(context.kernels.bytes)
    }
    let kernel = BinaryRowKernel(
      left: table(leftTerm), right: table(rightTerm), ScaledSum(multiplier: scales.output, range: range).rowKernel,
      result: .narrowing(type.elementType))
    return try oneQuantized(context, kernel) ?? .binary(context, kernel, cost: 4)
  }

  /// Returns the operator as a lookup table if one operand is a constant with the same quantized value everywhere.
  private static func oneQuantized(_ context: PrepareContext, _ kernel: BinaryRowKernel) throws -> PreparedOperator? {
    let node = context.node
    for constant in 0...1 {
      guard node.isConstant(constant), try node.input(1 - constant).shape == node.output(0).shape,
        let bytes = node.constant(constant), let first = bytes.first, bytes.allSatisfy({ $0 == first })
      else { continue }
      let table = ByteTable(kernel.binding(constant == 0 ? .leftScalar : .rightScalar, to: first))
        .loop(context.kernels.bytes)
      context.uses("table of 256 values")
      let source = try context.inputSlot(1 - constant), destination = try context.outputSlot(0)
      return PreparedOperator(items: try node.output(0).shape.elementCount, cost: 0.05) { run, range in
        table.run(run.pointer(source) + range.lowerBound, run.pointer(destination) + range.lowerBound, range.count)
      }
    }
    return nil
  }
}

extension BinaryRowKernel {
  /// Returns the int8 or uint8 kernel with a fixed quantized value for one operand.
  fileprivate func binding(_ form: BinaryForm, to quantized: UInt8) -> UnaryLoop {
    UnaryLoop(inputBytes: 1, resultBytes: sizes.result) { input, result, count in
      let scratch = AlignedBytes(zeroed: scratchBytes)
      withUnsafeBytes(of: quantized) { quantized in
        guard let quantized = quantized.baseAddress else { return }
        run(
          BinaryRows(
            left: form == .leftScalar ? quantized : input, right: form == .leftScalar ? input : quantized,
            result: result,
            columns: count, rows: 1, leftStride: 0, rightStride: 0, form: form), scratch.start)
      }
    }
  }
}

/// The multipliers of the reference. Both inputs are converted to twice the larger scale with fraction bits, and then
/// to the output scale.
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

/// An input of a sum, converted to the common scale.
private struct ScaledTerm: UnaryFunction {
  let multiplier: QuantizedMultiplier
  let zeroPoint: Int32
  let headroom: Int32
  let sign: Int32

  @inline(__always)
  func callAsFunction(_ input: Int32) -> Int32 {
    sign &* multiplier.apply((input &- zeroPoint) &<< headroom)
  }
}

/// The reference's fixed-point sum.
private struct ExactSum: BinaryFunction {
  let left: ScaledTerm
  let right: ScaledTerm
  let multiplier: QuantizedMultiplier
  let range: OutputRange

  @inline(__always)
  func callAsFunction(_ left: Int32, _ right: Int32) -> Int32 {
    range.quantized(multiplier.apply(self.left(left) &+ self.right(right)))
  }
}

/// The fixed-point sum of terms that were looked up in tables.
private struct ScaledSum: BinaryFunction {
  let multiplier: QuantizedMultiplier
  let range: OutputRange

  @inline(__always)
  func callAsFunction(_ left: Int32, _ right: Int32) -> Int32 { range.quantized(multiplier.apply(left &+ right)) }
}

/// The sum of int16 tensors whose scales are powers of two. One input keeps its quantized values, and the other is
/// shifted.
private struct ShiftedSum: BinaryFunction {
  let leftShift: Int32
  let rightShift: Int32
  let sign: Int32
  let range: OutputRange

  /// Returns the right shift of each input, or `nil` if the scales aren't such powers of two.
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
    return range.quantized(first &+ sign &* second)
  }
}
