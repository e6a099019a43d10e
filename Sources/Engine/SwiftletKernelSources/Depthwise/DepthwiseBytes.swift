import SwiftletKernels

// Goals, in order: integer sums are exact, so the split of rows and channels doesn't affect results; nothing outside
// the image is read, and quantized zeros replace it; input bytes are interleaved once for all outputs that read them.

/// A depthwise convolution of bytes (`DepthwiseBytePlan`). A lane is an output channel of a pixel, and a dot product
/// covers four rows of a column.
struct DepthwiseBytes<V: VectorISA> {
  let geometry: DepthwiseGeometry
  let plan: DepthwiseBytePlan
  let input: UnsafeRawPointer
  /// The flip that is applied to input bytes before dot products: 0x80808080 or 0.
  let flip: V.I
  /// The quantized value of zero, as stored in memory and as read by dot products.
  let quantizedZero: UInt8
  let inputZero: Int32
  let panels: UnsafeRawPointer
  let bias: UnsafePointer<Int32>?
  let epilogue: DepthwiseByteEpilogue<V>
  let scratch: UnsafeMutableRawPointer

  /// The positions of the taps' inputs in the streams, in bytes.
  private var taps: UnsafeMutablePointer<Int> {
    @inline(__always) get { (scratch + plan.tapsOffset).assumingMemoryBound(to: Int.self) }
  }
  /// The initial sums of all vectors of a panel, and then their scales.
  private var table: UnsafeMutableRawPointer { @inline(__always) get { scratch + plan.tableOffset(geometry) } }
  /// The expanded weights of a panel.
  private var expanded: UnsafeMutableRawPointer { @inline(__always) get { scratch + plan.weightsOffset(geometry) } }
  private var streams: UnsafeMutableRawPointer { @inline(__always) get { scratch + plan.streamsOffset(geometry) } }

  /// Output vectors of a piece of one or two rows. In lines, vectors follow each other; in blocks, they belong to
  /// consecutive pixels.
  struct Piece {
    /// The index of the first output element of both rows.
    let first: Int
    let second: Int
    let hasSecond: Bool
    /// The number of vectors, of lanes in a vector, and of lanes in the last one.
    let count: Int
    let lanes: Int
    let lastLanes: Int
    /// The number of elements from a vector to the next one.
    let distance: Int
  }

  /// Computes output rows `first ..< last`.
  @inline(__always)
  func compute(first: Int, last: Int) {
    prepare()
    let strip = plan.strip
    var block = first
    while block < last {
      // Rows `block ..< block + distance`, and the rows `distance` below them.
      let blockEnd = min(last, block &+ strip.distance)
      var row = block
      while row < blockEnd {
        let second = row &+ strip.distance
        computeStrip(row, second: strip.outputs == 2 && second < last ? second : row)
        row &+= 1
      }
      block &+= strip.distance &* strip.outputs
    }
  }

  /// Writes the tables at the start of scratch memory.
  @inline(__always)
  private func prepare() {
    let g = geometry
    V.store(V.splat(Int32(truncatingIfNeeded: UInt32(quantizedZero) &* 0x0101_0101)), scratch)
    var tap = 0, group = 0, position = 0
    while group < plan.strip.groups {
      // The stream of a column of the window, and the pixel in the stream.
      var column = 0, stream = 0, pixel = 0
      while column < g.kernelWidth {
        taps[tap] = position &+ stream &* plan.streamBytes &+ pixel &* plan.pitch &* 4
        stream &+= g.columnDilation
        if plan.streams == 1 {
          pixel &+= stream
          stream = 0
        }
        while stream >= plan.streams {
          stream &-= plan.streams
          pixel &+= 1
        }
        column &+= 1
        tap &+= 1
      }
      position &+= plan.streams &* plan.streamBytes
      group &+= 1
    }
    guard plan.isLines else { return }
    expandWeights(panels)
    // The initial sums and the scales of all vectors of a line.
    if let bias { repeatChannels(bias, to: table) }
    if let scales = epilogue.scales { repeatChannels(scales, to: table + plan.vectors &* V.vectorBytes) }
    var vector = 0
    while vector < plan.vectors {
      let first = bias == nil ? V.I() : V.loadInts(table, vector)
      V.store(start(first, panels + vector &* V.vectorBytes), table + vector &* V.vectorBytes)
      vector &+= 1
    }
  }

