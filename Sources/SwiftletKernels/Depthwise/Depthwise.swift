// Goals, in order: each output is one chain over its taps in order, so how rows and channels are shared out changes
// nothing; taps outside the image are skipped, not read; inputs that neighbouring outputs share are loaded once.

/// One depthwise convolution: channels are the vector, four neighbouring outputs of a row a tile.
struct Depthwise<V: VectorISA, Element: DepthwiseElement, Epilogue: DepthwiseEpilogue>
where Element.V == V, Epilogue.V == V {
  let geometry: DepthwiseGeometry
  let input: UnsafeRawPointer
  let weights: UnsafePointer<Float>
  let element: Element
  let epilogue: Epilogue

  /// Computes output rows `first ..< last`.
  @inline(always)
  func compute(first: Int, last: Int) {
    var row = first
    while row < last {
      computeRow(row)
      row &+= 1
    }
  }

  @inline(always)
  private func computeRow(_ row: Int) {
    let g = geometry
    let top = row &* g.rowStride &- g.paddingTop
    let (tapRow, tapRowEnd) = DepthwiseGeometry.taps(
      g.kernelHeight, from: top, dilation: g.rowDilation, size: g.inputHeight)
    let window = Window(
      rows: tapRowEnd &- tapRow,
      input: input + (top &+ tapRow &* g.rowDilation) &* g.inputWidth &* g.inputPixelStride &* Element.bytes,
      inputRowStride: g.rowDilation &* g.inputWidth &* g.inputPixelStride &* Element.bytes,
      weights: weights + tapRow &* g.kernelWidth &* g.tapStride, output: row &* g.outputWidth &* g.outputPixelStride)
    // Outputs whose windows lie within the row, from `inner` on; the others are done one by one.
    var inner = 0
    while inner < g.outputWidth && inner &* g.columnStride < g.paddingLeft { inner &+= 1 }
    var innerEnd = g.outputWidth
    let reach = (g.kernelWidth &- 1) &* g.columnDilation &- g.paddingLeft
    while innerEnd > inner && (innerEnd &- 1) &* g.columnStride &+ reach >= g.inputWidth { innerEnd &-= 1 }
    if innerEnd &- inner < 4 || g.channels < V.lanes {
      computeSingles(window, 0, g.outputWidth)
      return
    }
    computeSingles(window, 0, inner)
    computeSingles(window, innerEnd, g.outputWidth)
    var column = inner
    while column < innerEnd {
      // The last tile overlaps the one before it, if it must, and repeats some outputs.
      let start = min(column, innerEnd &- 4)
      if g.kernelWidth == 3 && g.columnDilation == 1 && g.columnStride == 1 {
        computeTile(window, start, kernelWidth: 3, columnStride: 1, columnDilation: 1)
      } else if g.kernelWidth == 3 && g.columnDilation == 1 && g.columnStride == 2 {
        computeTile(window, start, kernelWidth: 3, columnStride: 2, columnDilation: 1)
      } else if g.kernelWidth == 5 && g.columnDilation == 1 && g.columnStride == 1 {
        computeTile(window, start, kernelWidth: 5, columnStride: 1, columnDilation: 1)
      } else {
        computeTile(
          window, start, kernelWidth: g.kernelWidth, columnStride: g.columnStride, columnDilation: g.columnDilation)
      }
      column &+= 4
    }
  }

  /// The taps of one output row that lie within the image's height.
  private struct Window {
    let rows: Int
    let input: UnsafeRawPointer
    let inputRowStride: Int
    let weights: UnsafePointer<Float>
    /// The first element of the output row.
    let output: Int
  }

  /// Four outputs from `column` on, all channels. Where width, stride and dilation are constants the loop over a row of
  /// taps is unrolled, and inputs that outputs share stay in registers.
  @inline(always)
  private func computeTile(_ window: Window, _ column: Int, kernelWidth: Int, columnStride: Int, columnDilation: Int) {
    let pixel = geometry.inputPixelStride &* Element.bytes
    let first = window.input + (column &* geometry.columnStride &- geometry.paddingLeft) &* pixel
    let step = columnStride &* pixel
    let tapStep = columnDilation &* pixel
    let output = window.output &+ column &* geometry.outputPixelStride
    let weightRow = geometry.kernelWidth &* geometry.tapStride
    var channel = 0
    while channel < geometry.channels {
      // Likewise for the last vector of channels.
      let start = min(channel, geometry.channels &- V.lanes)
      var c0 = epilogue.start(channel: start)
      var c1 = c0, c2 = c0, c3 = c0
      var source = first + start &* Element.bytes
      var taps = window.weights + start
      var row = 0
      while row < window.rows {
        var tap = 0
        while tap < kernelWidth {
          let weight: V.F = V.load(taps + tap &* geometry.tapStride)
          let x = source + tap &* tapStep
          c0 = V.multiplyAdd(element.load(x), weight, c0)
          c1 = V.multiplyAdd(element.load(x + step), weight, c1)
          c2 = V.multiplyAdd(element.load(x + 2 &* step), weight, c2)
          c3 = V.multiplyAdd(element.load(x + 3 &* step), weight, c3)
          tap &+= 1
        }
        source += window.inputRowStride
        taps += weightRow
        row &+= 1
      }
      let target = output &+ start
      epilogue.store(c0, element: target, channel: start)
      epilogue.store(c1, element: target &+ geometry.outputPixelStride, channel: start)
      epilogue.store(c2, element: target &+ 2 &* geometry.outputPixelStride, channel: start)
      epilogue.store(c3, element: target &+ 3 &* geometry.outputPixelStride, channel: start)
      channel &+= V.lanes
    }
  }

  /// Outputs `column ..< end` one by one, with whatever taps lie within the row, and any number of channels.
  @inline(always)
  private func computeSingles(_ window: Window, _ column: Int, _ end: Int) {
    let g = geometry
    let pixel = g.inputPixelStride &* Element.bytes
    let weightRow = g.kernelWidth &* g.tapStride
    var column = column
    while column < end {
      let left = column &* g.columnStride &- g.paddingLeft
      let (firstTap, lastTap) = DepthwiseGeometry.taps(
        g.kernelWidth, from: left, dilation: g.columnDilation, size: g.inputWidth)
      let input = window.input + (left &+ firstTap &* g.columnDilation) &* pixel
      let weights = window.weights + firstTap &* g.tapStride
      let output = window.output &+ column &* g.outputPixelStride
      let tapCount = lastTap &- firstTap
      var channel = 0
      while channel < g.channels {
        let count = min(V.lanes, g.channels &- channel)
        let isWhole = count == V.lanes
        var sum = isWhole ? epilogue.start(channel: channel) : epilogue.startFirst(count, channel: channel)
        var row = 0
        while row < window.rows {
          var x = input + (row &* window.inputRowStride &+ channel &* Element.bytes)
          var weight = weights + (row &* weightRow &+ channel)
          var tap = 0
          while tap < tapCount {
            if isWhole {
              sum = V.multiplyAdd(element.load(x), V.load(weight), sum)
            } else {
              sum = V.multiplyAdd(element.loadFirst(count, x), V.loadFirst(count, weight), sum)
            }
            x += g.columnDilation &* pixel
            weight += g.tapStride
            tap &+= 1
          }
          row &+= 1
        }
        if isWhole {
          epilogue.store(sum, element: output &+ channel, channel: channel)
        } else {
          epilogue.storeFirst(count, sum, element: output &+ channel, channel: channel)
        }
        channel &+= V.lanes
      }
      column &+= 1
    }
  }
}
