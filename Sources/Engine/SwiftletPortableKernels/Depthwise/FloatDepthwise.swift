import SwiftletKernels

// Goals, in order: each output is one chain over its taps, row by row as in the reference, so how rows and channels are
// shared out changes nothing. Taps outside the image are skipped, not read; neither vector lanes nor multiply-add units
// idle for long.

/// Float32 depthwise convolution.
///
/// Inside a row four neighbouring outputs are a tile, and channels are the vector. Where channels are a fraction of a
/// vector and the stride is 1, as many neighbouring outputs as fill a vector are computed in one: their inputs lie side
/// by side, whichever tap they are for. At the ends of a row, where outputs differ in their taps, four vectors of
/// channels are a tile.
struct FloatDepthwise<V: VectorISA> {
  let geometry: DepthwiseGeometry
  let input: UnsafeRawPointer
  let weights: UnsafeRawPointer
  let bias: UnsafeRawPointer?
  let output: UnsafeMutableRawPointer
  /// Nil, or bias and weights `[1 + taps, lanes]`, repeated over the pixels of a vector.
  let repeated: UnsafeRawPointer?
  /// Room for a `WindowRow` for each row of the kernel. The pointers of a row go through memory, because the compiler,
  /// where it can follow them, keeps one for every load of a tile, more than there are registers.
  let rows: UnsafeMutablePointer<WindowRow>
  let lower: Float
  let upper: Float

  /// One row of taps: where the image row starts, and the weights.
  struct WindowRow {
    let input: UnsafeRawPointer
    let weights: UnsafeRawPointer
    let repeated: UnsafeRawPointer
  }

  /// Calls `body` for every row and column of a window.
  @inline(__always)
  private static func forEachTap(
    _ rows: UnsafeMutablePointer<WindowRow>, _ rowCount: Int, taps: Int, _ body: (_ row: WindowRow, _ tap: Int) -> Void
  ) {
    var row = 0
    while row < rowCount {
      var tap = 0
      while tap < taps {
        body((rows + row).pointee, tap)
        tap &+= 1
      }
      row &+= 1
    }
  }

  /// Computes output rows `first ..< last`.
  @inline(__always)
  func compute(first: Int, last: Int) {
    var row = first
    while row < last {
      computeRow(row)
      row &+= 1
    }
  }

  @inline(__always)
  private func computeRow(_ row: Int) {
    let g = geometry
    let top = row &* g.rowStride &- g.paddingTop
    let (tapRow, tapRowEnd) = DepthwiseGeometry.taps(
      g.kernelHeight, from: top, dilation: g.rowDilation, size: g.inputHeight)
    var tap = tapRow
    while tap < tapRowEnd {
      let imageRow = (top &+ tap &* g.rowDilation) &* g.inputWidth &* g.inputPixelStride &* 4
      let firstTap = tap &* g.kernelWidth
      (rows + (tap &- tapRow)).pointee = WindowRow(
        input: input + imageRow, weights: weights + firstTap &* g.tapStride &* 4,
        repeated: (repeated ?? weights) + (firstTap &+ 1) &* V.vectorBytes)
      tap &+= 1
    }
    let count = tapRowEnd &- tapRow
    // Outputs whose windows lie within the row, from `inner` on.
    var inner = 0
    while inner < g.outputWidth && inner &* g.columnStride < g.paddingLeft { inner &+= 1 }
    var innerEnd = g.outputWidth
    let reach = (g.kernelWidth &- 1) &* g.columnDilation &- g.paddingLeft
    while innerEnd > inner && (innerEnd &- 1) &* g.columnStride &+ reach >= g.inputWidth { innerEnd &-= 1 }

    let target = output + row &* g.outputWidth &* g.outputPixelStride &* 4
    // Channels that divide the lanes are a power of two; a division could trap.
    var pixels = 1
    while repeated != nil && pixels &* g.channels < V.lanes { pixels &*= 2 }
    if innerEnd &- inner < 4 &* pixels {
      computeEnds(count, target, 0, g.outputWidth)
      return
    }
    computeEnds(count, target, 0, inner)
    if repeated != nil {
      computeGroups(count, target, inner, innerEnd, pixels)
    } else {
      computeInner(count, target, inner, innerEnd)
    }
    computeEnds(count, target, innerEnd, g.outputWidth)
  }