  /// Returns the initial sums: the bias minus the contribution of the input's zero point.
  @inline(__always)
  private func start(_ bias: V.I, _ sums: UnsafeRawPointer) -> V.I { bias &- V.splat(inputZero) &* V.loadInts(sums) }

  /// Copies 32-bit values of channels to all lanes of a line's vectors.
  @inline(__always)
  private func repeatChannels(_ values: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    let channels = geometry.channels
    let lanes = plan.vectors &* V.lanes
    var lane = 0, channel = 0
    while lane < lanes {
      // Lanes past the last channel are overwritten next.
      let count = min(V.lanes, channels &- channel)
      let x = V.loadFirstInts(count, values + channel &* 4)
      if lane &+ V.lanes <= lanes {
        V.store(x, target + lane &* 4)
      } else {
        V.storeFirst(lanes &- lane, x, target + lane &* 4)
      }
      lane &+= count
      channel &+= count
      if channel >= channels { channel = 0 }
    }
  }

  /// Computes rows `row` and `second`, which are equal if there is no second row.
  @inline(__always)
  private func computeStrip(_ row: Int, second: Int) {
    let g = geometry
    let panelBytes = plan.panelBytes(g)
    var index = 0
    while index < plan.panelCount {
      let panel = panels + index &* panelBytes
      let channel = plan.isLines ? 0 : plan.firstChannel(panel: index, g, lanes: V.lanes)
      if !plan.isLines { prepareBlock(panel, channel) }
      var column = 0
      while column < g.outputWidth {
        let count = min(plan.columns, g.outputWidth &- column)
        gather(row, column, count, channel: channel)
        let lanes = plan.isLines ? V.lanes : min(V.lanes, g.channels)
        let vectors = plan.isLines ? vectors(count &* g.channels) : count
        let piece = Piece(
          first: (row &* g.outputWidth &+ column) &* g.outputPixelStride &+ channel,
          second: (second &* g.outputWidth &+ column) &* g.outputPixelStride &+ channel, hasSecond: second != row,
          count: vectors, lanes: lanes,
          lastLanes: plan.isLines ? count &* g.channels &- (vectors &- 1) &* V.lanes : lanes,
          distance: plan.isLines ? V.lanes : g.outputPixelStride)
        multiply(panel, piece)
        column &+= count
      }
      index &+= 1
    }
  }

  /// The size of a vector of weights as dot products read it.
  @inline(__always) private static var weightBytes: Int { MemoryLayout<V.WeightBytes>.size }

  /// Returns the number of planes of a panel.
  @inline(__always)
  private func planes(_ panel: UnsafeRawPointer) -> Int {
    Int(panel.loadUnaligned(fromByteOffset: plan.vectors &* V.vectorBytes, as: Int32.self))
  }

  /// Expands the weights of a panel, unless dot products read them as they are packed. That takes as long as the
  /// products of a column.
  @inline(__always)
  private func expandWeights(_ panel: UnsafeRawPointer) {
    guard V.expandsWeights else { return }
    V.expandWeights(
      panel + (plan.vectors &+ 1) &* V.vectorBytes, count: planes(panel) &* plan.planeVectors(geometry), to: expanded)
  }

  /// Returns the weights of a panel as dot products read them.
  @inline(__always)
  private func weights(_ panel: UnsafeRawPointer) -> UnsafeRawPointer {
    V.expandsWeights ? UnsafeRawPointer(expanded) : panel + (plan.vectors &+ 1) &* V.vectorBytes
  }

