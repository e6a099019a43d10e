import Testing

@testable import SwiftletKernels

/// Checks positions and sizes that depthwise kernels receive against values worked out by hand.
@Suite("Geometry of depthwise kernels")
struct DepthwiseGeometryTests {
  private func geometry(
    channels: Int, kernel: (height: Int, width: Int) = (3, 3), input: Int = 10, output: Int = 10, stride: Int = 1,
    dilation: Int = 1, left: Int = 1
  ) -> DepthwiseGeometry {
    DepthwiseGeometry(
      inputHeight: 9, inputWidth: input, outputWidth: output, channels: channels, kernelHeight: kernel.height,
      kernelWidth: kernel.width, columnStride: stride, columnDilation: dilation, paddingLeft: left)
  }

  @Test("fields keep their values, and the pixel stride is the number of channels")
  func fields() {
    let geometry = DepthwiseGeometry(
      inputHeight: 2, inputWidth: 3, outputWidth: 4, channels: 5, kernelHeight: 6, kernelWidth: 7, rowStride: 8,
      columnStride: 9, rowDilation: 10, columnDilation: 11, paddingTop: 12, paddingLeft: 13)
    // The kernels' view: consecutive integers.
    let fields = withUnsafeBytes(of: geometry) { Array($0.bindMemory(to: Int.self)) }
    #expect(fields == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 5, 5, 5, 1, 1, 0])
    let plain = DepthwiseGeometry(
      inputHeight: 2, inputWidth: 3, outputWidth: 4, channels: 5, kernelHeight: 6, kernelWidth: 7)
    let defaults = withUnsafeBytes(of: plain) { Array($0.bindMemory(to: Int.self)) }
    #expect(defaults == [2, 3, 4, 5, 6, 7, 1, 1, 1, 1, 0, 0, 5, 5, 5, 1, 1, 0])
  }

  @Test("taps inside of an axis")
  func taps() {
    func taps(_ count: Int, _ first: Int, _ dilation: Int, _ size: Int) -> [Int] {
      let range = DepthwiseGeometry.taps(count, from: first, dilation: dilation, size: size)
      return [range.lower, range.upper]
    }
    #expect(taps(3, 0, 1, 3) == [0, 3])
    #expect(taps(4, -1, 1, 2) == [1, 3])
    #expect(taps(3, -2, 2, 3) == [1, 3])
    #expect(taps(3, -2, 2, 2) == [1, 2])
    #expect(taps(3, -3, 2, 9) == [2, 3])
    #expect(taps(2, -5, 1, 3) == [2, 2])
    #expect(taps(2, 3, 1, 3) == [0, 0])
  }

  @Test("two output rows are computed from the same four input rows if they fit")
  func rowPairs() {
    func pair(_ height: Int, stride: Int, dilation: Int) -> [Int] {
      let pair = DepthwiseRowPair(
        DepthwiseGeometry(
          inputHeight: 9, inputWidth: 9, outputWidth: 9, channels: 4, kernelHeight: height, kernelWidth: 3,
          rowStride: stride, rowDilation: dilation))
      return [pair.outputs, pair.distance, pair.shift, pair.groups]
    }
    #expect(pair(3, stride: 1, dilation: 1) == [2, 1, 1, 1])
    #expect(pair(4, stride: 1, dilation: 1) == [1, 1, 0, 1])
    #expect(pair(5, stride: 1, dilation: 1) == [2, 1, 1, 2])
    #expect(pair(2, stride: 2, dilation: 1) == [2, 1, 2, 1])
    #expect(pair(3, stride: 2, dilation: 1) == [1, 1, 0, 1])
    #expect(pair(3, stride: 1, dilation: 2) == [2, 2, 1, 1])
    #expect(pair(2, stride: 2, dilation: 2) == [1, 1, 0, 1])
    let two = DepthwiseRowPair(geometry(channels: 4))
    #expect(two.planeVectors(kernelWidth: 5) == 10)
    #expect(DepthwiseRowPair.span(5, geometry(channels: 4, stride: 2, dilation: 3)) == 4 * 2 + 2 * 3 + 1)
  }

