/// How a convolution of bytes divides channels and columns.
///
/// Every lane of a vector is a channel of an output pixel. There are two arrangements:
///
///     lines    the channels of neighboring pixels follow each other    a0 b0 c0 a1 b1 c1 a2 b2 …
///     blocks   a vector of channels of one pixel at a time             a0 b0 c0 d0 | a1 b1 c1 d1 | …
///
/// In lines, the weights that belong to a vector repeat after `period` vectors. At a stride of s columns, a line is
/// divided into s streams, of every s-th pixel each, so that the inputs of neighboring outputs are neighbors.
///
/// The kernel receives a pointer to it: it cannot divide without a test for zero, which could trap.
package struct DepthwiseBytePlan {
  package let strip: DepthwiseRowPair
  package let isLines: Bool
  /// The number of vectors after which the weights repeat, and the number that are stored: four vectors that follow
  /// each other can start at any of them.
  package let period: Int
  package let vectors: Int
  package let panelCount: Int
  /// The maximum number of output columns whose inputs are interleaved at a time.
  package let columns: Int
  /// The number of lanes from a pixel to the next one of the same stream.
  package let pitch: Int
  package let streams: Int
  /// The size in bytes of a stream of four interleaved rows.
  package let streamBytes: Int
  /// The distance in bytes between the inputs of two vectors of outputs.
  package let unitBytes: Int
  private let temporaryBytes: Int
  private let vectorBytes: Int
  /// The size of a vector of weights as dot products read it. The kernel expands packed weights to it.
  private let weightBytes: Int

  /// The maximum size of the weights of a line, so that they stay in the L1 cache.
  private static let lineWeights = 28 << 10
  /// The number of lanes of a line that are interleaved at a time.
  private static let segmentLanes = 2048

  /// Creates a plan.
  ///
  /// - Parameter weightBytes: The size of a vector of weights as dot products read it; `nil` for that of a vector.
  package init(_ g: DepthwiseGeometry, lanes: Int, weightBytes: Int? = nil) {
    strip = DepthwiseRowPair(g)
    vectorBytes = lanes * 4
    self.weightBytes = weightBytes ?? lanes * 4
    var (a, b) = (g.channels, lanes)
    while b != 0 { (a, b) = (b, a % b) }
    let period = max(1, g.channels / max(1, a))
    let extent = (g.kernelWidth - 1) * g.columnDilation
    let weights = (period + 3) * strip.planeVectors(kernelWidth: g.kernelWidth) * vectorBytes
    let isDense = g.inputPixelStride * g.multiplier == g.channels && g.outputPixelStride == g.channels
    isLines =
      isDense && g.channels < lanes && (g.columnStride == 1 || g.channels <= lanes / 2) && weights <= Self.lineWeights
      && extent * g.channels <= Self.segmentLanes && g.columnStride <= 8
    if isLines {
      self.period = period
      vectors = period == 1 ? 1 : period + 3
      panelCount = 1
      columns = min(g.outputWidth, max(1, Self.segmentLanes / strip.groups / g.channels))
      pitch = g.channels
      streams = g.columnStride
      unitBytes = vectorBytes
    } else {
      self.period = 1
      vectors = 1
      panelCount = (g.channels + lanes - 1) / lanes
      columns = min(g.outputWidth, DepthwiseRowPair.columnBlock)
      pitch = lanes
      streams = 1
      unitBytes = g.columnStride * vectorBytes
    }
    let span = max(0, DepthwiseRowPair.span(columns, g))
    let pixels = isLines ? columns + extent / g.columnStride + 1 : span
    streamBytes = (pixels * pitch + 2 * lanes) * 4
    temporaryBytes =
      streams > 1 || g.multiplier > 1 ? (span * (isLines ? g.inputPixelStride : lanes) + 2 * lanes) * 4 : 0
  }

  /// Whether interleaved pixels are divided among streams or repeated.
  @inline(__always) package func places(_ g: DepthwiseGeometry) -> Bool { streams > 1 || g.multiplier > 1 }

  /// Returns the channel of a lane of a panel.
  package func channel(panel: Int, lane: Int, _ g: DepthwiseGeometry, lanes: Int) -> Int? {
    if isLines { return lane % g.channels }
    let channel = firstChannel(panel: panel, g, lanes: lanes) + lane
    return channel < g.channels ? channel : nil
  }

  /// Returns the first channel of a block. The last block can overlap the one before it.
  @inline(__always)
  package func firstChannel(panel: Int, _ g: DepthwiseGeometry, lanes: Int) -> Int {
    max(0, min(panel &* lanes, g.channels &- lanes))
  }

  /// The size of packed weights: the sums of weights, the number of planes, and two planes.
  @inline(__always)
  package func panelBytes(_ g: DepthwiseGeometry) -> Int {
    (vectors &+ 1 &+ 2 &* planeVectors(g)) &* vectorBytes
  }

  @inline(__always)
  package func planeVectors(_ g: DepthwiseGeometry) -> Int {
    strip.planeVectors(kernelWidth: g.kernelWidth) &* vectors
  }

  /// The size of expanded weights of a panel.
  private func expandedBytes(_ g: DepthwiseGeometry) -> Int {
    weightBytes == vectorBytes ? 0 : 2 &* planeVectors(g) &* weightBytes
  }

  // Scratch memory: quantized zeros, positions of taps, initial sums and scales, expanded weights, a line before it is
  // placed, streams.
  @inline(__always) package var tapsOffset: Int { vectorBytes }
  @inline(__always) package func tableOffset(_ g: DepthwiseGeometry) -> Int {
    tapsOffset &+ (strip.groups &* g.kernelWidth &* 8 &+ 63) & ~63
  }
  @inline(__always) package func weightsOffset(_ g: DepthwiseGeometry) -> Int {
    tableOffset(g) &+ 2 &* vectors &* vectorBytes
  }
  @inline(__always) package func temporaryOffset(_ g: DepthwiseGeometry) -> Int {
    weightsOffset(g) &+ expandedBytes(g)
  }
  @inline(__always) package func streamsOffset(_ g: DepthwiseGeometry) -> Int {
    temporaryOffset(g) &+ (temporaryBytes &+ 63) & ~63
  }
  @inline(__always) package func scratchBytes(_ g: DepthwiseGeometry) -> Int {
    streamsOffset(g) &+ strip.groups &* streams &* streamBytes
  }
}