  /// Writes the initial sums, the scales, and the expanded weights of a block.
  @inline(__always)
  private func prepareBlock(_ panel: UnsafeRawPointer, _ channel: Int) {
    expandWeights(panel)
    let channels = geometry.channels
    @inline(__always) func values(_ pointer: UnsafeRawPointer) -> V.I {
      channels >= V.lanes ? V.loadInts(pointer + channel &* 4) : V.loadFirstInts(channels, pointer)
    }
    var first = V.I()
    if let bias { first = values(bias) }
    V.store(start(first, panel), table)
    if let scales = epilogue.scales { V.store(values(scales), table + V.vectorBytes) }
  }

  /// Returns the number of vectors with a number of lanes.
  @inline(__always)
  private func vectors(_ lanes: Int) -> Int {
    // The number of lanes is a power of two.
    (lanes &+ V.lanes &- 1) &>> V.lanes.trailingZeroBitCount
  }

  /// Interleaves the bytes for `count` output columns: for every group of rows, a lane contains the four rows' bytes.
  @inline(__always)
  private func gather(_ row: Int, _ column: Int, _ count: Int, channel: Int) {
    let g = geometry
    let span = DepthwiseRowPair.span(count, g)
    let top = row &* g.rowStride &- g.paddingTop
    let placing = Placing(self, span: span, channel: channel)
    let places = plan.places(g)
    var target = streams
    var group = 0
    while group < plan.strip.groups {
      let to = places ? scratch + plan.temporaryOffset(g) : target
      interleave(top, 4 &* group, column &* g.columnStride &- g.paddingLeft, span, placing, to: to)
      if places { place(placing, from: UnsafeRawPointer(to), to: target) }
      target += plan.streams &* plan.streamBytes
      group &+= 1
    }
  }

  /// How interleaved input lanes become lanes of outputs.
  private struct Placing {
    let span: Int
    /// The first input channel, and the number of input channels of a pixel.
    let firstInput: Int
    let inputs: Int
    /// The first output channel.
    let channel: Int

    @inline(__always)
    init(_ kernel: DepthwiseBytes, span: Int, channel: Int) {
      let g = kernel.geometry
      self.span = span
      self.channel = channel
      if g.multiplier > 1 {
        let count = g.channels / g.multiplier
        inputs = kernel.plan.isLines ? count : min(V.lanes, count)
        firstInput = max(0, min(channel / g.multiplier, count &- V.lanes))
      } else {
        inputs = kernel.plan.isLines ? g.channels : min(V.lanes, g.channels)
        firstInput = channel
      }
    }
  }

  @inline(__always)
  private func interleave(
    _ top: Int, _ slot: Int, _ left: Int, _ span: Int, _ placing: Placing, to target: UnsafeMutableRawPointer
  ) {
    let g = geometry
    let inner = min(span, max(0, 0 &- left)), innerEnd = max(inner, min(span, g.inputWidth &- left))
    let start = (left &+ inner) &* g.inputPixelStride &+ placing.firstInput
    var r0 = source(top, slot, start), r1 = source(top, slot &+ 1, start)
    var r2 = source(top, slot &+ 2, start), r3 = source(top, slot &+ 3, start)
    // A step is a vector of a line or a pixel of a block.
    let pixelLanes = plan.isLines ? placing.inputs : V.lanes
    let step = plan.isLines ? V.lanes : g.inputPixelStride
    let lanes = (innerEnd &- inner) &* pixelLanes
    let partial = plan.isLines ? lanes & (V.lanes &- 1) : placing.inputs
    let wholeEnd = plan.isLines ? lanes &- partial : partial == V.lanes ? lanes : 0
    fill(target, lanes: inner &* pixelLanes)
    let inside = target + inner &* pixelLanes &* 4
    let s0 = r0.isImage ? step : 0, s1 = r1.isImage ? step : 0, s2 = r2.isImage ? step : 0, s3 = r3.isImage ? step : 0
    var lane = 0
    @inline(__always) func put(_ x: V.I) {
      V.store(x ^ flip, inside + lane &* 4)
      r0.start += s0
      r1.start += s1
      r2.start += s2
      r3.start += s3
      lane &+= V.lanes
    }
    while lane < wholeEnd {
      put(
        V.interleaved(
          V.loadByteRow(r0.start), V.loadByteRow(r1.start), V.loadByteRow(r2.start), V.loadByteRow(r3.start)))
    }
    while lane < lanes {
      put(
        V.interleaved(
          V.loadFirstByteRow(partial, r0.start), V.loadFirstByteRow(partial, r1.start),
          V.loadFirstByteRow(partial, r2.start), V.loadFirstByteRow(partial, r3.start)))
    }
    fill(inside + lanes &* 4, lanes: (span &- innerEnd) &* pixelLanes)
  }