  @Test("pixels with few channels are streams with repeated weights")
  func streams() {
    let geometry = geometry(channels: 12)
    let plan = InterleavedDepthwisePlan(geometry, chunkBytes: 32)
    #expect(!plan.isBlocked)
    // Three chunks of 32 bytes are eight pixels of 12.
    #expect(plan.pixelBytes == 12)
    #expect(plan.panelCount == 3)
    #expect(plan.segment == 256)
    #expect((0..<3).map { plan.firstChannel(panel: $0, channels: 12) } == [0, 8, 4])
    // From one pixel before the image to one after it: 12 pixels are 144 bytes, 5 chunks, and two more.
    #expect(plan.firstPixel == -1)
    #expect(plan.halo == 2)
    #expect(plan.partBytes == 224)
    #expect([plan.streamWidth, plan.widerStreams] == [10, 0])
    #expect((0..<3).map { plan.place(tap: $0, geometry).stream } == [0, 0, 0])
    #expect((0..<3).map { plan.place(tap: $0, geometry).pixel } == [0, 1, 2])
    // Two output rows, three columns; a panel has one vector, four of sums, and eight times the planes.
    #expect(plan.planeVectors(geometry) == 6)
    #expect(plan.panelBytes(geometry) == 53 * 32)
    // A vector of zeros; 96 bytes of taps in full cache lines; 3 times 8 vectors; 4 parts.
    #expect(plan.tapsOffset == 32)
    #expect(plan.tablesOffset(geometry) == 32 + 128)
    #expect(plan.streamsOffset(geometry) == 160 + 768)
    #expect(plan.scratchBytes(geometry) == 928 + 4 * 224)
    let long = InterleavedDepthwisePlan(self.geometry(channels: 20, input: 199, output: 199), chunkBytes: 32)
    #expect(long.panelCount == 5)
    // 153 pixels of 20 bytes are 3,060; the weights repeat after eight. 154 are 3,080, in 97 chunks.
    #expect(long.segment == 152)
    #expect(long.partBytes == (97 + 2) * 32)
  }

  @Test("pixels with many channels are split into blocks, and into several streams if there is a stride")
  func blocks() {
    let geometry = geometry(channels: 96, input: 11, output: 6, stride: 2)
    let plan = InterleavedDepthwisePlan(geometry, chunkBytes: 32)
    #expect(plan.isBlocked)
    #expect([plan.pixelBytes, plan.panelCount, plan.segment] == [32, 3, 96])
    #expect((0..<3).map { plan.firstChannel(panel: $0, channels: 96) } == [0, 32, 64])
    #expect([plan.firstPixel, plan.halo] == [-1, 1])
    #expect(plan.partBytes == 9 * 32)
    #expect([plan.streamWidth, plan.widerStreams] == [5, 1])
    #expect((0..<3).map { plan.place(tap: $0, geometry).stream } == [1, 0, 1])
    #expect((0..<3).map { plan.place(tap: $0, geometry).pixel } == [0, 1, 1])
    #expect(plan.scratchBytes(geometry) == plan.streamsOffset(geometry) + 2 * 4 * plan.partBytes)
    // The last block can overlap the previous one: by a small amount, or if weights have a long period.
    func overlapping(_ channels: Int) -> InterleavedDepthwisePlan {
      InterleavedDepthwisePlan(self.geometry(channels: channels), chunkBytes: 32)
    }
    #expect(overlapping(92).isBlocked)
    #expect(overlapping(92).firstChannel(panel: 2, channels: 92) == 60)
    #expect(!overlapping(88).isBlocked)
    #expect(overlapping(84).isBlocked)
    #expect(overlapping(68).isBlocked)
    #expect(!overlapping(28).isBlocked)
    #expect(overlapping(32).isBlocked)
  }

