import SwiftletKernels

/// The location of a window, in input pixels.
struct PoolingWindow {
  let top: Int
  var left: Int
  let rows: (lower: Int, upper: Int)
  let columns: (lower: Int, upper: Int)
  /// Whether all taps are inside the image.
  let isInside: Bool
  /// The reciprocal of the number of taps inside the image, of which there is at least one.
  let factor: Float

  @inline(__always)
  init(_ g: DepthwiseGeometry, row: Int, column: Int) {
    top = row &* g.rowStride &- g.paddingTop
    left = column &* g.columnStride &- g.paddingLeft
    rows = DepthwiseGeometry.taps(g.kernelHeight, from: top, dilation: g.rowDilation, size: g.inputHeight)
    columns = DepthwiseGeometry.taps(g.kernelWidth, from: left, dilation: g.columnDilation, size: g.inputWidth)
    let count = (rows.upper &- rows.lower) &* (columns.upper &- columns.lower)
    isInside = count == g.kernelHeight &* g.kernelWidth
    factor = 1 / Float(max(1, count))
  }
}

/// The reduction of windows of floats.
protocol FloatPoolingRule {
  associatedtype V: VectorISA
  /// Returns the results of a window for the first `count` elements from `element` of its pixels on, which may be those
  /// of adjacent windows.
  func result(_ window: PoolingWindow, _ element: Int, _ count: Int) -> V.F
}

/// Pools output rows `first ..< last`. `temporary` has space for two vectors.
@inline(__always)
func poolFloats<Rule: FloatPoolingRule>(
  _ rule: Rule, _ g: DepthwiseGeometry, first: Int, last: Int, lower: Float, upper: Float,
  output: UnsafeMutableRawPointer, temporary: UnsafeMutableRawPointer
) {
  typealias V = Rule.V
  let step = g.outputPixelStride &* 4
  let isContiguous = g.columnStride == 1 && g.inputPixelStride == g.channels && g.outputPixelStride == g.channels
  let pixelsPerVector = g.outputPixels(inVectorOf: V.lanes)
  var row = first
  while row < last {
    var column = 0
    var target = output + row &* g.outputWidth &* step
    while column < g.outputWidth {
      let runEnd = column &+ g.equalWindows(from: column)
      var window = PoolingWindow(g, row: row, column: column)
      while column < runEnd {
        // A run of contiguous pixels, several pixels in a vector, or the channels of one pixel.
        let pixels = isContiguous ? runEnd &- column : min(runEnd &- column, pixelsPerVector)
        let areApart = pixels > 1 && !isContiguous
        let span = areApart ? (pixels &- 1) &* g.columnStride &+ 1 : pixels
        let elements = span &* g.channels
        var element = 0
        while element < elements {
          let count = min(V.lanes, elements &- element)
          let result = V.clamp(rule.result(window, element, count), V.splat(lower), V.splat(upper))
          if areApart {
            storePixels(
              V.self, pixels, of: V.bits(result), pixelBytes: g.channels &* 4,
              stride: g.columnStride &* g.channels &* 4,
              target, room: (g.outputWidth &- column) &* step, temporary: temporary)
          } else {
            V.storeFirst(count, result, target + element &* 4)
          }
          element &+= V.lanes
        }
        target += pixels &* step
        column &+= pixels
        window.left &+= pixels &* g.columnStride
      }
    }
    row &+= 1
  }
}

/// Maximum pooling of floats, in row-major order.
struct FloatMaximumPooling<V: VectorISA>: FloatPoolingRule {
  let geometry: DepthwiseGeometry
  let input: UnsafeRawPointer

  @inline(__always)
  func result(_ window: PoolingWindow, _ element: Int, _ count: Int) -> V.F {
    let g = geometry
    let row = window.top &+ window.rows.lower &* g.rowDilation
    let column = window.left &+ window.columns.lower &* g.columnDilation
    var line = input + ((row &* g.inputWidth &+ column) &* g.inputPixelStride &+ element) &* 4
    var largest = V.splat(-Float.greatestFiniteMagnitude)
    var y = window.rows.lower
    while y < window.rows.upper {
      var x = line
      var tap = window.columns.lower
      while tap < window.columns.upper {
        // Ignores NaN elements, as the reference does.
        largest = V.maximum(count == V.lanes ? V.load(x) : V.loadFirst(count, x), largest)
        x += g.columnDilation &* g.inputPixelStride &* 4
        tap &+= 1
      }
      line += g.rowDilation &* g.inputWidth &* g.inputPixelStride &* 4
      y &+= 1
    }
    return largest
  }
}