  /// Writes zeros to lanes, and up to a vector past them.
  @inline(__always)
  private func fill(_ target: UnsafeMutableRawPointer, lanes: Int) {
    let zero = V.splat(Int32(truncatingIfNeeded: UInt32(UInt8(truncatingIfNeeded: inputZero)) &* 0x0101_0101))
    var lane = 0
    while lane < lanes {
      V.store(zero, target + lane &* 4)
      lane &+= V.lanes
    }
  }

  /// One input row of a strip, or quantized zeros.
  private struct Source {
    var start: UnsafeRawPointer
    let isImage: Bool
  }

  @inline(__always)
  private func source(_ top: Int, _ slot: Int, _ offset: Int) -> Source {
    let g = geometry
    let y = top &+ slot &* g.rowDilation
    guard y >= 0, y < g.inputHeight, slot < g.kernelHeight &+ plan.strip.shift else {
      return Source(start: UnsafeRawPointer(scratch), isImage: false)
    }
    return Source(start: input + (y &* g.inputWidth &* g.inputPixelStride &+ offset), isImage: true)
  }

  /// Divides the pixels of a line among the streams, and repeats input channels for a multiplier.
  @inline(__always)
  private func place(_ placing: Placing, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    let g = geometry
    guard plan.isLines else {
      return copy(
        from: source, step: V.lanes, to: target, step: V.lanes, count: placing.span,
        first: placing.channel &- placing.firstInput &* g.multiplier)
    }
    if plan.streams > 1 {
      var stream = 0
      while stream < plan.streams {
        // Pixels `stream`, `stream + streams`, and so on.
        var pixel = stream, count = 0
        while pixel < placing.span {
          pixel &+= plan.streams
          count &+= 1
        }
        copy(
          from: source + stream &* placing.inputs &* 4, step: plan.streams &* placing.inputs,
          to: target + stream &* plan.streamBytes, step: g.channels, count: count, first: 0)
        stream &+= 1
      }
      return
    }
    // The lanes repeat the inputs in the same way every `multiplier` vectors.
    let count = vectors(placing.span &* g.channels)
    var vector = 0, from = 0, rest = 0
    while vector < min(count, g.multiplier) {
      var copies = 0, next = vector
      while next < count {
        next &+= g.multiplier
        copies &+= 1
      }
      copy(
        from: source + from &* 4, step: V.lanes, to: target + vector &* V.vectorBytes, step: g.multiplier &* V.lanes,
        count: copies, first: rest)
      rest &+= V.lanes
      while rest >= g.multiplier {
        rest &-= g.multiplier
        from &+= 1
      }
      vector &+= 1
    }
  }