  @Test("pixels with fewer channels than lanes are lines, and others are blocks of lanes")
  func linesAndBlocks() {
    func plan(
      _ channels: Int, stride: Int = 1, dilation: Int = 1, kernel: (Int, Int) = (3, 3), multiplier: Int = 1,
      _ change: (inout DepthwiseGeometry) -> Void = { _ in }
    ) -> DepthwiseBytePlan {
      var geometry = DepthwiseGeometry(
        inputHeight: 9, inputWidth: 10, outputWidth: 10, channels: channels, kernelHeight: kernel.0,
        kernelWidth: kernel.1, columnStride: stride, columnDilation: dilation, paddingLeft: 1, multiplier: multiplier)
      change(&geometry)
      return DepthwiseBytePlan(geometry, lanes: 8)
    }
    // Weights of three channels repeat after three vectors, and four vectors start at any of them.
    #expect(plan(3).isLines && plan(3).period == 3 && plan(3).vectors == 6 && plan(3).panelCount == 1)
    #expect(plan(2).isLines && plan(2).period == 1 && plan(2).vectors == 1)
    #expect(plan(7).isLines && !plan(8).isLines && !plan(9).isLines)
    #expect(plan(4, stride: 2).isLines && plan(4, stride: 2).streams == 2 && !plan(5, stride: 2).isLines)
    #expect(plan(1, stride: 8).isLines && !plan(1, stride: 9).isLines)
    #expect(plan(1, dilation: 1024).isLines && !plan(1, dilation: 1025).isLines)
    #expect(plan(6, multiplier: 3).isLines && !plan(9, multiplier: 3).isLines)
    #expect(!plan(3) { $0.outputPixelStride = 4 }.isLines)
    #expect(!plan(3) { $0.inputPixelStride = 4 }.isLines)
    let block = plan(9)
    #expect(block.panelCount == 2 && block.vectors == 1)
    let geometry = geometry(channels: 9)
    #expect([0, 1].map { block.firstChannel(panel: $0, geometry, lanes: 8) } == [0, 1])
  }

  @Test("a plan supports windows of up to 4 × 4, and multiples of four channels unless blocks overlap little")
  func takes() {
    func takes(
      _ channels: Int, _ kernel: (Int, Int) = (3, 3), stride: Int = 1, dilation: Int = 1, chunk: Int = 32,
      weights: Int? = nil, _ change: (inout DepthwiseGeometry) -> Void = { _ in }
    ) -> Bool {
      var geometry = geometry(channels: channels, kernel: kernel, stride: stride, dilation: dilation)
      change(&geometry)
      return InterleavedDepthwisePlan.takes(geometry, chunkBytes: chunk, weightBytes: weights)
    }
    #expect(takes(12) && !takes(10) && !takes(13))
    // Blocks of 32 overlap by up to a quarter of all blocks.
    #expect(takes(75) && takes(73) && !takes(71) && !takes(65))
    #expect(!takes(16) && takes(20) && !takes(12, stride: 2))
    #expect(takes(96, stride: 4) && !takes(96, stride: 5))
    #expect(takes(96, (4, 4)) && !takes(96, (5, 4)) && !takes(96, (4, 5)))
    #expect(takes(96, dilation: 16) && !takes(96, dilation: 17))
    #expect(takes(1 << 16) && !takes(1 << 16 + 64))
    #expect(!takes(96) { $0.inputPixelStride = 100 })
    #expect(!takes(96) { $0.outputPixelStride = 100 })
    #expect(!takes(96) { $0.tapStride = 100 })
    // A block of 64 would overlap by a third.
    #expect(!takes(96, chunk: 64) && takes(128, chunk: 64))
    // If dot products take several instructions, blocks overlap by up to a half with a stride, and by a quarter for
    // multiples of 16 without one.
    #expect(takes(43, stride: 2, weights: 64) && !takes(42, stride: 2, weights: 64) && !takes(43, stride: 2))
    #expect(takes(144, weights: 64) && !takes(144) && takes(80, weights: 64) && !takes(48, weights: 64))
    #expect(!takes(16, stride: 2, weights: 64))
  }

  @Test("plans have memory for weights that dot products read in a larger form")
  func expandedWeights() {
    // A line of three channels has six vectors of weights for each of two rows and three columns, in two planes.
    let lines = geometry(channels: 3), packed = DepthwiseBytePlan(lines, lanes: 8)
    let expanded = DepthwiseBytePlan(lines, lanes: 8, weightBytes: 64)
    #expect(expanded.temporaryOffset(lines) == expanded.weightsOffset(lines) + 2 * 36 * 64)
    #expect(expanded.weightsOffset(lines) == packed.temporaryOffset(lines))
    #expect(expanded.panelBytes(lines) == packed.panelBytes(lines))
    // All three panels of a stream, but one block at a time.
    let stream = geometry(channels: 12), block = geometry(channels: 96)
    let streamPlan = InterleavedDepthwisePlan(stream, chunkBytes: 32, weightBytes: 64)
    #expect(streamPlan.streamsOffset(stream) == streamPlan.weightsOffset(stream) + 3 * 8 * 6 * 64)
    let blockPlan = InterleavedDepthwisePlan(block, chunkBytes: 32, weightBytes: 64)
    #expect(blockPlan.panelCount == 3)
    #expect(blockPlan.streamsOffset(block) == blockPlan.weightsOffset(block) + 8 * 6 * 64)
  }
}