  @inline(__always)
  private func computeInner(_ rowCount: Int, _ target: UnsafeMutableRawPointer, _ first: Int, _ end: Int) {
    let g = geometry
    let pixel = g.inputPixelStride &* 4
    var column = first
    while column < end {
      // The last tile overlaps the one before it, if it must, and repeats some outputs.
      let start = min(column, end &- 4)
      let tile = Tile(
        rows: rows, rowCount: rowCount, offset: (start &* g.columnStride &- g.paddingLeft) &* pixel, bias: bias,
        channels: g.channels, tapStride: g.tapStride &* 4, output: target + start &* g.outputPixelStride &* 4,
        outputStep: g.outputPixelStride &* 4, lower: lower, upper: upper)
      if g.channels < V.lanes {
        tile.compute(
          taps: g.kernelWidth, step: g.columnStride &* pixel, tapStep: g.columnDilation &* pixel, isWhole: false)
      } else if g.columnDilation == 1 && g.columnStride == 1 && g.kernelWidth == 3 {
        tile.compute(taps: 3, stride: 1, step: pixel, tapStep: pixel, isWhole: true)
      } else if g.columnDilation == 1 && g.columnStride == 1 && g.kernelWidth == 5 {
        tile.compute(taps: 5, stride: 1, step: pixel, tapStep: pixel, isWhole: true)
      } else if g.columnDilation == 1 && g.columnStride == 2 && g.kernelWidth == 3 {
        tile.compute(taps: 3, stride: 2, step: 2 &* pixel, tapStep: pixel, isWhole: true)
      } else {
        tile.compute(
          taps: g.kernelWidth, step: g.columnStride &* pixel, tapStep: g.columnDilation &* pixel, isWhole: true)
      }
      column &+= 4
    }
  }

  /// Four neighbouring outputs, all channels.
  private struct Tile {
    let rows: UnsafeMutablePointer<WindowRow>
    let rowCount: Int
    /// From the start of an image row to the first input.
    let offset: Int
    let bias: UnsafeRawPointer?
    let channels: Int
    let tapStride: Int
    let output: UnsafeMutableRawPointer
    let outputStep: Int
    let lower: Float
    let upper: Float

    /// The sums of one vector of channels.
    private struct Sums {
      var c0: V.F
      var c1: V.F
      var c2: V.F
      var c3: V.F

      @inline(__always)
      init(_ bias: V.F) { (c0, c1, c2, c3) = (bias, bias, bias, bias) }
    }

    /// Steps are in bytes. `stride` is the stride where it is a constant, as `taps` then is, and 0 elsewhere; `isWhole`
    /// is false where there are fewer channels than lanes.
    @inline(__always)
    func compute(taps: Int, stride: Int = 0, step: Int, tapStep: Int, isWhole: Bool) {
      var channel = 0
      if V.keepsTwoWindowRows && stride > 0 {
        while channel &+ 2 &* V.lanes <= channels {
          computePair(channel &* 4, taps: taps, stride: stride, tapStep: tapStep)
          channel &+= 2 &* V.lanes
        }
      }
      while channel < channels {
        // The last vector of channels overlaps the one before it, too.
        let start = isWhole ? min(channel, channels &- V.lanes) &* 4 : 0
        @inline(__always) func load(_ pointer: UnsafeRawPointer) -> V.F {
          isWhole ? V.load(pointer) : V.loadFirst(channels, pointer)
        }
        var sums = Sums(bias.map { load($0 + start) } ?? V.F())
        if V.keepsWindowRows && stride > 0 {
          forEachRow { addRow($0, start, tapStep, taps: taps, stride: stride, &sums) }
        } else {
          FloatDepthwise.forEachTap(rows, rowCount, taps: taps) { row, tap in
            let x = row.input + (offset &+ start &+ tap &* tapStep)
            let w = load(row.weights + (start &+ tap &* tapStride))
            sums.c0 = V.multiplyAdd(load(x), w, sums.c0)
            sums.c1 = V.multiplyAdd(load(x + step), w, sums.c1)
            sums.c2 = V.multiplyAdd(load(x + 2 &* step), w, sums.c2)
            sums.c3 = V.multiplyAdd(load(x + 3 &* step), w, sums.c3)
          }
        }
        store(sums, at: start, isWhole: isWhole)
        channel &+= V.lanes
      }
    }