  /// Copies vectors, with steps in lanes. Lane `i` of the target is lane `(first + i) / multiplier` of the source.
  @inline(__always)
  private func copy(
    from source: UnsafeRawPointer, step: Int, to target: UnsafeMutableRawPointer, step targetStep: Int, count: Int,
    first: Int
  ) {
    var from = source, to = target, index = 0
    if geometry.multiplier == 1 {
      // Wide stores would cross cache lines more often.
      @inline(__always) func forEach(_ copy: () -> Void) {
        while index < count {
          copy()
          from += step &* 4
          to += targetStep &* 4
          index &+= 1
        }
      }
      if targetStep == 1 && step == 2 {
        // A constant step becomes vector shuffles.
        while index < count {
          to.storeBytes(
            of: from.loadUnaligned(fromByteOffset: index &* 8, as: Int32.self), toByteOffset: index &* 4, as: Int32.self
          )
          index &+= 1
        }
      } else if targetStep == 1 {
        forEach { to.storeBytes(of: from.loadUnaligned(as: Int32.self), as: Int32.self) }
      } else if targetStep <= 4 {
        forEach { to.storeBytes(of: from.loadUnaligned(as: SIMD4<Int32>.self), as: SIMD4<Int32>.self) }
      } else {
        forEach { V.store(V.loadInts(from), to) }
      }
      return
    }
    let numbers = V.toFloat(V.ramp() &+ V.splat(Int32(truncatingIfNeeded: first))) + V.splat(0.5)
    let lanes = V.toIntTruncating(numbers * V.splat(1 / Float(geometry.multiplier)))
    while index < count {
      V.store(V.permuted(V.loadInts(from), lanes), to)
      from += step &* 4
      to += targetStep &* 4
      index &+= 1
    }
  }

  @inline(__always)
  private func multiply(_ panel: UnsafeRawPointer, _ piece: Piece) {
    let planes = planes(panel)
    let g = geometry
    if piece.count < 4 {
      var vector = 0, phase = 0
      while vector < piece.count {
        sweepSingle(panel, piece, vector, phase: phase, planes: planes)
        phase = phase &+ 1 == plan.period ? 0 : phase &+ 1
        vector &+= 1
      }
    } else if plan.vectors == 1 {
      // The most common windows get loops with constant bounds.
      let isCommon =
        V.hasLoopsForCommonWindows && planes == 1 && !plan.isLines && g.kernelWidth == 3 && plan.strip.groups == 1
        && g.columnDilation == 1
      if isCommon && g.columnStride == 1 && plan.strip.outputs == 2 {
        sweep(panel, piece, planes: 1, outputs: 2, isShared: true, width: 3, stride: 1)
      } else if isCommon && g.columnStride == 2 && plan.strip.outputs == 1 {
        sweep(panel, piece, planes: 1, outputs: 1, isShared: true, width: 3, stride: 2)
      } else if plan.strip.outputs == 2 {
        sweep(panel, piece, planes: planes, outputs: 2, isShared: true)
      } else {
        sweep(panel, piece, planes: planes, outputs: 1, isShared: true)
      }
    } else if plan.strip.outputs == 2 {
      sweep(panel, piece, planes: planes, outputs: 2, isShared: false)
    } else {
      sweep(panel, piece, planes: planes, outputs: 1, isShared: false)
    }
  }

