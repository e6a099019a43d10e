internal import SwiftletKernelSets

/// Data movement independent of element values.
///
/// - Thread safety: callable concurrently on disjoint outputs.
package struct MovementKernels: Sendable {
  typealias Transpose32 =
    @convention(c) (Int, Int, UnsafePointer<UInt32>, Int, UnsafeMutablePointer<UInt32>, Int) -> Void
  typealias Transpose8 =
    @convention(c) (Int, Int, UnsafePointer<UInt8>, Int, UnsafeMutablePointer<UInt8>, Int) -> Void
  typealias Fill32 = @convention(c) (Int, Int32, UnsafeMutablePointer<Int32>) -> Void
  typealias PadPixels = @convention(c) (Int, UnsafeRawPointer, UInt8, UnsafeMutablePointer<UInt32>) -> Void

  let transpose32: Transpose32
  let transpose8: Transpose8
  let fill32: Fill32
  let padPixels: PadPixels

  /// Computes `output[c * outputStride + r] = input[r * inputStride + c]` for any 32-bit elements. They must not
  /// overlap.
  package func transpose(
    rows: Int, columns: Int, input: UnsafePointer<UInt32>, inputStride: Int, output: UnsafeMutablePointer<UInt32>,
    outputStride: Int
  ) {
    transpose32(rows, columns, input, inputStride, output, outputStride)
  }

  /// Transposes a matrix of bytes, like the 32-bit version.
  package func transpose(
    rows: Int, columns: Int, input: UnsafePointer<UInt8>, inputStride: Int, output: UnsafeMutablePointer<UInt8>,
    outputStride: Int
  ) {
    transpose8(rows, columns, input, inputStride, output, outputStride)
  }

  /// Stores the bits of `value` `count` times.
  package func fill(count: Int, with value: Int32, output: UnsafeMutablePointer<Int32>) {
    fill32(count, value, output)
  }

  /// Copies `count` pixels of three bytes to pixels of four bytes, the last of which is `filler`. Quantized
  /// convolutions read three channels fastest in this form, with a weight of zero, or with the input's zero point as
  /// filler.
  package func padPixels(
    count: Int, input: UnsafeRawPointer, filler: UInt8, output: UnsafeMutablePointer<UInt32>
  ) {
    padPixels(count, input, filler, output)
  }
}

extension MovementKernels {
  init(_ set: swiftlet_kernel_set) {
    self.init(
      transpose32: set.transpose_32, transpose8: set.transpose_8, fill32: set.fill_32, padPixels: set.pad_pixels_8)
  }
}
