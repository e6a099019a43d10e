internal import SwiftletKernelSets

/// The transforms of Winograd's minimal filtering F(4×4, 3×3): a 3×3 convolution of stride 1 becomes 36 matrix products
/// with a quarter of its multiplications.
///
/// A tile has 4×4 outputs, computed from 6×6 inputs. Frequency `6 * i + j` of a tile is the sum over channels of the
/// products of the tile's and the filter's frequencies, which `GemmKernels.multiplyRows` computes for many tiles at
/// once.
///
/// - Types: float32.
/// - Source: Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2015, with the points 0, ±1, ±2, and
///   infinity.
/// - Thread safety: callable concurrently on disjoint outputs.
package struct WinogradKernels: Sendable {
  let set: EntryPoints<swiftlet_kernel_set>

  /// The number of outputs along a side of a tile.
  package static let tileOutputs = 4
  package static let tileInputs = 6
  package static let frequencies = 36
  /// The scratch memory of the calls below in bytes: 36 of the widest vectors.
  package static let scratchBytes = 36 * 64

  /// Computes the frequencies of 6×6 pixels.
  ///
  /// - Parameters:
  ///   - rowStride, pixelStride: The number of floats between two adjacent rows of pixels, and between two adjacent
  ///     pixels.
  ///   - output: The frequencies, `channels` floats each, `planeStride` floats apart.
  package func transformInput(
    channels: Int, input pixels: UnsafePointer<Float>, rowStride: Int, pixelStride: Int,
    scratch: UnsafeMutableRawPointer, output: UnsafeMutablePointer<Float>, planeStride: Int
  ) {
    set.call.winograd_input_f32(channels, pixels, rowStride, pixelStride, scratch, output, planeStride)
  }

  /// Computes `rows` × `columns` (1 to 4 each) of a tile's outputs from its frequencies, with biases, clamped.
  package func transformOutput(
    channels: Int, input: UnsafePointer<Float>, planeStride: Int, bias: UnsafePointer<Float>?, lower: Float,
    upper: Float, scratch: UnsafeMutableRawPointer, output pixels: UnsafeMutablePointer<Float>, rowStride: Int,
    pixelStride: Int, rows: Int, columns: Int
  ) {
    set.call.winograd_output_f32(
      channels, input, planeStride, bias, lower, upper, scratch, pixels, rowStride, pixelStride, rows, columns)
  }

  /// Returns the filter transform for one of 36 frequencies: the factors of the nine weights of a 3×3 filter, row by
  /// row.
  package static func filterFactors(frequency: Int) -> [Float] {
    let row = filterTransform[frequency / tileInputs], column = filterTransform[frequency % tileInputs]
    return row.flatMap { first in column.map { Float(first * $0) } }
  }

  private static let filterTransform: [[Double]] = [
    [1.0 / 4, 0, 0], [-1.0 / 6, -1.0 / 6, -1.0 / 6], [-1.0 / 6, 1.0 / 6, -1.0 / 6], [1.0 / 24, 1.0 / 12, 1.0 / 6],
    [1.0 / 24, -1.0 / 12, 1.0 / 6], [0, 0, 1],
  ]
}