  /// Computes four vectors of all rows of the strip at a time. The last four overlap the previous ones if necessary.
  ///
  /// - Parameters:
  ///   - isShared: Whether all vectors have the same weights.
  ///   - width, stride: The window of up to four rows of a block without dilation, or 0 to read the positions of taps.
  @inline(__always)
  private func sweep(
    _ panel: UnsafeRawPointer, _ piece: Piece, planes: Int, outputs: Int, isShared: Bool, width: Int = 0,
    stride: Int = 0
  ) {
    let tapCount = plan.strip.groups &* geometry.kernelWidth
    let unitBytes = stride > 0 ? stride &* V.vectorBytes : plan.unitBytes
    let vectors = isShared ? 1 : plan.vectors, weightBytes = vectors &* Self.weightBytes
    var vector = 0, phase = 0
    while vector < piece.count {
      let first = min(vector, piece.count &- 4)
      if !isShared {
        phase &-= vector &- first
        while phase < 0 { phase &+= plan.period }
      }
      let starts = UnsafeRawPointer(table) + phase &* V.vectorBytes
      @inline(__always) func start(_ index: Int) -> V.I { V.loadInts(starts, isShared ? 0 : index) }
      var a0 = start(0), a1 = start(1), a2 = start(2), a3 = start(3), b0 = a0, b1 = a1, b2 = a2, b3 = a3
      let inputs = UnsafeRawPointer(streams) + first &* unitBytes
      let panelWeights = self.weights(panel) + phase &* Self.weightBytes
      /// Adds to vector `first + from` and the next one or three.
      @inline(__always)
      func accumulate(_ from: Int, isWide: Bool, _ a0: inout V.I, _ a1: inout V.I, _ b0: inout V.I, _ b1: inout V.I) {
        var weights = panelWeights + (isShared ? 0 : from) &* Self.weightBytes
        var plane = 0
        while plane < planes {
          @inline(__always) func addTap(_ position: Int) {
            let x = inputs + (position &+ from &* unitBytes)
            let second = weights + weightBytes
            @inline(__always) func add(_ index: Int, _ a: inout V.I, _ b: inout V.I) {
              let w = isShared ? 0 : index &* Self.weightBytes
              let bytes = V.inputBytes(V.loadInts(x + index &* unitBytes), flip: V.I())
              a = V.dot(a, bytes, V.loadWeights(weights + w))
              if outputs == 2 { b = V.dot(b, bytes, V.loadWeights(second + w)) }
            }
            add(0, &a0, &b0)
            add(1, &a1, &b1)
            if isWide {
              add(2, &a2, &b2)
              add(3, &a3, &b3)
            }
            weights += outputs &* weightBytes
          }
          var tap = 0
          while tap < width {
            addTap(tap &* V.vectorBytes)
            tap &+= 1
          }
          while width == 0 && tap < tapCount {
            addTap(taps[tap])
            tap &+= 1
          }
          plane &+= 1
        }
      }
      if V.splitsBytes && !isShared {
        accumulate(0, isWide: false, &a0, &a1, &b0, &b1)
        accumulate(2, isWide: false, &a2, &a3, &b2, &b3)
      } else {
        accumulate(0, isWide: true, &a0, &a1, &b0, &b1)
      }
      let scales = starts + vectors &* V.vectorBytes
      let lastLanes = first &+ 4 == piece.count ? piece.lastLanes : piece.lanes
      let offset = first &* piece.distance
      epilogue.store(a0, a1, a2, a3, scales, isShared, element: piece.first &+ offset, piece, lastLanes)
      if outputs == 2 && piece.hasSecond {
        epilogue.store(b0, b1, b2, b3, scales, isShared, element: piece.second &+ offset, piece, lastLanes)
      }
      vector &+= 4
      if !isShared {
        phase &+= 4
        while phase >= plan.period { phase &-= plan.period }
      }
    }
  }

  /// Computes one vector of all rows of the strip.
  @inline(__always)
  private func sweepSingle(_ panel: UnsafeRawPointer, _ piece: Piece, _ vector: Int, phase: Int, planes: Int) {
    let tapCount = plan.strip.groups &* geometry.kernelWidth
    let inputs = UnsafeRawPointer(streams) + vector &* plan.unitBytes
    let start = UnsafeRawPointer(table) + phase &* V.vectorBytes
    var output = 0
    while output < plan.strip.outputs {
      var sum = V.loadInts(start)
      var weights = self.weights(panel) + (phase &+ output &* plan.vectors) &* Self.weightBytes
      var plane = 0
      while plane < planes {
        var tap = 0
        while tap < tapCount {
          let x = V.inputBytes(V.loadInts(inputs + taps[tap]), flip: V.I())
          sum = V.dot(sum, x, V.loadWeights(weights))
          weights += plan.strip.outputs &* plan.vectors &* Self.weightBytes
          tap &+= 1
        }
        plane &+= 1
      }
      if output == 0 || piece.hasSecond {
        epilogue.store(
          sum, start + plan.vectors &* V.vectorBytes,
          element: (output == 0 ? piece.first : piece.second) &+ vector &* piece.distance,
          count: vector &+ 1 == piece.count ? piece.lastLanes : piece.lanes)
      }
      output &+= 1
    }
  }
}