    /// Two vectors of channels, whose eight sums keep two units busy that take four cycles for each.
    @inline(__always)
    private func computePair(_ start: Int, taps: Int, stride: Int, tapStep: Int) {
      let second = start &+ V.vectorBytes
      var sums = Sums(bias.map { V.load($0 + start) } ?? V.F())
      var others = Sums(bias.map { V.load($0 + second) } ?? V.F())
      forEachRow { row in
        addRow(row, start, tapStep, taps: taps, stride: stride, &sums)
        addRow(row, second, tapStep, taps: taps, stride: stride, &others)
      }
      store(sums, at: start, isWhole: true)
      store(others, at: second, isWhole: true)
    }

    @inline(__always)
    private func forEachRow(_ body: (WindowRow) -> Void) {
      var row = 0
      while row < rowCount {
        body((rows + row).pointee)
        row &+= 1
      }
    }

    @inline(__always)
    private func store(_ sums: Sums, at start: Int, isWhole: Bool) {
      let low = V.splat(lower), high = V.splat(upper)
      @inline(__always) func store(_ index: Int, _ sum: V.F) {
        let pointer = output + (start &+ index &* outputStep)
        if isWhole {
          V.store(V.clamp(sum, low, high), pointer)
        } else {
          V.storeFirst(channels, V.clamp(sum, low, high), pointer)
        }
      }
      store(0, sums.c0)
      store(1, sums.c1)
      store(2, sums.c2)
      store(3, sums.c3)
    }

    /// One row of the window, whose inputs are loaded once for all four outputs. `taps` and `stride` are constants, at
    /// most 5 and 1, or 3 and 2; inputs and weights that these do not reach vanish when inlined.
    @inline(__always)
    private func addRow(
      _ row: WindowRow, _ start: Int, _ tapStep: Int, taps: Int, stride: Int, _ sums: inout Sums
    ) {
      var input = row.input + (offset &+ start), weights = row.weights + start
      @inline(__always) func add(_ x0: V.F, _ x1: V.F, _ x2: V.F, _ x3: V.F) {
        let weight = V.loadSingle(weights)
        weights += tapStride
        sums.c0 = V.multiplyAdd(x0, weight, sums.c0)
        sums.c1 = V.multiplyAdd(x1, weight, sums.c1)
        sums.c2 = V.multiplyAdd(x2, weight, sums.c2)
        sums.c3 = V.multiplyAdd(x3, weight, sums.c3)
      }
      @inline(__always) func next() -> V.F {
        let x = V.loadSingle(input)
        input += tapStep
        return x
      }
      let x0 = next(), x1 = next(), x2 = next(), x3 = next(), x4 = next(), x5 = next()
      if stride == 1 {
        add(x0, x1, x2, x3)
        add(x1, x2, x3, x4)
        add(x2, x3, x4, x5)
        if taps == 5 {
          let x6 = next(), x7 = next()
          add(x3, x4, x5, x6)
          add(x4, x5, x6, x7)
        }
      } else {
        let x6 = next(), x7 = next(), x8 = next()
        add(x0, x2, x4, x6)
        add(x1, x3, x5, x7)
        add(x2, x4, x6, x8)
      }
    }
  }

  /// Outputs of stride 1, four vectors of `pixels` each at a time.
  @inline(__always)
  private func computeGroups(
    _ rowCount: Int, _ target: UnsafeMutableRawPointer, _ first: Int, _ end: Int, _ pixels: Int
  ) {
    let g = geometry
    let low = V.splat(lower), high = V.splat(upper)
    let tapStep = g.columnDilation &* g.channels &* 4
    let start = repeated.map { V.load($0) } ?? V.F()
    var column = first
    while column < end {
      let left = min(column, end &- 4 &* pixels)
      let offset = (left &- g.paddingLeft) &* g.channels &* 4
      var c0 = start, c1 = start, c2 = start, c3 = start
      Self.forEachTap(rows, rowCount, taps: g.kernelWidth) { row, tap in
        let x = row.input + (offset &+ tap &* tapStep), w = V.load(row.repeated + tap &* V.vectorBytes)
        c0 = V.multiplyAdd(V.load(x, 0), w, c0)
        c1 = V.multiplyAdd(V.load(x, 1), w, c1)
        c2 = V.multiplyAdd(V.load(x, 2), w, c2)
        c3 = V.multiplyAdd(V.load(x, 3), w, c3)
      }
      let pointer = target + left &* g.channels &* 4
      V.store(V.clamp(c0, low, high), pointer)
      V.store(V.clamp(c1, low, high), pointer + V.vectorBytes)
      V.store(V.clamp(c2, low, high), pointer + 2 &* V.vectorBytes)
      V.store(V.clamp(c3, low, high), pointer + 3 &* V.vectorBytes)
      column &+= 4 &* pixels
    }
  }

