internal import SwiftletKernelsX86

/// Functions of quantised tensors, byte by byte.
///
/// - Types: int8 or uint8, one of them throughout a call.
/// - Thread safety: callable concurrently on disjoint outputs.
package struct ByteKernels: Sendable {
  typealias Binary =
    @convention(c) (
      Int32, Int32, Int, Int, UnsafeRawPointer, Int, Int32, Float, UnsafeRawPointer, Int, Int32, Float, Int32,
      UnsafeMutableRawPointer, Int, Int32, Int32, Int32
    ) -> Void
  typealias LookUp =
    @convention(c) (Int, UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Void

  let binary: Binary
  let lookUpBytes: LookUp

  /// One operand of `combine`: rows `stride` bytes apart, or one byte per row where the form says so.
  package struct Operand {
    package var pointer: UnsafeRawPointer
    package var stride: Int
    package var zeroPoint: Int32
    /// Its scale divided by the output's.
    package var scale: Float

    package init(pointer: UnsafeRawPointer, stride: Int, zeroPoint: Int32, scale: Float) {
      self.pointer = pointer
      self.stride = stride
      self.zeroPoint = zeroPoint
      self.scale = scale
    }
  }

  /// `output[r, c] = clamp(zeroPoint + round((left - leftZero) * leftScale + (right - rightZero) * rightScale))` in float,
  /// ties to even: at most one step from the reference's fixed-point addition. For a difference give `right` a negative
  /// scale.
  ///
  /// - Parameters:
  ///   - output: may be an operand of the form `vectors` with the same stride.
  ///   - zeroPoint, lower, upper: of the output, in its own range.
  package func add(
    form: ElementwiseKernels.BinaryForm, rows: Int, columns: Int, left: Operand, right: Operand, isSigned: Bool,
    output: UnsafeMutableRawPointer, outputStride: Int, zeroPoint: Int32, lower: Int32, upper: Int32
  ) {
    binary(
      0, form.rawValue, rows, columns, left.pointer, left.stride, left.zeroPoint, left.scale, right.pointer,
      right.stride, right.zeroPoint, right.scale, isSigned ? 1 : 0, output, outputStride, zeroPoint, lower, upper)
  }

  /// `output[r, c] = clamp(zeroPoint + round((left - leftZero) * (right - rightZero) * scale))`, the same way. `scale` is the
  /// product of the operands' scales divided by the output's; the operands' own `scale` is without meaning.
  package func multiply(
    form: ElementwiseKernels.BinaryForm, rows: Int, columns: Int, left: Operand, right: Operand, scale: Float,
    isSigned: Bool, output: UnsafeMutableRawPointer, outputStride: Int, zeroPoint: Int32, lower: Int32, upper: Int32
  ) {
    binary(
      1, form.rawValue, rows, columns, left.pointer, left.stride, left.zeroPoint, scale, right.pointer, right.stride,
      right.zeroPoint, 0, isSigned ? 1 : 0, output, outputStride, zeroPoint, lower, upper)
  }

  /// `output[i] = table[input[i]]` for any function of a byte; int8 values index the table by their bit pattern.
  /// `output` may be `input`.
  ///
  /// - Parameter table: 256 entries.
  package func lookUp(
    count: Int, table: UnsafePointer<UInt8>, input: UnsafePointer<UInt8>, output: UnsafeMutablePointer<UInt8>
  ) {
    lookUpBytes(count, table, input, output)
  }
}

extension ByteKernels {
  static let portable = ByteKernels(binary: binaryBytesEntryPoint, lookUpBytes: lookUpEntryPoint)

  #if arch(x86_64) && os(Linux)
    static let avx2 = ByteKernels(binary: swiftlet_avx2_binary_u8, lookUpBytes: swiftlet_avx2_look_up_8)
    static let avx512 = ByteKernels(binary: swiftlet_avx512_binary_u8, lookUpBytes: swiftlet_avx512_look_up_8)
  #endif
}
