import SwiftletKernels

// Goals, in order: each output is one chain over its taps in order, so the split of rows and channels doesn't affect
// results. The instruction-set kernels process the window in column-major order, and their results are bit-exact with
// XNNPACK. The portable kernels, which bit-exact numerics use, process it in row-major order, like the reference. Taps
// outside the image are skipped without being read. Neither vector lanes nor multiply-add units idle for long.

/// A float32 depthwise convolution.
///
/// AVX-512 kernels compute blocks of several rows (`computeBlocks`), and AVX2 kernels do so if channels fill a vector.
/// Otherwise, four adjacent outputs of a row are a tile, and vectors hold channels. If channels fill a
/// fraction of a vector and the stride is 1, as many adjacent outputs as fill a vector are computed at once, because
/// their inputs are contiguous for every tap. At the ends of a row, where outputs have different taps, a tile is four
/// vectors of channels.
struct FloatDepthwise<V: VectorISA> {
  let geometry: DepthwiseGeometry
  let input: UnsafeRawPointer
  let weights: UnsafeRawPointer
  let bias: UnsafeRawPointer?
  let output: UnsafeMutableRawPointer
  /// Bias and weights `[1 + taps, channels]`, repeated over the pixels of a group, or nil. The indices of the inputs of
  /// the channels precede them if inputs are gathered.
  let repeated: UnsafeRawPointer?
  /// Memory for one `WindowRow` per row of the kernel. The pointers of a row are read from memory, because the compiler
  /// would otherwise keep one pointer for every load of a tile, which exceeds the registers. Blocks use it for pointers to
  /// image rows.
  let rows: UnsafeMutablePointer<WindowRow>
  let lower: Float
  let upper: Float

  /// A row of taps: the start of the image row, and the weights.
  struct WindowRow {
    let input: UnsafeRawPointer
    let weights: UnsafeRawPointer
    let repeated: UnsafeRawPointer
  }

  /// Calls `body` for every row and column of a window.
  @inline(__always)
  private static func forEachTap(
    _ rows: UnsafeMutablePointer<WindowRow>, _ rowCount: Int, taps: Int,
    _ body: (_ row: WindowRow, _ tap: Int) -> Void
  ) {
    #if SWIFTLET_AVX2
      var tap = 0
      while tap < taps {
        var row = 0
        while row < rowCount {
          body((rows + row).pointee, tap)
          row &+= 1
        }
        tap &+= 1
      }
    #else
      var row = 0
      while row < rowCount {
        var tap = 0
        while tap < taps {
          body((rows + row).pointee, tap)
          tap &+= 1
        }
        row &+= 1
      }
    #endif
  }

  /// Whether channels that fill a vector are computed in blocks.
  @inline(__always) private static var computesBlocks: Bool {
    #if SWIFTLET_AVX2 || SWIFTLET_AVX512
      true
    #else
      false
    #endif
  }

