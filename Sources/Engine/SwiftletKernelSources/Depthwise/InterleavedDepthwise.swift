import SwiftletKernels

// Goals, in order: exact sums, so that the split of rows into tiles doesn't affect results; no access outside the
// image; full vectors of bytes from the image to the result, whose order packing restores.
/// A requantizing depthwise convolution of bytes, by streams (`InterleavedDepthwisePlan`).
struct InterleavedDepthwise<V: VectorISA> {
  let geometry: DepthwiseGeometry
  let plan: InterleavedDepthwisePlan
  let input: UnsafeRawPointer
  /// The flip that is applied to input bytes before dot products: 0x80808080 or 0.
  let flip: V.I
  /// The quantized value of zero, as stored in memory and as read by dot products.
  let quantizedZero: UInt8
  let inputZero: Int32
  let panels: UnsafeRawPointer
  let bias: UnsafePointer<Int32>?
  let scales: UnsafePointer<Float>
  let output: UnsafeMutableRawPointer
  let requantization: ByteRequantization<V>
  let scratch: UnsafeMutableRawPointer

  /// The parameters that convert scaled sums to bytes.
  struct ByteRequantization<ISA: VectorISA> {
    let zeroPoint: ISA.I
    let lower: ISA.I
    let upper: ISA.I
    let flip: ISA.I

    /// - Parameters:
    ///   - zeroPoint, lower, upper: The zero point and bounds, in the output's own range.
    @inline(__always)
    init(isSigned: Bool, zeroPoint: Int32, lower: Int32, upper: Int32) {
      // Bytes are packed as signed. For unsigned output, 128 is subtracted, which `flip` compensates.
      let shift: Int32 = isSigned ? 0 : 128
      let zero = zeroPoint &- shift
      self.zeroPoint = ISA.splat(zero &<< 16 | zero & 0xFFFF)
      self.lower = ISA.splat(((lower &- shift) & 0xFF) &* 0x0101_0101)
      self.upper = ISA.splat(((upper &- shift) & 0xFF) &* 0x0101_0101)
      flip = ISA.splat(isSigned ? 0 : Int32(bitPattern: 0x8080_8080))
    }
  }

  /// A piece of two output rows.
  struct Piece {
    /// The output locations of both rows.
    let first: UnsafeMutableRawPointer
    let second: UnsafeMutableRawPointer
    let hasSecond: Bool
    /// The distance between two chunks of output, in bytes.
    let chunkStride: Int
    /// The number of output bytes.
    let bytes: Int
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
    let taps = (scratch + plan.tapsOffset).assumingMemoryBound(to: UnsafeRawPointer.self)
    let streams = UnsafeRawPointer(part(0, 0))
    var tap = 0, panel = 0
    while tap < g.kernelWidth {
      let (stream, pixel) = plan.place(tap: tap, g)
      var quarter = 0
      while quarter < 4 {
        // In units of four channels. Every fourth unit is in the same part.
        let unit = pixel &* plan.pixelBytes &>> 2 &+ quarter
        taps[tap &* 4 &+ quarter] = streams + ((stream &* 4 &+ unit & 3) &* plan.partBytes &+ unit &>> 2 &* 16)
        quarter &+= 1
      }
      tap &+= 1
    }
    while panel < plan.panelCount {
      let table = table(panel)
      let sums = panels + (panel &* plan.panelBytes(g) &+ V.vectorBytes)
      let firstChannel = plan.firstChannel(panel: panel, channels: g.channels)
      var place = 0
      while place < 4 &* V.vectorBytes {
        let quarter = place / V.vectorBytes
        let byte = place &- quarter &* V.vectorBytes &+ quarter &* 4
        let channel = InterleavedDepthwisePlan.wrapped(firstChannel &+ byte, g.channels)
        var start = 0 &- sums.loadUnaligned(fromByteOffset: place, as: SIMD4<Int32>.self) &* inputZero
        if let bias { start = start &+ UnsafeRawPointer(bias + channel).loadUnaligned(as: SIMD4<Int32>.self) }
        let scale = UnsafeRawPointer(scales + channel).loadUnaligned(as: SIMD4<Float>.self)
        table.storeBytes(of: start, toByteOffset: place, as: SIMD4<Int32>.self)
        table.storeBytes(of: scale, toByteOffset: 4 &* V.vectorBytes &+ place, as: SIMD4<Float>.self)
        place &+= 16
      }
      if !plan.isBlocked { expandWeights(panel) }
      panel &+= 1
    }
  }

