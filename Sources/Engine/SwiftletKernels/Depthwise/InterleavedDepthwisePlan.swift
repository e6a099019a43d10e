/// How a byte convolution of windows of up to four rows reads pixels as streams of bytes, a whole vector of them at a
/// time.
///
/// A chunk is a vector's bytes of a stream: parts of a pixel or several pixels. With C channels the weights that belong
/// to a chunk repeat after `C / gcd(C, chunk)` chunks. Images with many channels are cut into blocks of a chunk's
/// channels instead, the last of which may overlap the one before it. At a stride of s columns there are s streams, of
/// every s-th pixel each.
///
/// The kernel receives a pointer to it: it cannot divide without a test for zero, which could trap.
package struct InterleavedDepthwisePlan {
  /// Rows that are computed together; four input rows make one interleaved one.
  package let strip: DepthwiseRowPair
  package let chunkBytes: Int
  /// The size of a vector of weights as dot products read it. The kernel expands packed weights to it.
  package let weightBytes: Int
  /// Whether pixels are cut into blocks of channels.
  package let isBlocked: Bool
  /// Bytes from one pixel of a stream to the next.
  package let pixelBytes: Int
  /// Packed weights: one for each chunk until they repeat, or one for each block.
  package let panelCount: Int
  /// The first pixel of a stream that output 0 may read, and how many pixels more than there are outputs are read.
  package let firstPixel: Int
  package let halo: Int
  /// Output pixels that are computed at a time, so that what belongs to them stays in the first-level cache.
  package let segment: Int
  /// Bytes of one of the four parts of a stream.
  package let partBytes: Int
  /// Pixels of a row in every stream, and how many streams have one more.
  package let streamWidth: Int
  package let widerStreams: Int

  /// Bytes of a segment of a stream.
  private static let segmentBytes = 3072

  /// Whether a geometry is computed this way: where that is faster. (`DepthwiseBytes` takes the others.) Loads that
  /// cross cache lines take away what is gained when a vector holds a few whole pixels, or weights repeat late. Whole
  /// pixels must have a multiple of four channels.
  package static func takes(_ g: DepthwiseGeometry, chunkBytes: Int, weightBytes: Int? = nil) -> Bool {
    guard g.channels <= 1 << 16, g.inputPixelStride == g.channels,
      g.outputPixelStride == g.channels, g.tapStride == g.channels, g.kernelHeight <= 4, g.kernelWidth <= 4,
      g.columnDilation <= 16, g.columnStride <= 4
    else { return false }
    return isBlocked(g, chunkBytes, splits: (weightBytes ?? chunkBytes) > chunkBytes)
      || (g.columnStride == 1 && g.channels & 3 == 0 && g.channels & 15 != 0)
  }

  /// Whether blocks of a chunk's channels overlap little, or other ways take longer.
  ///
  /// - Parameter splits: Whether dot products take several instructions. They then outweigh blocks that overlap more.
  private static func isBlocked(_ g: DepthwiseGeometry, _ chunkBytes: Int, splits: Bool) -> Bool {
    let channels = g.channels
    let blocked = (channels &+ chunkBytes &- 1) / chunkBytes &* chunkBytes
    guard channels >= chunkBytes else { return false }
    if blocked &* 14 <= channels &* 15 { return true }
    if splits && g.columnStride > 1 && blocked &* 2 <= channels &* 3 { return true }
    if splits && channels & 15 == 0 && blocked &* 4 <= channels &* 5 { return true }
    return period(channels, chunkBytes) > 16 && (channels & 3 == 0 || blocked &* 3 <= channels &* 4)
  }

  /// Creates a plan.
  ///
  /// - Parameter weightBytes: The size of a vector of weights as dot products read it; `nil` for that of a vector.
  package init(_ g: DepthwiseGeometry, chunkBytes: Int, weightBytes: Int? = nil) {
    strip = DepthwiseRowPair(g)
    self.chunkBytes = chunkBytes
    self.weightBytes = weightBytes ?? chunkBytes
    let (period, blocks) = (Self.period(g.channels, chunkBytes), (g.channels &+ chunkBytes &- 1) / chunkBytes)
    isBlocked = Self.isBlocked(g, chunkBytes, splits: self.weightBytes > chunkBytes)
    pixelBytes = isBlocked ? chunkBytes : g.channels
    panelCount = isBlocked ? blocks : period
    firstPixel = Self.floor(0 &- g.paddingLeft, g.columnStride)
    halo = Self.floor((g.kernelWidth &- 1) &* g.columnDilation &- g.paddingLeft, g.columnStride) &- firstPixel
    // Segments begin where the weights do.
    let step = isBlocked ? 1 : period &* chunkBytes / g.channels
    segment = max(1, Self.segmentBytes / pixelBytes / step) &* step
    (streamWidth, widerStreams) = g.inputWidth.quotientAndRemainder(dividingBy: g.columnStride)
    partBytes =
      (((min(segment, g.outputWidth) &+ halo) &* pixelBytes &+ chunkBytes &- 1) / chunkBytes &+ 2) &* chunkBytes
  }

  private static func period(_ channels: Int, _ chunkBytes: Int) -> Int {
    var (a, b) = (channels, chunkBytes)
    while b != 0 { (a, b) = (b, a % b) }
    return channels / a
  }

  private static func floor(_ value: Int, _ divisor: Int) -> Int {
    value >= 0 ? value / divisor : 0 &- (divisor &- 1 &- value) / divisor
  }

  /// The channel of the first byte of a panel's chunks.
  @inline(__always)
  package func firstChannel(panel: Int, channels: Int) -> Int {
    isBlocked ? min(panel &* chunkBytes, channels &- chunkBytes) : Self.wrapped(panel &* chunkBytes, channels)
  }

  /// The remainder of a number that is not much larger than `count`.
  @inline(__always)
  package static func wrapped(_ value: Int, _ count: Int) -> Int {
    var rest = value
    while rest >= count { rest &-= count }
    return rest
  }

  /// Which stream a tap reads, and how many pixels behind the first one.
  @inline(__always)
  package func place(tap: Int, _ g: DepthwiseGeometry) -> (stream: Int, pixel: Int) {
    var stream = tap &* g.columnDilation &- g.paddingLeft &- firstPixel &* g.columnStride
    var pixel = 0
    while stream >= g.columnStride {
      stream &-= g.columnStride
      pixel &+= 1
    }
    return (stream, pixel)
  }

  /// Vectors of one plane of the weights of a quarter of a chunk.
  @inline(__always)
  package func planeVectors(_ g: DepthwiseGeometry) -> Int { g.kernelWidth &* strip.outputs }

  /// A panel: a vector that begins with the number of planes, four with the sums of weights, then for each quarter two
  /// planes.
  @inline(__always)
  package func panelBytes(_ g: DepthwiseGeometry) -> Int { (5 &+ 8 &* planeVectors(g)) &* chunkBytes }

  /// The size of expanded weights of a panel.
  @inline(__always)
  package func expandedBytes(_ g: DepthwiseGeometry) -> Int {
    weightBytes == chunkBytes ? 0 : 8 &* planeVectors(g) &* weightBytes
  }

  // Scratch memory: quantized zeros, places of taps, start values and scales, expanded weights (of a block, or of all
  // panels), streams.
  @inline(__always) package var tapsOffset: Int { chunkBytes }
  @inline(__always) package func tablesOffset(_ g: DepthwiseGeometry) -> Int {
    tapsOffset &+ (g.kernelWidth &* 32 &+ 63) & ~63
  }
  @inline(__always) package func weightsOffset(_ g: DepthwiseGeometry) -> Int {
    tablesOffset(g) &+ panelCount &* 8 &* chunkBytes
  }
  @inline(__always) package func streamsOffset(_ g: DepthwiseGeometry) -> Int {
    weightsOffset(g) &+ (isBlocked ? 1 : panelCount) &* expandedBytes(g)
  }
  @inline(__always) package func scratchBytes(_ g: DepthwiseGeometry) -> Int {
    streamsOffset(g) &+ g.columnStride &* 4 &* partBytes
  }
}