  /// Outputs `column ..< end` one by one, with whatever taps lie within the row.
  @inline(__always)
  private func computeEnds(_ rowCount: Int, _ target: UnsafeMutableRawPointer, _ column: Int, _ end: Int) {
    let g = geometry
    let pixel = g.inputPixelStride &* 4
    var column = column
    while column < end {
      let left = column &* g.columnStride &- g.paddingLeft
      let (firstTap, lastTap) = DepthwiseGeometry.taps(
        g.kernelWidth, from: left, dilation: g.columnDilation, size: g.inputWidth)
      let window = End(
        rows: rows, rowCount: rowCount, offset: (left &+ firstTap &* g.columnDilation) &* pixel,
        weightOffset: firstTap &* g.tapStride &* 4, taps: lastTap &- firstTap, tapStep: g.columnDilation &* pixel,
        tapStride: g.tapStride &* 4, bias: bias, output: target + column &* g.outputPixelStride &* 4, lower: lower,
        upper: upper)
      var channel = 0
      while channel &+ 4 &* V.lanes <= g.channels {
        window.computeFour(channel &* 4)
        channel &+= 4 &* V.lanes
      }
      while channel < g.channels {
        window.computeFirst(min(V.lanes, g.channels &- channel), channel &* 4)
        channel &+= V.lanes
      }
      column &+= 1
    }
  }

  /// One output at the end of a row. Offsets and steps are in bytes.
  private struct End {
    let rows: UnsafeMutablePointer<WindowRow>
    let rowCount: Int
    let offset: Int
    let weightOffset: Int
    let taps: Int
    let tapStep: Int
    let tapStride: Int
    let bias: UnsafeRawPointer?
    let output: UnsafeMutableRawPointer
    let lower: Float
    let upper: Float

    /// Four vectors of channels.
    @inline(__always)
    func computeFour(_ start: Int) {
      var c0 = V.F(), c1 = c0, c2 = c0, c3 = c0
      if let bias {
        c0 = V.load(bias + start, 0)
        c1 = V.load(bias + start, 1)
        c2 = V.load(bias + start, 2)
        c3 = V.load(bias + start, 3)
      }
      FloatDepthwise.forEachTap(rows, rowCount, taps: taps) { row, tap in
        let x = row.input + (offset &+ start &+ tap &* tapStep)
        let weight = row.weights + (weightOffset &+ start &+ tap &* tapStride)
        c0 = V.multiplyAdd(V.load(x, 0), V.load(weight, 0), c0)
        c1 = V.multiplyAdd(V.load(x, 1), V.load(weight, 1), c1)
        c2 = V.multiplyAdd(V.load(x, 2), V.load(weight, 2), c2)
        c3 = V.multiplyAdd(V.load(x, 3), V.load(weight, 3), c3)
      }
      let low = V.splat(lower), high = V.splat(upper)
      let pointer = output + start
      V.store(V.clamp(c0, low, high), pointer)
      V.store(V.clamp(c1, low, high), pointer + V.vectorBytes)
      V.store(V.clamp(c2, low, high), pointer + 2 &* V.vectorBytes)
      V.store(V.clamp(c3, low, high), pointer + 3 &* V.vectorBytes)
    }

    /// Up to one vector of channels.
    @inline(__always)
    func computeFirst(_ count: Int, _ start: Int) {
      var sum = V.F()
      if let bias { sum = V.loadFirst(count, bias + start) }
      FloatDepthwise.forEachTap(rows, rowCount, taps: taps) { row, tap in
        sum = V.multiplyAdd(
          V.loadFirst(count, row.input + (offset &+ start &+ tap &* tapStep)),
          V.loadFirst(count, row.weights + (weightOffset &+ start &+ tap &* tapStride)), sum)
      }
      V.storeFirst(count, V.clamp(sum, V.splat(lower), V.splat(upper)), output + start)
    }
  }
}