/// Average pooling of floats.
///
/// Adds the taps of the window in column-major order, nine at a time, with zeros for taps outside the image. This is
/// the order of XNNPACK's average pooling, so that results are bit-exact with it.
struct FloatAveragePooling<V: VectorISA>: FloatPoolingRule {
  let geometry: DepthwiseGeometry
  let input: UnsafeRawPointer
  /// Space for nine vectors.
  let taps: UnsafeMutableRawPointer

  @inline(__always)
  func result(_ window: PoolingWindow, _ element: Int, _ count: Int) -> V.F {
    let g = geometry
    let isInside = window.isInside, factor = V.splat(window.factor)
    if isInside && g.kernelHeight == 2 && g.kernelWidth == 2 { return sumOfFour(window, element, count) * factor }
    if isInside && g.kernelHeight == 3 && g.kernelWidth == 3 { return sumOfNine(window, element, count) * factor }
    return sum(window, channel: element, count: count) * factor
  }

  /// Returns the sum of the most common window. Finding its taps one by one would take twenty times as long as adding
  /// them.
  @inline(__always)
  private func sumOfFour(_ window: PoolingWindow, _ channel: Int, _ count: Int) -> V.F {
    let g = geometry
    let first = input + ((window.top &* g.inputWidth &+ window.left) &* g.inputPixelStride &+ channel) &* 4
    let line = g.rowDilation &* g.inputWidth &* g.inputPixelStride &* 4
    let step = g.columnDilation &* g.inputPixelStride &* 4
    @inline(__always) func tap(_ offset: Int) -> V.F { V.loadFirst(count, first + offset) }
    // The order of `ofNine` for these taps and zeros.
    return (tap(step) + tap(line &+ step)) + (tap(0) + tap(line))
  }

  @inline(__always)
  private func ofNine(
    _ t0: V.F, _ t1: V.F, _ t2: V.F, _ t3: V.F, _ t4: V.F, _ t5: V.F, _ t6: V.F, _ t7: V.F, _ t8: V.F
  ) -> V.F {
    ((t2 + t3) + (t4 + t5)) + (((t0 + t1) + t8) + (t6 + t7))
  }

  @inline(__always)
  private func sumOfNine(_ window: PoolingWindow, _ element: Int, _ count: Int) -> V.F {
    let g = geometry
    let first = input + ((window.top &* g.inputWidth &+ window.left) &* g.inputPixelStride &+ element) &* 4
    let line = g.rowDilation &* g.inputWidth &* g.inputPixelStride &* 4
    let step = g.columnDilation &* g.inputPixelStride &* 4
    @inline(__always) func tap(_ x: Int, _ y: Int) -> V.F {
      let pointer = first + (x &* step &+ y &* line)
      return count == V.lanes ? V.load(pointer) : V.loadFirst(count, pointer)
    }
    // Adding zero makes a negative zero positive, as adding the first group does.
    return V.F()
      + ofNine(tap(0, 0), tap(0, 1), tap(0, 2), tap(1, 0), tap(1, 1), tap(1, 2), tap(2, 0), tap(2, 1), tap(2, 2))
  }

  @inline(__always)
  private func sum(_ window: PoolingWindow, channel: Int, count: Int) -> V.F {
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
    let line = g.rowDilation &* g.inputWidth &* g.inputPixelStride &* 4
    var total = V.F()
    while column < window.columns.upper {
      // With 16 registers, the compiler would split nine vectors into lanes.
      if V.lanes == 16 && window.isInside && row &+ 9 <= g.kernelHeight {
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
        // In memory, because nine copies of `next` would be a lot of code.
        var index = 0
        while index < 9 {
          V.store(next(), taps + index &* V.vectorBytes)
          index &+= 1
        }
        @inline(__always) func tap(_ index: Int) -> V.F { V.load(taps, index) }
        total += ofNine(tap(0), tap(1), tap(2), tap(3), tap(4), tap(5), tap(6), tap(7), tap(8))
      }
    }
    return total
  }
}
