internal import SwiftletKernelSets

/// Depthwise convolution of one NHWC image, with one filter per channel. For a channel multiplier, the caller repeats
/// the input channels first, unless `takesMultipliers`.
///
/// - Types: float32, or int8 or uint8 input and weights.
/// - Source: In float, one chain per output: the initial value, then the taps inside the image in row order. For
///   integers, the exact sum.
/// - Thread safety: callable concurrently on disjoint rows or channels. Results are bit-exact for any distribution of
///   rows and channels over calls.
package struct DepthwiseKernels: Sendable {
  let set: EntryPoints<swiftlet_kernel_set>

  /// The number of channels in a vector.
  package let lanes: Int
  /// The size of a vector of weights as int8 dot products read it.
  private let weightVectorBytes: Int
  /// Whether float32 convolutions take geometries with a multiplier, and fill vectors whatever the number of channels.
  package var takesMultipliers: Bool { lanes == DepthwiseGeometry.gatheringLanes }
  /// Whether float32 convolutions compute blocks of several rows.
  private var computesBlocks: Bool {
    #if arch(x86_64)
      lanes >= 8
    #else
      false
    #endif
  }

  /// Returns whether the integer convolutions support a window: the sums must fit 32 bits, and scratch memory must be
  /// small.
  package static func takesBytes(_ geometry: DepthwiseGeometry) -> Bool {
    geometry.kernelHeight <= 1 << 10 && geometry.kernelWidth <= 1 << 10 && geometry.columnStride <= 1 << 6
      && geometry.kernelHeight * geometry.kernelWidth <= 1 << 14
      && (geometry.kernelWidth - 1).multipliedReportingOverflow(by: geometry.columnDilation).partialValue <= 1 << 12
      && geometry.columnDilation <= 1 << 12
  }

  /// The size of weights, in bytes, above which channels are divided into blocks. Otherwise, the weights would leave
  /// the L1 cache between rows. Kernels that compute several rows at a time need no blocks.
  private static let blockedBytes = 12 << 10
  private static let blockChannels = 80
  /// The maximum number of weights that are repeated to fill vectors, which every call does again.
  private static let maximumRepeatedCount = 1 << 16
  /// The maximum number of repeated weights for which temporary memory is on the stack. Larger memory would be allocated
  /// on the heap in every call.
  private static let repeatedOnStack = 176
  /// The maximum window height of float32 convolutions, which record 32 bytes per window row in each call.
  package static let greatestHeight = 1 << 20

  /// Computes output rows `rows` of a float32 convolution. Rows are fastest in multiples of four.
  ///
  /// - Parameters:
  ///   - input: The first pixel of the image, `[inputHeight, inputWidth, inputPixelStride]`.
  ///   - weights: The weights, `[kernelHeight, kernelWidth, tapStride]`, as in the model.
  ///   - bias: The bias, `channels` values, or nil for zeros.
  ///   - output: The first pixel of the output image, even if `rows` starts later. Must not overlap the input.
  ///   - lower, upper: The activation bounds. NaN passes through.
  package func convolve(
    _ geometry: DepthwiseGeometry, rows: Range<Int>, input: UnsafePointer<Float>, weights: UnsafePointer<Float>,
    bias: UnsafePointer<Float>?, output: UnsafeMutablePointer<Float>, lower: Float, upper: Float
  ) {
    let channels = geometry.channels, taps = geometry.kernelHeight &* geometry.kernelWidth
    var geometry = geometry.grouped(lanes: lanes, mostChannels: max(lanes, Self.repeatedOnStack / (taps &+ 1)))
    if taps >= Self.maximumRepeatedCount / max(1, geometry.pixels &* channels) {
      geometry.pixels = 1
      if geometry.multiplier == 1 { geometry.gatheredVectors = 0 }
    }
    let group = geometry.pixels &* channels
    let gatheredCount = geometry.gatheredVectors > 0 ? (group &+ 15) & ~15 : 0
    let repeatedCount = gatheredCount &+ (geometry.pixels > 1 ? (taps &+ 1) &* group : 0)
    let isLarge = !computesBlocks && channels &* taps &* 4 > Self.blockedBytes
    let blocks = isLarge ? max(1, channels / Self.blockChannels) : 1
    let block = ((channels &+ blocks &- 1) / blocks &+ lanes &- 1) / lanes &* lanes
    // The kernel records up to four pointers per row of taps. With an alignment above 16, the memory would be allocated
    // on the heap in every call.
    withUnsafeTemporaryAllocation(
      byteCount: repeatedCount &* 4 &+ geometry.kernelHeight &* 32 &+ 64 &+ 48, alignment: 16
    ) { scratch in
      guard let start = scratch.baseAddress?.alignedUp(toMultipleOf: 64) else { return }
      let repeated = repeatedCount > 0 ? start.assumingMemoryBound(to: Float.self) : nil
      if geometry.gatheredVectors > 0 { geometry.writeInputs(to: start.assumingMemoryBound(to: Int32.self)) }
      if let repeated, geometry.pixels > 1 {
        repeatFilter(geometry, taps: taps, group: group, weights, bias, into: repeated + gatheredCount)
      }
      var first = 0
      while first < channels {
        var part = geometry
        part.channels = min(block, channels &- first)
        withUnsafePointer(to: part) {
          set.call.depthwise_f32(
            $0, rows.lowerBound, rows.upperBound, input + first, weights + first, bias.map { $0 + first }, repeated,
            start + repeatedCount &* 4, output + first, lower, upper)
        }
        first &+= block
      }
    }
  }

  /// Repeats the bias and every tap's weights for the pixels of a group.
  private func repeatFilter(
    _ geometry: DepthwiseGeometry, taps: Int, group: Int, _ weights: UnsafePointer<Float>,
    _ bias: UnsafePointer<Float>?, into output: UnsafeMutablePointer<Float>
  ) {
    let channels = geometry.channels
    for row in 0...taps {
      let target = output + row &* group
      if row > 0 {
        target.update(from: weights + (row &- 1) &* geometry.tapStride, count: channels)
      } else if let bias {
        target.update(from: bias, count: channels)
      } else {
        target.update(repeating: 0, count: channels)
      }
      var count = channels
      while count < group {
        let copied = min(count, group &- count)
        (target + count).update(from: target, count: copied)
        count &+= copied
      }
    }
  }

  /// The purpose for which weights are packed.
  package enum ByteResult: Int, Sendable {
    /// `convolveRequantizing`.
    case bytes
    /// `convolveAccumulating`.
    case sums
  }

  private var chunkBytes: Int { lanes * 4 }

  /// Returns the plan for interleaved requantization, or `nil` if it uses the same path as sums.
  private func streamPlan(_ geometry: DepthwiseGeometry, _ result: ByteResult) -> InterleavedDepthwisePlan? {
    guard result == .bytes,
      InterleavedDepthwisePlan.takes(geometry, chunkBytes: chunkBytes, weightBytes: weightVectorBytes)
    else { return nil }
    return InterleavedDepthwisePlan(geometry, chunkBytes: chunkBytes, weightBytes: weightVectorBytes)
  }

  private func bytePlan(_ geometry: DepthwiseGeometry) -> DepthwiseBytePlan {
    DepthwiseBytePlan(geometry, lanes: lanes, weightBytes: weightVectorBytes)
  }

  /// Returns whether four input rows are read as one interleaved stream.
  package func interleaves(_ geometry: DepthwiseGeometry, for result: ByteResult) -> Bool {
    streamPlan(geometry, result) != nil
  }

  /// Returns the size of packed weights in bytes.
  package func packedByteCount(_ geometry: DepthwiseGeometry, for result: ByteResult) -> Int {
    if let plan = streamPlan(geometry, result) { return plan.panelCount * plan.panelBytes(geometry) }
    let plan = bytePlan(geometry)
    return plan.panelCount * plan.panelBytes(geometry)
  }

  /// Returns the size of the scratch memory for one call of the integer convolutions: a few hundred kilobytes at most, or
  /// megabytes for windows of thousands of elements, whose weights are expanded.
  package func scratchByteCount(_ geometry: DepthwiseGeometry, for result: ByteResult) -> Int {
    if let plan = streamPlan(geometry, result) { return plan.scratchBytes(geometry) }
    return bytePlan(geometry).scratchBytes(geometry)
  }

  /// Returns the number of output rows that are computed together. Ranges of whole multiples waste nothing.
  package static func rowsTogether(_ geometry: DepthwiseGeometry) -> Int {
    let strip = DepthwiseRowPair(geometry)
    return strip.outputs * strip.distance
  }

  /// Packs int8 or uint8 weights, `[kernelHeight, kernelWidth, tapStride]` as in the model, for the integer
  /// convolutions of this geometry.
  ///
  /// - Parameter panels: Memory for `packedByteCount` bytes. 64-byte alignment is fastest.
  package func packBytes(
    _ geometry: DepthwiseGeometry, for result: ByteResult, weights: UnsafeRawPointer, weightsAreSigned: Bool,
    weightZeroPoint: Int32, into panels: UnsafeMutableRawPointer
  ) {
    if let plan = streamPlan(geometry, result) {
      return plan.pack(
        geometry, weights: weights, isSigned: weightsAreSigned, zeroPoint: weightZeroPoint, into: panels)
    }
    bytePlan(geometry).pack(
      geometry, lanes: lanes, weights: weights, isSigned: weightsAreSigned, zeroPoint: weightZeroPoint, into: panels)
  }

  /// Computes `clamp(zeroPoint + round(accumulator * scale[c]), lower, upper)` in float, ties to even, for geometries
  /// that `takesBytes` accepts.
  ///
  /// - Parameters:
  ///   - panels: The weights packed by `packBytes`.
  ///   - bias, scales: `channels` values each. A scale is input scale × weight scale / output scale. Scaled
  ///     sums must fit in 32 bits.
  ///   - inputIsSigned: Whether input and output are int8.
  ///   - zeroPoint, lower, upper: The zero point and bounds, in the output's own range.
  ///   - scratch: Memory for `scratchByteCount` bytes.
  package func convolveRequantizing(
    _ geometry: DepthwiseGeometry, rows: Range<Int>, input: UnsafeRawPointer, inputIsSigned: Bool,
    inputZeroPoint: Int32, panels: UnsafeRawPointer, bias: UnsafePointer<Int32>?, scales: UnsafePointer<Float>,
    output: UnsafeMutableRawPointer, zeroPoint: Int32, lower: Int32, upper: Int32, scratch: UnsafeMutableRawPointer
  ) {
    withUnsafePointer(to: geometry) { geometryPointer in
      if let plan = streamPlan(geometry, .bytes) {
        withUnsafePointer(to: plan) {
          set.call.depthwise_streams_u8(
            geometryPointer, $0, rows.lowerBound, rows.upperBound, input, inputIsSigned ? 1 : 0, inputZeroPoint, panels,
            bias, scales, output, Int(zeroPoint), Int(lower), Int(upper), scratch)
        }
      } else {
        withUnsafePointer(to: bytePlan(geometry)) {
          set.call.depthwise_u8(
            geometryPointer, $0, rows.lowerBound, rows.upperBound, input, inputIsSigned ? 1 : 0, inputZeroPoint, panels,
            bias, scales, output, Int(zeroPoint), Int(lower), Int(upper), scratch)
        }
      }
    }
  }

  /// Computes the accumulators, for `QuantizationKernels.requantize`.
  package func convolveAccumulating(
    _ geometry: DepthwiseGeometry, rows: Range<Int>, input: UnsafeRawPointer, inputIsSigned: Bool,
    inputZeroPoint: Int32, panels: UnsafeRawPointer, bias: UnsafePointer<Int32>?,
    output: UnsafeMutablePointer<Int32>, scratch: UnsafeMutableRawPointer
  ) {
    withUnsafePointer(to: geometry) { geometryPointer in
      withUnsafePointer(to: bytePlan(geometry)) {
        set.call.depthwise_u8(
          geometryPointer, $0, rows.lowerBound, rows.upperBound, input, inputIsSigned ? 1 : 0, inputZeroPoint, panels,
          bias, nil, output, 0, 0, 0, scratch)
      }
    }
  }
}

extension DepthwiseKernels {
  init(set: EntryPoints<swiftlet_kernel_set>) {
    self.init(set: set, lanes: set.call.panel_columns() / 2, weightVectorBytes: set.call.weight_vector_bytes())
  }
}