  /// Expands the weights of a panel, unless dot products read them as they are packed.
  @inline(__always)
  private func expandWeights(_ panel: Int) {
    guard V.expandsWeights else { return }
    let packed = panels + panel &* plan.panelBytes(geometry)
    let planes = Int(packed.loadUnaligned(as: Int32.self)), count = plan.planeVectors(geometry)
    var quarter = 0
    while quarter < 4 {
      V.expandWeights(
        packed + (5 &+ quarter &* 2 &* count) &* V.vectorBytes, count: planes &* count,
        to: expanded(panel) + quarter &* 2 &* count &* Self.weightBytes)
      quarter &+= 1
    }
  }

  /// The size of a vector of weights as dot products read it.
  @inline(__always) private static var weightBytes: Int { MemoryLayout<V.WeightBytes>.size }

  /// Returns the expanded weights of a panel. All blocks have the same memory.
  @inline(__always)
  private func expanded(_ panel: Int) -> UnsafeMutableRawPointer {
    scratch + (plan.weightsOffset(geometry) &+ (plan.isBlocked ? 0 : panel &* plan.expandedBytes(geometry)))
  }

  /// Returns the table of a panel: four vectors of initial sums and four of scales.
  @inline(__always)
  private func table(_ panel: Int) -> UnsafeMutableRawPointer {
    scratch + (plan.tablesOffset(geometry) &+ panel &* 8 &* V.vectorBytes)
  }

  /// Computes rows `row` and `second`, which are equal if there is no second row.
  @inline(__always)
  private func computeStrip(_ row: Int, second: Int) {
    let g = geometry
    let blocks = plan.isBlocked ? plan.panelCount : 1
    var block = 0
    while block < blocks {
      let channel = plan.isBlocked ? plan.firstChannel(panel: block, channels: g.channels) : 0
      if plan.isBlocked { expandWeights(block) }
      var column = 0
      while column < g.outputWidth {
        let count = min(plan.segment, g.outputWidth &- column)
        let rows = rows(top: row &* g.rowStride &- g.paddingTop, channel: channel)
        var stream = 0
        while stream < g.columnStride {
          gather(
            rows, stream: stream, first: column &+ plan.firstPixel, count: count &+ plan.halo, into: part(stream, 0))
          stream &+= 1
        }
        let piece = Piece(
          first: output + ((row &* g.outputWidth &+ column) &* g.channels &+ channel),
          second: output + ((second &* g.outputWidth &+ column) &* g.channels &+ channel), hasSecond: second != row,
          chunkStride: plan.isBlocked ? g.channels : V.vectorBytes, bytes: count &* plan.pixelBytes)
        if plan.isBlocked {
          multiply(block, piece, firstChunk: 0, step: 1)
        } else {
          var panel = 0
          while panel < plan.panelCount {
            multiply(panel, piece, firstChunk: panel, step: plan.panelCount)
            panel &+= 1
          }
        }
        column &+= count
      }
      block &+= 1
    }
  }

  @inline(__always)
  private func part(_ stream: Int, _ part: Int) -> UnsafeMutableRawPointer {
    scratch + (plan.streamsOffset(geometry) &+ (stream &* 4 &+ part) &* plan.partBytes)
  }

  /// One input row: chunks at a stride, or quantized zeros at stride 0.
  private struct Row {
    var start: UnsafeRawPointer
    var isImage: Bool
  }

  private struct Rows {
    var r0: Row
    var r1: Row
    var r2: Row
    var r3: Row
  }

  /// Returns four input rows. Rows outside the image or past the window are quantized zeros.
  @inline(__always)
  private func rows(top: Int, channel: Int) -> Rows {
    @inline(__always) func row(_ index: Int) -> Row {
      let g = geometry
      let y = top &+ index &* g.rowDilation
      guard y >= 0, y < g.inputHeight, index < g.kernelHeight &+ plan.strip.shift else {
        return Row(start: UnsafeRawPointer(scratch), isImage: false)
      }
      return Row(start: input + (y &* g.inputWidth &* g.channels &+ channel), isImage: true)
    }
    return Rows(r0: row(0), r1: row(1), r2: row(2), r3: row(3))
  }

  /// Interleaves four rows of a stream, starting at pixel `first`, which may be before the image.
  @inline(__always)
  private func gather(_ rows: Rows, stream: Int, first: Int, count: Int, into target: UnsafeMutableRawPointer) {
    let g = geometry
    let width = plan.streamWidth &+ (stream < plan.widerStreams ? 1 : 0)
    let before = min(count, max(0, 0 &- first))
    let start = first &+ before
    let pixels = max(0, min(width &- start, count &- before))
    let bytes = pixels &* plan.pixelBytes
    let offset = before &* plan.pixelBytes
    if before > 0 { fill(target, from: 0, to: offset) }
    if pixels > 0 {
      let from = (stream &+ start &* g.columnStride) &* g.channels
      interleave(rows, from: from, bytes: bytes, to: target, offset: offset)
    }
    if before &+ pixels < count { fill(target, from: offset &+ bytes, to: count &* plan.pixelBytes) }
  }

