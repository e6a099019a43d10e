internal import SwiftletKernelsX86

/// Depthwise convolution of one NHWC image, one filter per channel. A channel multiplier is the caller's business:
/// repeat the input channels first.
///
/// - Types: float32; int8 or uint8 input and weights.
/// - Source: one chain per output: start value, then the taps within the image in row order.
/// - Thread safety: callable concurrently on disjoint rows or channels. How they are shared out between calls does not
///   change a single bit of the result.
package struct DepthwiseKernels: Sendable {
  typealias Float32 =
    @convention(c) (
      UnsafeRawPointer, Int, Int, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>?,
      UnsafeMutablePointer<Float>, Float, Float
    ) -> Void
  typealias Bytes =
    @convention(c) (
      UnsafeRawPointer, Int, Int, UnsafeRawPointer, Int32, Int32, UnsafePointer<Float>, UnsafePointer<Int32>?,
      UnsafePointer<Float>?, UnsafeMutableRawPointer, Int32, Int32, Int32
    ) -> Void
  typealias Pack =
    @convention(c) (Int, UnsafeRawPointer, Int32, Int32, UnsafeMutablePointer<Float>) -> Void

  let float32: Float32
  let bytes: Bytes
  let pack: Pack

  /// Most taps (kernel height times width) for which the byte kernels are exact: products of 9-bit integers are summed in
  /// float.
  package static let maximumByteTaps = 256

  /// Output rows `rows` of a float32 convolution, fastest for kernels 3 and 5 wide.
  ///
  /// - Parameters:
  ///   - input: the image's first pixel, `[inputHeight, inputWidth, inputPixelStride]`.
  ///   - weights: `[kernelHeight, kernelWidth, tapStride]`, as in the model.
  ///   - bias: `channels` values, or nil for zeros.
  ///   - output: the output image's first pixel, also when `rows` starts later; must not overlap the input.
  ///   - lower, upper: activation bounds; NaN passes through.
  package func convolve(
    _ geometry: DepthwiseGeometry, rows: Range<Int>, input: UnsafePointer<Float>, weights: UnsafePointer<Float>,
    bias: UnsafePointer<Float>?, output: UnsafeMutablePointer<Float>, lower: Float, upper: Float
  ) {
    withUnsafePointer(to: geometry) {
      float32($0, rows.lowerBound, rows.upperBound, input, weights, bias, output, lower, upper)
    }
  }

  /// Turns `count` byte weights, as in the model, into what the byte convolutions take: floats, in the same order.
  package func packBytes(
    count: Int, weights: UnsafeRawPointer, weightsAreSigned: Bool, weightZeroPoint: Int32,
    into output: UnsafeMutablePointer<Float>
  ) {
    pack(count, weights, weightsAreSigned ? 1 : 0, weightZeroPoint, output)
  }

  /// `clamp(zeroPoint + round(accumulator * scale[c]), lower, upper)` in float, ties to even. At most
  /// `maximumByteTaps` taps.
  ///
  /// - Parameters:
  ///   - weights: from `packBytes`.
  ///   - bias, scales: `channels` values each; scale is input scale × weight scale / output scale.
  ///   - inputIsSigned: also whether the output is.
  ///   - zeroPoint, lower, upper: of the output, in its own range.
  package func convolveRequantizing(
    _ geometry: DepthwiseGeometry, rows: Range<Int>, input: UnsafeRawPointer, inputIsSigned: Bool,
    inputZeroPoint: Int32, weights: UnsafePointer<Float>, bias: UnsafePointer<Int32>?, scales: UnsafePointer<Float>,
    output: UnsafeMutableRawPointer, zeroPoint: Int32, lower: Int32, upper: Int32
  ) {
    withUnsafePointer(to: geometry) {
      bytes(
        $0, rows.lowerBound, rows.upperBound, input, inputIsSigned ? 1 : 0, inputZeroPoint, weights, bias, scales,
        output, zeroPoint, lower, upper)
    }
  }

  /// The accumulators themselves, for `QuantizationKernels.requantize`. At most `maximumByteTaps` taps.
  package func convolveAccumulating(
    _ geometry: DepthwiseGeometry, rows: Range<Int>, input: UnsafeRawPointer, inputIsSigned: Bool,
    inputZeroPoint: Int32, weights: UnsafePointer<Float>, bias: UnsafePointer<Int32>?,
    output: UnsafeMutablePointer<Int32>
  ) {
    withUnsafePointer(to: geometry) {
      bytes(
        $0, rows.lowerBound, rows.upperBound, input, inputIsSigned ? 1 : 0, inputZeroPoint, weights, bias, nil,
        output, 0, 0, 0)
    }
  }
}

extension DepthwiseKernels {
  static let portable = DepthwiseKernels(
    float32: depthwiseFloat32EntryPoint, bytes: depthwiseBytesEntryPoint, pack: packDepthwiseEntryPoint)

  #if arch(x86_64) && os(Linux)
    static let avx2 = DepthwiseKernels(
      float32: swiftlet_avx2_depthwise_f32, bytes: swiftlet_avx2_depthwise_u8, pack: swiftlet_avx2_pack_depthwise_u8)
    static let avx512 = DepthwiseKernels(
      float32: swiftlet_avx512_depthwise_f32, bytes: swiftlet_avx512_depthwise_u8,
      pack: swiftlet_avx512_pack_depthwise_u8)
  #endif
}
