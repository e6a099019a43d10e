internal import SwiftletKernelSets

/// Pooling of one NHWC image over windows. Elements outside the image are ignored.
///
/// - Types: float32, int8, or uint8. The output has the input's type.
/// - Thread safety: callable concurrently on disjoint rows or channels, without effect on the results.
package struct PoolingKernels: Sendable {
  let set: EntryPoints<swiftlet_kernel_set>

  package enum Kind: Int32, Sendable {
    /// The maximum. NaN elements are ignored.
    case maximum = 0
    /// The sum in row order, divided by the number of elements inside the image. For integers, the result is exact,
    /// rounded half away from zero, for windows of up to 65536 elements.
    case average = 1
  }

  /// Computes output rows `rows` of a float32 image.
  ///
  /// - Parameters:
  ///   - geometry: The geometry, as for a depthwise convolution. `tapStride` is unused.
  ///   - input, output: The first pixels of the images, which must not overlap.
  package func pool(
    _ kind: Kind, _ geometry: DepthwiseGeometry, rows: Range<Int>, input: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, lower: Float, upper: Float
  ) {
    withUnsafePointer(to: geometry) {
      set.call.pool_f32(kind.rawValue, $0, rows.lowerBound, rows.upperBound, input, output, lower, upper)
    }
  }

  /// Computes output rows `rows` of an int8 or uint8 image. `lower` and `upper` are in its own range.
  package func pool(
    _ kind: Kind, _ geometry: DepthwiseGeometry, rows: Range<Int>, bytes input: UnsafeRawPointer, isSigned: Bool,
    output: UnsafeMutableRawPointer, lower: Int32, upper: Int32
  ) {
    withUnsafePointer(to: geometry) {
      set.call.pool_u8(
        kind.rawValue, $0, rows.lowerBound, rows.upperBound, input, isSigned ? 1 : 0, output, lower, Int(upper))
    }
  }
}
