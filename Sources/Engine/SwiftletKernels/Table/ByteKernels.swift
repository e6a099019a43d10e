internal import SwiftletKernelSets

/// Elementwise functions of quantized tensors.
///
/// - Types: int8 or uint8, the same for all operands of a call.
/// - Thread safety: callable concurrently on disjoint outputs.
package struct ByteKernels: Sendable {
  let set: EntryPoints<swiftlet_kernel_set>

  /// An operand: rows that are `stride` bytes apart, or one byte per row, depending on the form.
  package struct Operand {
    package var pointer: UnsafeRawPointer
    package var stride: Int
    package var zeroPoint: Int32

    package init(pointer: UnsafeRawPointer, stride: Int, zeroPoint: Int32) {
      self.pointer = pointer
      self.stride = stride
      self.zeroPoint = zeroPoint
    }
  }

  /// The scales of the operands of a sum relative to the output scale: multipliers in units of 1/2^`shift`.
  package struct SumScales: Sendable, Hashable {
    package let left: Int32
    package let right: Int32
    /// The shift, 13 to 30.
    package let shift: Int32

    /// Creates multipliers, or returns `nil` if 32 bits can't hold every sum with the precision of the larger scale.
    /// Both ratios must be at least 2⁻¹⁰ and below 2⁸.
    ///
    /// - Parameters: The operands' scales divided by the output scale. `right` is negated for a difference.
    package init?(left: Float, right: Float, isDifference: Bool) {
      let range: Range<Float> = 0x1p-10..<0x1p8
      guard range.contains(left), range.contains(right) else { return nil }
      // The larger multiplier has 21 bits. A quantized value minus its zero point and the sum take nine more bits,
      // which leaves room for the sign.
      let shift = 20 - Int32(max(left, right).exponent)
      let unit = Float(sign: .plus, exponent: Int(shift), significand: 1)
      let rightMultiplier = Int32((right * unit).rounded(.toNearestOrEven))
      self.left = Int32((left * unit).rounded(.toNearestOrEven))
      self.right = isDifference ? -rightMultiplier : rightMultiplier
      self.shift = shift
    }
  }

  /// Computes `output[r, c] = clamp(zeroPoint + ((left - leftZero) * scales.left + (right - rightZero) * scales.right)
  /// / 2^shift)`, rounded half up.
  ///
  /// - Parameters:
  ///   - output: The output, which may be an operand of the form `vectors` with the same stride.
  ///   - zeroPoint, lower, upper: The zero point and bounds, in the output's own range.
  package func add(
    form: ElementwiseKernels.BinaryForm, rows: Int, columns: Int, left: Operand, right: Operand, scales: SumScales,
    isSigned: Bool, output: UnsafeMutableRawPointer, outputStride: Int, zeroPoint: Int32, lower: Int32, upper: Int32
  ) {
    set.call.add_u8(
      form.rawValue, rows, columns, left.pointer, left.stride, left.zeroPoint, scales.left, right.pointer, right.stride,
      Int(right.zeroPoint), Int(scales.right), Int(scales.shift), isSigned ? 1 : 0, output, outputStride,
      Int(zeroPoint), Int(lower), Int(upper))
  }

  /// Computes `output[r, c] = clamp(zeroPoint + (left - leftZero) * (right - rightZero) * factor)`. The product is
  /// rounded half to even.
  ///
  /// - Parameter factor: The product of the operands' scales divided by the output scale.
  package func multiply(
    form: ElementwiseKernels.BinaryForm, rows: Int, columns: Int, left: Operand, right: Operand, factor: Float,
    isSigned: Bool, output: UnsafeMutableRawPointer, outputStride: Int, zeroPoint: Int32, lower: Int32, upper: Int32
  ) {
    set.call.multiply_u8(
      form.rawValue, rows, columns, left.pointer, left.stride, left.zeroPoint, right.pointer, right.stride,
      Int(right.zeroPoint), factor, isSigned ? 1 : 0, output, outputStride, Int(zeroPoint), Int(lower), Int(upper))
  }

  /// Computes PRELU: `output[r, c] = clamp(zeroPoint + (x < 0 ? x * y * slopeFactor : x * factor))`, with `x = left -
  /// leftZero` and `y = right - rightZero`. The right operand contains the slopes. The product is rounded half to even.
  ///
  /// - Parameters: `factor` is the input scale divided by the output scale. `slopeFactor` is `factor` times the scale
  ///   of the slopes.
  package func parametricRelu(
    form: ElementwiseKernels.BinaryForm, rows: Int, columns: Int, left: Operand, right: Operand, factor: Float,
    slopeFactor: Float, isSigned: Bool, output: UnsafeMutableRawPointer, outputStride: Int, zeroPoint: Int32,
    lower: Int32, upper: Int32
  ) {
    set.call.parametric_relu_u8(
      form.rawValue, rows, columns, left.pointer, left.stride, left.zeroPoint, factor, right.pointer, right.stride,
      Int(right.zeroPoint), slopeFactor, isSigned ? 1 : 0, output, outputStride, Int(zeroPoint), Int(lower), Int(upper))
  }

  /// Computes `output[r, c] = max(left, right)` or `min`, independent of quantization parameters.
  ///
  /// - Parameter output: The output, which may be an operand of the form `vectors` with the same stride.
  package func extreme(
    isMaximum: Bool, form: ElementwiseKernels.BinaryForm, rows: Int, columns: Int, left: UnsafeRawPointer,
    leftStride: Int, right: UnsafeRawPointer, rightStride: Int, isSigned: Bool, output: UnsafeMutableRawPointer,
    outputStride: Int
  ) {
    set.call.extreme_u8(
      isMaximum ? 1 : 0, form.rawValue, rows, columns, left, leftStride, right, rightStride, isSigned ? 1 : 0, output,
      outputStride)
  }

  /// The maximum number of elements in a row for `positionsOfExtremes`.
  package static let maximumSearchedRow = 1 << 22

  /// Sets `output[r]` to the position of the largest (or smallest) element of row `r`, the first of equal ones.
  ///
  /// - Parameter columns: The number of elements in a row, 1 … `maximumSearchedRow`. Rows are contiguous.
  package func positionsOfExtremes(
    isMaximum: Bool, rows: Int, columns: Int, input: UnsafeRawPointer, isSigned: Bool,
    output: UnsafeMutablePointer<Int32>
  ) {
    set.call.arg_extreme_u8(isMaximum ? 1 : 0, rows, columns, input, isSigned ? 1 : 0, output)
  }

  /// Computes `output[i] = table[input[i]]` for any function of a byte. Int8 values index the table by their bit
  /// pattern. `output` may be `input`.
  ///
  /// - Parameter table: The table, with 256 entries.
  package func lookUp(
    count: Int, table: UnsafePointer<UInt8>, input: UnsafePointer<UInt8>, output: UnsafeMutablePointer<UInt8>
  ) {
    set.call.look_up_8(count, table, input, output)
  }
}
