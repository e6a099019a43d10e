internal import SwiftletKernelSets

/// Depthwise convolution of one NHWC image, one filter per channel. A channel multiplier is the caller's business:
/// repeat the input channels first.
///
/// - Types: float32; int8 or uint8 input and weights.
/// - Source: in float one chain per output: start value, then the taps within the image in row order; of bytes the
///   exact sum.
/// - Thread safety: callable concurrently on disjoint rows or channels. How they are shared out between calls does not
///   change a single bit of the result.
package struct DepthwiseKernels: Sendable {
  typealias Float32 =
    @convention(c) (
      UnsafeRawPointer, Int, Int, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>?,
      UnsafePointer<Float>?, UnsafeMutableRawPointer, UnsafeMutablePointer<Float>, Float, Float
    ) -> Void
  typealias Bytes =
    @convention(c) (
      UnsafeRawPointer, Int, Int, UnsafeRawPointer, Int32, Int32, UnsafeRawPointer, UnsafePointer<Int32>?,
      UnsafePointer<Float>?, UnsafeMutableRawPointer, Int, Int, Int, UnsafeMutableRawPointer
    ) -> Void

  typealias Streams =
    @convention(c) (
      UnsafeRawPointer, UnsafeRawPointer, Int, Int, UnsafeRawPointer, Int32, Int32, UnsafeRawPointer,
      UnsafePointer<Int32>?, UnsafePointer<Float>, UnsafeMutableRawPointer, Int, Int, Int, UnsafeMutableRawPointer
    ) -> Void

  let float32: Float32
  let bytes: Bytes
  let streams: Streams
  /// Channels of a vector.
  package let lanes: Int

  /// Returns whether the byte convolutions take a window: 32-bit sums must hold, and scratch memory must be small.
  package static func takesBytes(_ geometry: DepthwiseGeometry) -> Bool {
    geometry.kernelHeight <= 1 << 10 && geometry.kernelWidth <= 1 << 10 && geometry.columnStride <= 1 << 6
      && geometry.kernelHeight * geometry.kernelWidth <= 1 << 14
      && (geometry.kernelWidth - 1).multipliedReportingOverflow(by: geometry.columnDilation).partialValue <= 1 << 12
      && geometry.columnDilation <= 1 << 12
  }

  /// Bytes of weights from which on channels are cut into blocks: more would leave the first-level cache between rows.
  private static let blockedBytes = 12 << 10
  private static let blockChannels = 80
  /// Larger filters are not written out for whole vectors, which every call does again.
  private static let maximumRepeatedTaps = 1 << 12
  /// The highest window of float32: what a call notes about its rows takes 24 bytes each.
  package static let greatestHeight = 1 << 20

  /// Output rows `rows` of a float32 convolution, fastest for kernels 3 and 5 wide.
  ///
  /// - Parameters:
  ///   - input: The image's first pixel, `[inputHeight, inputWidth, inputPixelStride]`.
  ///   - weights: `[kernelHeight, kernelWidth, tapStride]`, as in the model.
  ///   - bias: `channels` values, or nil for zeros.
  ///   - output: The output image's first pixel, also when `rows` starts later; must not overlap the input.
  ///   - lower, upper: activation bounds; NaN passes through.
  package func convolve(
    _ geometry: DepthwiseGeometry, rows: Range<Int>, input: UnsafePointer<Float>, weights: UnsafePointer<Float>,
    bias: UnsafePointer<Float>?, output: UnsafeMutablePointer<Float>, lower: Float, upper: Float
  ) {
    let channels = geometry.channels, taps = geometry.kernelHeight &* geometry.kernelWidth
    let blocks = channels &* taps &* 4 > Self.blockedBytes ? max(1, channels / Self.blockChannels) : 1
    let block = ((channels &+ blocks &- 1) / blocks &+ lanes &- 1) / lanes &* lanes
    let isRepeated =
      taps <= Self.maximumRepeatedTaps && geometry.columnStride == 1 && channels < lanes
      && lanes % max(1, channels) == 0
      && geometry.inputPixelStride == channels && geometry.outputPixelStride == channels
    let repeatedCount = isRepeated ? (taps &+ 1) &* lanes : 0
    // What the kernel notes about a row of taps: three pointers. Asking for more alignment than 16 would take the
    // memory from the heap, every time.
    withUnsafeTemporaryAllocation(
      byteCount: repeatedCount &* 4 &+ geometry.kernelHeight &* 24 &+ 48, alignment: 16
    ) { scratch in
      guard let start = scratch.baseAddress?.alignedUp(toMultipleOf: 64) else { return }
      let repeated = isRepeated ? start.assumingMemoryBound(to: Float.self) : nil
      if let repeated {
        repeatFilter(geometry, taps: taps, weights, bias, into: repeated)
      }
      var first = 0
      while first < channels {
        var part = geometry
        part.channels = min(block, channels &- first)
        withUnsafePointer(to: part) {
          float32(
            $0, rows.lowerBound, rows.upperBound, input + first, weights + first, bias.map { $0 + first }, repeated,
            start + repeatedCount &* 4, output + first, lower, upper)
        }
        first &+= block
      }
    }
  }

  /// The bias and every tap's weights, over and over until a vector is full.
  private func repeatFilter(
    _ geometry: DepthwiseGeometry, taps: Int, _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>?,
    into output: UnsafeMutablePointer<Float>
  ) {
    for lane in 0..<lanes {
      let channel = lane % geometry.channels
      output[lane] = bias.map { $0[channel] } ?? 0
      for tap in 0..<taps {
        output[(tap &+ 1) &* lanes &+ lane] = weights[tap &* geometry.tapStride &+ channel]
      }
    }
  }

  /// What byte weights are packed for.
  package enum ByteResult: Int, Sendable {
    /// `convolveRequantizing`.
    case bytes
    /// `convolveAccumulating`.
    case sums
  }

  private var chunkBytes: Int { lanes * 4 }

  /// How bytes are requantized, if not as sums are computed.
  private func streamPlan(_ geometry: DepthwiseGeometry, _ result: ByteResult) -> InterleavedDepthwisePlan? {
    guard result == .bytes, InterleavedDepthwisePlan.takes(geometry, chunkBytes: chunkBytes) else { return nil }
    return InterleavedDepthwisePlan(geometry, chunkBytes: chunkBytes)
  }

  /// Returns whether four rows of bytes are read as one interleaved stream.
  package func interleaves(_ geometry: DepthwiseGeometry, for result: ByteResult) -> Bool {
    streamPlan(geometry, result) != nil
  }

  /// Bytes that packed byte weights take.
  package func packedByteCount(_ geometry: DepthwiseGeometry, for result: ByteResult) -> Int {
    if let plan = streamPlan(geometry, result) { return plan.panelCount * plan.panelBytes(geometry) }
    return (geometry.channels + lanes - 1) / lanes
      * DepthwiseRowPair(geometry).panelVectors(kernelWidth: geometry.kernelWidth) * lanes * 4
  }

  /// Scratch memory of one call of the byte convolutions, at most some hundred kilobytes.
  package func scratchByteCount(_ geometry: DepthwiseGeometry, for result: ByteResult) -> Int {
    if let plan = streamPlan(geometry, result) { return plan.scratchBytes(geometry) }
    let columns = min(geometry.outputWidth, DepthwiseRowPair.columnBlock)
    return (1 + DepthwiseRowPair(geometry).groups * max(0, DepthwiseRowPair.span(columns, geometry))) * lanes * 4
  }

  /// Rows of output that are computed together: ranges of whole multiples waste nothing.
  package static func rowsTogether(_ geometry: DepthwiseGeometry) -> Int {
    let strip = DepthwiseRowPair(geometry)
    return strip.outputs * strip.distance
  }

  /// Packs byte weights, `[kernelHeight, kernelWidth, tapStride]` as in the model, for the byte convolutions of this
  /// geometry.
  ///
  /// - Parameter panels: Room for `packedByteCount` bytes; 64-byte alignment is fastest.
  package func packBytes(
    _ geometry: DepthwiseGeometry, for result: ByteResult, weights: UnsafeRawPointer, weightsAreSigned: Bool,
    weightZeroPoint: Int32, into panels: UnsafeMutableRawPointer
  ) {
    if let plan = streamPlan(geometry, result) {
      return plan.pack(
        geometry, weights: weights, isSigned: weightsAreSigned, zeroPoint: weightZeroPoint, into: panels)
    }
    DepthwiseRowPair(geometry).pack(
      geometry, lanes: lanes, weights: weights, isSigned: weightsAreSigned, zeroPoint: weightZeroPoint, into: panels)
  }

  /// `clamp(zeroPoint + round(accumulator * scale[c]), lower, upper)` in float, ties to even, for geometries that
  /// `takesBytes` accepts.
  ///
  /// - Parameters:
  ///   - panels: From `packBytes`.
  ///   - bias, scales: `channels` values each; scale is input scale × weight scale / output scale, below 1.
  ///   - inputIsSigned: Also whether the output is.
  ///   - zeroPoint, lower, upper: of the output, in its own range.
  ///   - scratch: `scratchByteCount` bytes.
  package func convolveRequantizing(
    _ geometry: DepthwiseGeometry, rows: Range<Int>, input: UnsafeRawPointer, inputIsSigned: Bool,
    inputZeroPoint: Int32, panels: UnsafeRawPointer, bias: UnsafePointer<Int32>?, scales: UnsafePointer<Float>,
    output: UnsafeMutableRawPointer, zeroPoint: Int32, lower: Int32, upper: Int32, scratch: UnsafeMutableRawPointer
  ) {
    withUnsafePointer(to: geometry) { geometryPointer in
      if let plan = streamPlan(geometry, .bytes) {
        withUnsafePointer(to: plan) {
          streams(
            geometryPointer, $0, rows.lowerBound, rows.upperBound, input, inputIsSigned ? 1 : 0, inputZeroPoint, panels,
            bias, scales, output, Int(zeroPoint), Int(lower), Int(upper), scratch)
        }
      } else {
        bytes(
          geometryPointer, rows.lowerBound, rows.upperBound, input, inputIsSigned ? 1 : 0, inputZeroPoint, panels, bias,
          scales, output, Int(zeroPoint), Int(lower), Int(upper), scratch)
      }
    }
  }

  /// The accumulators themselves, for `QuantizationKernels.requantize`.
  package func convolveAccumulating(
    _ geometry: DepthwiseGeometry, rows: Range<Int>, input: UnsafeRawPointer, inputIsSigned: Bool,
    inputZeroPoint: Int32, panels: UnsafeRawPointer, bias: UnsafePointer<Int32>?,
    output: UnsafeMutablePointer<Int32>, scratch: UnsafeMutableRawPointer
  ) {
    withUnsafePointer(to: geometry) {
      bytes(
        $0, rows.lowerBound, rows.upperBound, input, inputIsSigned ? 1 : 0, inputZeroPoint, panels, bias, nil,
        output, 0, 0, 0, scratch)
    }
  }
}

extension DepthwiseKernels {
  init(_ set: swiftlet_kernel_set) {
    self.init(
      float32: set.depthwise_f32, bytes: set.depthwise_u8, streams: set.depthwise_streams_u8,
      lanes: set.panel_columns() / 2)
  }
}
