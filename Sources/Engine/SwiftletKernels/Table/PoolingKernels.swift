internal import SwiftletKernelSets

/// Pooling of one NHWC image over windows; what lies outside the image does not count.
///
/// - Types: float32, int8, uint8; output as input.
/// - Thread safety: callable concurrently on disjoint rows or channels, without effect on the results.
package struct PoolingKernels: Sendable {
  typealias Float32 =
    @convention(c) (
      Int32, UnsafeRawPointer, Int, Int, UnsafePointer<Float>, UnsafeMutablePointer<Float>, Float, Float
    ) -> Void
  typealias Bytes =
    @convention(c) (
      Int32, UnsafeRawPointer, Int, Int, UnsafeRawPointer, Int32, UnsafeMutableRawPointer, Int32, Int
    ) -> Void

  let float32: Float32
  let bytes: Bytes

  package enum Kind: Int32, Sendable {
    /// NaN elements are passed over.
    case maximum = 0
    /// Sum in row order divided by the number of elements inside the image. Of bytes rounded half away from zero,
    /// exactly, for windows of up to 65536 elements.
    case average = 1
  }

  /// Output rows `rows` of a float32 image.
  ///
  /// - Parameters:
  ///   - geometry: As of a depthwise convolution; `tapStride` is without meaning.
  ///   - input, output: the first pixel of the image; they must not overlap.
  package func pool(
    _ kind: Kind, _ geometry: DepthwiseGeometry, rows: Range<Int>, input: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, lower: Float, upper: Float
  ) {
    withUnsafePointer(to: geometry) {
      float32(kind.rawValue, $0, rows.lowerBound, rows.upperBound, input, output, lower, upper)
    }
  }

  /// The same of an int8 or uint8 image; `lower` and `upper` in its own range.
  package func pool(
    _ kind: Kind, _ geometry: DepthwiseGeometry, rows: Range<Int>, bytes input: UnsafeRawPointer, isSigned: Bool,
    output: UnsafeMutableRawPointer, lower: Int32, upper: Int32
  ) {
    withUnsafePointer(to: geometry) {
      bytes(
        kind.rawValue, $0, rows.lowerBound, rows.upperBound, input, isSigned ? 1 : 0, output, lower, Int(upper))
    }
  }
}

extension PoolingKernels {
  init(_ set: swiftlet_kernel_set) {
    self.init(float32: set.pool_f32, bytes: set.pool_u8)
  }
}
