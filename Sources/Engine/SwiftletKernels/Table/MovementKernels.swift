internal import SwiftletKernelSets

/// Data movement independent of element values.
///
/// - Thread safety: callable concurrently on disjoint outputs.
package struct MovementKernels: Sendable {
  let set: EntryPoints<swiftlet_kernel_set>

  /// Computes `output[c * outputStride + r] = input[r * inputStride + c]` for any 32-bit elements. They must not
  /// overlap.
  package func transpose(
    rows: Int, columns: Int, input: UnsafePointer<UInt32>, inputStride: Int, output: UnsafeMutablePointer<UInt32>,
    outputStride: Int
  ) {
    set.call.transpose_32(rows, columns, input, inputStride, output, outputStride)
  }

  /// Transposes a matrix of bytes, like the 32-bit version.
  package func transpose(
    rows: Int, columns: Int, input: UnsafePointer<UInt8>, inputStride: Int, output: UnsafeMutablePointer<UInt8>,
    outputStride: Int
  ) {
    set.call.transpose_8(rows, columns, input, inputStride, output, outputStride)
  }

  /// Stores the bits of `value` `count` times.
  package func fill(count: Int, with value: Int32, output: UnsafeMutablePointer<Int32>) {
    set.call.fill_32(count, value, output)
  }

  /// Copies `count` pixels of three bytes to pixels of four bytes, the last of which is `filler`. Quantized
  /// convolutions read three channels fastest in this form, with a weight of zero, or with the input's zero point as
  /// filler.
  package func padPixels(
    count: Int, input: UnsafeRawPointer, filler: UInt8, output: UnsafeMutablePointer<UInt32>
  ) {
    set.call.pad_pixels_8(count, input, filler, output)
  }
}
