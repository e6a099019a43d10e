import SwiftletKernels

struct FloatMaximumPooling<V: VectorISA>: PoolingRule {
  let lower: Float
  let upper: Float

  @inline(__always) static var elementBytes: Int { 4 }
  @inline(__always) var start: V.F { V.splat(-Float.greatestFiniteMagnitude) }
  @inline(__always) func load(_ pointer: UnsafeRawPointer) -> V.F { V.load(pointer) }
  @inline(__always) func loadFirst(_ count: Int, _ pointer: UnsafeRawPointer) -> V.F { V.loadFirst(count, pointer) }
  /// Ignores NaN elements, as the reference does.
  @inline(__always) func add(_ sum: V.F, _ x: V.F) -> V.F { V.maximum(x, sum) }
  @inline(__always) func store(_ sum: V.F, taps: Int, _ pointer: UnsafeMutableRawPointer) {
    V.store(V.clamp(sum, V.splat(lower), V.splat(upper)), pointer)
  }
  @inline(__always) func storeFirst(_ count: Int, _ sum: V.F, taps: Int, _ pointer: UnsafeMutableRawPointer) {
    V.storeFirst(count, V.clamp(sum, V.splat(lower), V.splat(upper)), pointer)
  }
}

/// Average pooling of floats.
///
/// Adds the taps of the window in column-major order, nine at a time, with zeros for taps outside the image. This is
/// the order of XNNPACK's average pooling, so that results are bit-exact with it.
struct FloatAveragePooling<V: VectorISA> {
  let geometry: DepthwiseGeometry
  let input: UnsafeRawPointer
  let output: UnsafeMutableRawPointer
  let lower: Float
  let upper: Float

  /// Computes output rows `first ..< last`.
  @inline(__always)
  func compute(first: Int, last: Int) {
    let g = geometry
    var row = first
    while row < last {
      var column = 0
      while column < g.outputWidth {
        let window = Window(geometry, row: row, column: column)
        let target = output + (row &* g.outputWidth &+ column) &* g.outputPixelStride &* 4
        // A quotient of two counts. The window contains at least one element of the image.
        let factor = V.splat(1 / Float(max(1, window.insideCount)))
        var channel = 0
        while channel < g.channels {
          let count = min(V.lanes, g.channels &- channel)
          let sum =
            window.isSquareOfFour(g) ? sumOfFour(window, channel, count) : sum(window, channel: channel, count: count)
          let mean = sum * factor
          V.storeFirst(count, V.clamp(mean, V.splat(lower), V.splat(upper)), target + channel &* 4)
          channel &+= V.lanes
        }
        column &+= 1
      }
      row &+= 1
    }
  }

  /// The location of a window, in input pixels.
  private struct Window {
    let top: Int
    let left: Int
    let rows: (lower: Int, upper: Int)
    let columns: (lower: Int, upper: Int)

    @inline(__always)
    init(_ g: DepthwiseGeometry, row: Int, column: Int) {
      top = row &* g.rowStride &- g.paddingTop
      left = column &* g.columnStride &- g.paddingLeft
      rows = DepthwiseGeometry.taps(g.kernelHeight, from: top, dilation: g.rowDilation, size: g.inputHeight)
      columns = DepthwiseGeometry.taps(g.kernelWidth, from: left, dilation: g.columnDilation, size: g.inputWidth)
    }

    /// Returns whether all taps are inside the image.
    @inline(__always)
    func isInside(_ g: DepthwiseGeometry) -> Bool {
      rows.lower == 0 && rows.upper == g.kernelHeight && columns.lower == 0 && columns.upper == g.kernelWidth
    }

    @inline(__always) var insideCount: Int { (rows.upper &- rows.lower) &* (columns.upper &- columns.lower) }

    /// Returns whether the window has two rows of two taps, all of them inside the image.
    @inline(__always)
    func isSquareOfFour(_ g: DepthwiseGeometry) -> Bool {
      g.kernelHeight == 2 && g.kernelWidth == 2 && insideCount == 4
    }
  }

  /// Returns the sum of the most common window. Finding its taps one by one would take twenty times as long as adding
  /// them.
  @inline(__always)
  private func sumOfFour(_ window: Window, _ channel: Int, _ count: Int) -> V.F {
    let g = geometry
    let first = input + ((window.top &* g.inputWidth &+ window.left) &* g.inputPixelStride &+ channel) &* 4
    let line = g.rowDilation &* g.inputWidth &* g.inputPixelStride &* 4
    let step = g.columnDilation &* g.inputPixelStride &* 4
    @inline(__always) func tap(_ offset: Int) -> V.F { V.loadFirst(count, first + offset) }
    // The order of `ofNine` for these taps and zeros.
    return (tap(step) + tap(line &+ step)) + (tap(0) + tap(line))
  }

  @inline(__always)
  private func sum(_ window: Window, channel: Int, count: Int) -> V.F {
    let g = geometry
    // Starts at the group of nine that contains the first tap of the first column inside the image, and ends with the
    // last column inside.
    var column = window.columns.lower
    var row = 0 &- column &* g.kernelHeight % 9
    while row < 0 {
      row &+= g.kernelHeight
      column &-= 1
    }
    @inline(__always) func next() -> V.F {
      guard column < window.columns.upper else { return V.F() }
      let y = row, x = column
      row &+= 1
      if row == g.kernelHeight {
        row = 0
        column &+= 1
      }
      guard y >= window.rows.lower, y < window.rows.upper, x >= window.columns.lower else {
        return V.F()
      }
      let pixel = (window.top &+ y &* g.rowDilation) &* g.inputWidth &+ window.left &+ x &* g.columnDilation
      return V.loadFirst(count, input + (pixel &* g.inputPixelStride &+ channel) &* 4)
    }
    @inline(__always) func ofNine(
      _ t0: V.F, _ t1: V.F, _ t2: V.F, _ t3: V.F, _ t4: V.F, _ t5: V.F, _ t6: V.F, _ t7: V.F, _ t8: V.F
    ) -> V.F {
      ((t2 + t3) + (t4 + t5)) + (((t0 + t1) + t8) + (t6 + t7))
    }
    let isInside = window.isInside(g), line = g.rowDilation &* g.inputWidth &* g.inputPixelStride &* 4
    var total = V.F()
    while column < window.columns.upper {
      // With 16 registers, the compiler would split nine vectors into lanes.
      if V.lanes == 16 && isInside && row &+ 9 <= g.kernelHeight {
        let pixel = (window.top &+ row &* g.rowDilation) &* g.inputWidth &+ window.left &+ column &* g.columnDilation
        let first = input + (pixel &* g.inputPixelStride &+ channel) &* 4
        @inline(__always) func tap(_ index: Int) -> V.F { V.loadFirst(count, first + index &* line) }
        total += ofNine(tap(0), tap(1), tap(2), tap(3), tap(4), tap(5), tap(6), tap(7), tap(8))
        row &+= 9
        if row == g.kernelHeight {
          row = 0
          column &+= 1
        }
      } else {
        // The calls must stay in this order, because each advances `row` and `column`.
        total += ofNine(next(), next(), next(), next(), next(), next(), next(), next(), next())
      }
    }
    return total
  }
}