  /// Interleaves chunks of four rows into the four parts of a stream, starting at byte `offset` of the stream.
  @inline(__always)
  private func interleave(_ rows: Rows, from: Int, bytes: Int, to target: UnsafeMutableRawPointer, offset: Int) {
    // The position in the stream determines the part of a quarter of a chunk.
    let unit = offset &>> 2
    @inline(__always) func place(_ quarter: Int) -> UnsafeMutableRawPointer {
      target + ((unit &+ quarter) & 3 &* plan.partBytes &+ (unit &+ quarter) &>> 2 &* 16)
    }
    let p0 = place(0), p1 = place(1), p2 = place(2), p3 = place(3)
    @inline(__always) func put(_ a: V.I, _ b: V.I, _ c: V.I, _ d: V.I, _ position: Int) {
      let (x0, x1, x2, x3) = V.interleavedRows(a ^ flip, b ^ flip, c ^ flip, d ^ flip)
      V.store(x0, p0 + position)
      V.store(x1, p1 + position)
      V.store(x2, p2 + position)
      V.store(x3, p3 + position)
    }
    let step = plan.isBlocked ? geometry.columnStride &* geometry.channels : V.vectorBytes
    @inline(__always) func start(_ row: Row) -> UnsafeRawPointer { row.isImage ? row.start + from : row.start }
    var r0 = start(rows.r0), r1 = start(rows.r1), r2 = start(rows.r2), r3 = start(rows.r3)
    let s0 = rows.r0.isImage ? step : 0, s1 = rows.r1.isImage ? step : 0
    let s2 = rows.r2.isImage ? step : 0, s3 = rows.r3.isImage ? step : 0
    var position = 0
    while position &+ V.vectorBytes <= bytes {
      put(V.loadInts(r0), V.loadInts(r1), V.loadInts(r2), V.loadInts(r3), position)
      r0 += s0
      r1 += s1
      r2 += s2
      r3 += s3
      position &+= V.vectorBytes
    }
    if position < bytes {
      let count = (bytes &- position) &>> 2
      put(
        V.loadFirstInts(count, r0), V.loadFirstInts(count, r1), V.loadFirstInts(count, r2), V.loadFirstInts(count, r3),
        position)
    }
  }

  /// Writes zeros to bytes `from ..< to` of a stream, and up to a vector past them in each part.
  @inline(__always)
  private func fill(_ target: UnsafeMutableRawPointer, from: Int, to: Int) {
    let zero = V.splat(Int32(truncatingIfNeeded: UInt32(UInt8(truncatingIfNeeded: inputZero)) &* 0x0101_0101))
    var part = 0
    while part < 4 {
      // The part's first unit of four channels at or after `from`.
      var place = (from &>> 2 &- part &+ 3) &>> 2 &* 16
      let end = (to &>> 2 &- part &+ 3) &>> 2 &* 16
      while place < end {
        V.store(zero, target + (part &* plan.partBytes &+ place))
        place &+= V.vectorBytes
      }
      part &+= 1
    }
  }

  /// Multiplies chunks `firstChunk`, `firstChunk + step`, and so on of a piece, which have the same weights. The most
  /// common windows get loops with constant bounds.
  @inline(__always)
  private func multiply(_ panel: Int, _ piece: Piece, firstChunk: Int, step: Int) {
    let g = geometry
    let packed = panels + panel &* plan.panelBytes(g)
    let planes = Int(packed.loadUnaligned(as: Int32.self))
    let sweep = Sweep(
      weights: V.expandsWeights ? UnsafeRawPointer(expanded(panel)) : packed + 5 &* V.vectorBytes,
      table: UnsafeRawPointer(table(panel)), piece: piece)
    let isCommon = V.hasLoopsForCommonWindows && planes == 1 && g.kernelWidth == 3
    if plan.strip.outputs == 1 {
      if isCommon {
        run(sweep, firstChunk, step, planes: 1, width: 3, outputs: 1, rows: 1)
      } else {
        run(sweep, firstChunk, step, planes: planes, width: g.kernelWidth, outputs: 1, rows: 1)
      }
    } else if piece.hasSecond {
      if isCommon {
        run(sweep, firstChunk, step, planes: 1, width: 3, outputs: 2, rows: 2)
      } else {
        run(sweep, firstChunk, step, planes: planes, width: g.kernelWidth, outputs: 2, rows: 2)
      }
    } else {
      run(sweep, firstChunk, step, planes: planes, width: g.kernelWidth, outputs: 2, rows: 1)
    }
  }

  private struct Sweep {
    let weights: UnsafeRawPointer
    let table: UnsafeRawPointer
    let piece: Piece
  }

  /// The sums of a quarter of two chunks, for both rows.
  private struct Sums {
    var a0: V.I
    var a1: V.I
    var b0: V.I
    var b1: V.I
  }