  /// Computes output rows `first ..< last`.
  @inline(__always)
  func compute(first: Int, last: Int) {
    let fillsVectors = geometry.channels >= V.lanes && repeated == nil
    if Self.computesBlocks && (V.lanes == 16 || fillsVectors) { return computeBlocks(first, last) }
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
    let (inner, innerEnd) = innerColumns()
    let target = output + row &* g.outputWidth &* g.outputPixelStride &* 4
    let pixels = repeated == nil ? 1 : g.pixels
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

  /// Returns the outputs whose windows are inside the row.
  @inline(__always)
  func innerColumns() -> (first: Int, end: Int) {
    let g = geometry
    var inner = 0
    while inner < g.outputWidth && inner &* g.columnStride < g.paddingLeft { inner &+= 1 }
    var innerEnd = g.outputWidth
    let reach = (g.kernelWidth &- 1) &* g.columnDilation &- g.paddingLeft
    while innerEnd > inner && (innerEnd &- 1) &* g.columnStride &+ reach >= g.inputWidth { innerEnd &-= 1 }
    return (inner, innerEnd)
  }

  @inline(__always)
  private func computeInner(_ rowCount: Int, _ target: UnsafeMutableRawPointer, _ first: Int, _ end: Int) {
    let g = geometry
    let pixel = g.inputPixelStride &* 4
    var column = first
    while column < end {
      // The last tile overlaps the previous one if necessary, and repeats some outputs.
      let start = min(column, end &- 4)
      let tile = Tile(
        rows: rows, rowCount: rowCount, offset: (start &* g.columnStride &- g.paddingLeft) &* pixel, bias: bias,
        channels: g.channels, tapStride: g.tapStride &* 4, output: target + start &* g.outputPixelStride &* 4,
        outputStep: g.outputPixelStride &* 4, lower: lower, upper: upper)
      if Self.computesBlocks || g.channels < V.lanes {
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

  /// Four adjacent outputs, with all channels.
  private struct Tile {
    let rows: UnsafeMutablePointer<WindowRow>
    let rowCount: Int
    /// The distance from the start of an image row to the first input, in bytes.
    let offset: Int
    let bias: UnsafeRawPointer?
    let channels: Int
    let tapStride: Int
    let output: UnsafeMutableRawPointer
    let outputStep: Int
    let lower: Float
    let upper: Float

    /// Computes the tile. Steps are in bytes. If `stride` and `taps` are constants, `stride` is the stride; otherwise,
    /// it is 0. `isWhole` is false if there are fewer channels than lanes.
    @inline(__always)
    func compute(taps: Int, stride: Int = 0, step: Int, tapStep: Int, isWhole: Bool) {
      let low = V.splat(lower), high = V.splat(upper)
      @inline(__always) func load(_ pointer: UnsafeRawPointer) -> V.F {
        isWhole ? V.load(pointer) : V.loadFirst(channels, pointer)
      }
      var channel = 0
      if stride == 0 && isWhole {
        // Two vectors halve the work per tap that is not multiplication.
        while channel &+ 2 &* V.lanes <= channels {
          computePair(channel &* 4, taps: taps, step: step, tapStep: tapStep)
          channel &+= 2 &* V.lanes
        }
      }
      while channel < channels {
        // Likewise for the last vector of channels.
        let start = isWhole ? min(channel, channels &- V.lanes) &* 4 : 0
        var c0 = V.F()
        if let bias { c0 = load(bias + start) }
        var c1 = c0, c2 = c0, c3 = c0
        if V.keepsWindowRows && stride > 0 {
          var row = 0
          while row < rowCount {
            let window = (rows + row).pointee
            addRow(
              window.input + (offset &+ start), tapStep, weights: window.weights + start, taps: taps, stride: stride,
              &c0, &c1, &c2, &c3)
            row &+= 1
          }
        } else {
          FloatDepthwise.forEachTap(rows, rowCount, taps: taps) { row, tap in
            let x = row.input + (offset &+ start)
            // Every input has a single address expression, so that the compiler recognizes that outputs share it.
            @inline(__always) func input(_ index: Int) -> V.F {
              let distance: Int = stride > 0 ? (tap &+ index &* stride) &* tapStep : tap &* tapStep &+ index &* step
              return load(x + distance)
            }
            let w = load(row.weights + (start &+ tap &* tapStride))
            c0 = V.multiplyAdd(input(0), w, c0)
            c1 = V.multiplyAdd(input(1), w, c1)
            c2 = V.multiplyAdd(input(2), w, c2)
            c3 = V.multiplyAdd(input(3), w, c3)
          }
        }
        let target = output + start
        @inline(__always) func store(_ index: Int, _ sum: V.F) {
          let pointer = target + index &* outputStep
          if isWhole {
            V.store(V.clamp(sum, low, high), pointer)
          } else {
            #if SWIFTLET_AVX2
              V.storeParts(channels, V.clamp(sum, low, high), pointer)
            #else
              V.storeFirst(channels, V.clamp(sum, low, high), pointer)
            #endif
          }
        }
        store(0, c0)
        store(1, c1)
        store(2, c2)
        store(3, c3)
        channel &+= V.lanes
      }
    }

    /// Two vectors of channels of the four outputs.
    @inline(__always)
    private func computePair(_ start: Int, taps: Int, step: Int, tapStep: Int) {
      var a0 = V.F(), b0 = a0
      if let bias {
        a0 = V.load(bias + start, 0)
        b0 = V.load(bias + start, 1)
      }
      var a1 = a0, a2 = a0, a3 = a0, b1 = b0, b2 = b0, b3 = b0
      FloatDepthwise.forEachTap(rows, rowCount, taps: taps) { row, tap in
        let x0 = row.input + (offset &+ start &+ tap &* tapStep), x1 = x0 + step, x2 = x1 + step, x3 = x2 + step
        let weights = row.weights + (start &+ tap &* tapStride)
        let v = V.load(weights, 0), w = V.load(weights, 1)
        a0 = V.multiplyAdd(V.load(x0, 0), v, a0)
        b0 = V.multiplyAdd(V.load(x0, 1), w, b0)
        a1 = V.multiplyAdd(V.load(x1, 0), v, a1)
        b1 = V.multiplyAdd(V.load(x1, 1), w, b1)
        a2 = V.multiplyAdd(V.load(x2, 0), v, a2)
        b2 = V.multiplyAdd(V.load(x2, 1), w, b2)
        a3 = V.multiplyAdd(V.load(x3, 0), v, a3)
        b3 = V.multiplyAdd(V.load(x3, 1), w, b3)
      }
      let low = V.splat(lower), high = V.splat(upper)
      @inline(__always) func store(_ index: Int, _ a: V.F, _ b: V.F) {
        let pointer = output + (start &+ index &* outputStep)
        V.store(V.clamp(a, low, high), pointer)
        V.store(V.clamp(b, low, high), pointer + V.vectorBytes)
      }
      store(0, a0, b0)
      store(1, a1, b1)
      store(2, a2, b2)
      store(3, a3, b3)
    }

    /// One row of the window, whose inputs are loaded once for all four outputs. `taps` and `stride` are constants, at
    /// most 5 and 1, or 3 and 2; inputs and weights that these do not reach vanish when inlined.
    @inline(__always)
    private func addRow(
      _ x: UnsafeRawPointer, _ tapStep: Int, weights: UnsafeRawPointer, taps: Int, stride: Int, _ c0: inout V.F,
      _ c1: inout V.F, _ c2: inout V.F, _ c3: inout V.F
    ) {
      var input = x, weights = weights
      @inline(__always) func add(_ x0: V.F, _ x1: V.F, _ x2: V.F, _ x3: V.F) {
        let weight = V.loadSingle(weights)
        weights += tapStride
        c0 = V.multiplyAdd(x0, weight, c0)
        c1 = V.multiplyAdd(x1, weight, c1)
        c2 = V.multiplyAdd(x2, weight, c2)
        c3 = V.multiplyAdd(x3, weight, c3)
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

  /// Outputs of stride 1, four or eight vectors of `pixels` each at a time.
  @inline(__always)
  private func computeGroups(
    _ rowCount: Int, _ target: UnsafeMutableRawPointer, _ first: Int, _ end: Int, _ pixels: Int
  ) {
    var column = first
    // Eight vectors halve the work per tap that is not multiplication.
    while column &+ 8 &* pixels <= end {
      computeGroup(rowCount, target, column, pixels, isWide: true)
      column &+= 8 &* pixels
    }
    while column < end {
      // The last group overlaps the one before it, if it must, and repeats some outputs.
      computeGroup(rowCount, target, min(column, end &- 4 &* pixels), pixels, isWide: false)
      column &+= 4 &* pixels
    }
  }

  @inline(__always)
  private func computeGroup(
    _ rowCount: Int, _ target: UnsafeMutableRawPointer, _ left: Int, _ pixels: Int, isWide: Bool
  ) {
    let g = geometry
    let low = V.splat(lower), high = V.splat(upper)
    let tapStep = g.columnDilation &* g.channels &* 4
    let start = repeated.map { V.load($0) } ?? V.F()
    let offset = (left &- g.paddingLeft) &* g.channels &* 4
    var c0 = start, c1 = start, c2 = start, c3 = start, c4 = start, c5 = start, c6 = start, c7 = start
    // Vectors of pixels share no inputs: shown all taps at once, the compiler would only load too early.
    Self.forEachTap(rows, rowCount, taps: g.kernelWidth) { row, tap in
      let x = row.input + (offset &+ tap &* tapStep), w = V.load(row.repeated + tap &* V.vectorBytes)
      c0 = V.multiplyAdd(V.load(x, 0), w, c0)
      c1 = V.multiplyAdd(V.load(x, 1), w, c1)
      c2 = V.multiplyAdd(V.load(x, 2), w, c2)
      c3 = V.multiplyAdd(V.load(x, 3), w, c3)
      guard isWide else { return }
      c4 = V.multiplyAdd(V.load(x, 4), w, c4)
      c5 = V.multiplyAdd(V.load(x, 5), w, c5)
      c6 = V.multiplyAdd(V.load(x, 6), w, c6)
      c7 = V.multiplyAdd(V.load(x, 7), w, c7)
    }
    let pointer = target + left &* g.channels &* 4
    @inline(__always) func store(_ index: Int, _ sum: V.F) {
      V.store(V.clamp(sum, low, high), pointer + index &* V.vectorBytes)
    }
    store(0, c0)
    store(1, c1)
    store(2, c2)
    store(3, c3)
    guard isWide else { return }
    store(4, c4)
    store(5, c5)
    store(6, c6)
    store(7, c7)
  }

  /// Computes outputs `column ..< end` one by one, with the taps that are inside the row.
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
      while !Self.computesBlocks && channel &+ 4 &* V.lanes <= g.channels {
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

    /// Computes four vectors of channels.
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

    /// Computes up to one vector of channels.
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