  @inline(__always)
  private func run(
    _ sweep: Sweep, _ firstChunk: Int, _ step: Int, planes: Int, width: Int, outputs: Int, rows: Int
  ) {
    let bytes = sweep.piece.bytes
    var position = firstChunk &* V.vectorBytes
    let stride = step &* V.vectorBytes
    // Processes two full chunks at a time, then single chunks.
    while !V.splitsBytes && position &+ stride &+ V.vectorBytes <= bytes {
      computeChunks(sweep, position, stride, isPair: true, planes: planes, width: width, outputs: outputs, rows: rows)
      position &+= 2 &* stride
    }
    while position < bytes {
      computeChunks(sweep, position, stride, isPair: false, planes: planes, width: width, outputs: outputs, rows: rows)
      position &+= stride
    }
  }

  /// Computes the chunk at `position` of a piece, and the chunk `stride` after it. Weights are packed for `outputs`
  /// rows, and `rows` of them are computed. That number is a constant, because the optimizer would otherwise move half
  /// of the products behind a test.
  @inline(__always)
  private func computeChunks(
    _ sweep: Sweep, _ position: Int, _ stride: Int, isPair: Bool, planes: Int, width: Int, outputs: Int, rows: Int
  ) {
    let piece = sweep.piece
    let offset = piece.chunkStride == V.vectorBytes ? position : position / V.vectorBytes &* piece.chunkStride
    let left = isPair ? V.vectorBytes : piece.bytes &- position
    @inline(__always) func sums(_ quarter: Int) -> Sums {
      self.sums(
        sweep, quarter, position, stride, isPair: isPair, planes: planes, width: width, outputs: outputs, rows: rows)
    }
    let q0 = sums(0), q1 = sums(1), q2 = sums(2), q3 = sums(3)
    store(sweep, q0.a0, q1.a0, q2.a0, q3.a0, left, piece.first + offset)
    if rows == 2 { store(sweep, q0.b0, q1.b0, q2.b0, q3.b0, left, piece.second + offset) }
    guard isPair else { return }
    let next = offset &+ (piece.chunkStride == V.vectorBytes ? stride : piece.chunkStride)
    store(sweep, q0.a1, q1.a1, q2.a1, q3.a1, left, piece.first + next)
    if rows == 2 { store(sweep, q0.b1, q1.b1, q2.b1, q3.b1, left, piece.second + next) }
  }

  @inline(__always)
  private func sums(
    _ sweep: Sweep, _ quarter: Int, _ position: Int, _ stride: Int, isPair: Bool, planes: Int, width: Int, outputs: Int,
    rows: Int
  ) -> Sums {
    let start = V.loadInts(sweep.table, quarter)
    var sums = Sums(a0: start, a1: start, b0: start, b1: start)
    let taps = (scratch + plan.tapsOffset).assumingMemoryBound(to: UnsafeRawPointer.self) + quarter
    var weights = sweep.weights + quarter &* 2 &* width &* outputs &* Self.weightBytes
    let second = isPair ? stride : 0
    var plane = 0
    while plane < planes {
      var tap = 0
      while tap < width {
        let from = taps[tap &* 4] + position
        let w0 = V.loadWeights(weights)
        let w1 = rows == 2 ? V.loadWeights(weights + Self.weightBytes) : w0
        let x0 = V.inputBytes(V.loadInts(from), flip: V.I())
        sums.a0 = V.dot(sums.a0, x0, w0)
        if rows == 2 { sums.b0 = V.dot(sums.b0, x0, w1) }
        if isPair {
          let x1 = V.inputBytes(V.loadInts(from + second), flip: V.I())
          sums.a1 = V.dot(sums.a1, x1, w0)
          if rows == 2 { sums.b1 = V.dot(sums.b1, x1, w1) }
        }
        weights += outputs &* Self.weightBytes
        tap &+= 1
      }
      plane &+= 1
    }
    return sums
  }

  /// Stores the first `left` bytes of a chunk, or all of them.
  @inline(__always)
  private func store(
    _ sweep: Sweep, _ x0: V.I, _ x1: V.I, _ x2: V.I, _ x3: V.I, _ left: Int, _ target: UnsafeMutableRawPointer
  ) {
    @inline(__always) func scaled(_ x: V.I, _ quarter: Int) -> V.I {
      V.toIntInRange(V.toFloat(x) * V.load(sweep.table, 4 &+ quarter))
    }
    let r = requantization
    let bytes = V.saturatedRow(
      scaled(x0, 0), scaled(x1, 1), scaled(x2, 2), scaled(x3, 3), zeroPoint: r.zeroPoint, lower: r.lower,
      upper: r.upper, flip: r.flip)
    if left >= V.vectorBytes { V.store(bytes, target) } else { V.storeFirst(left &>> 2, bytes, target) }
  }
}
