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

  /// Returns whether the image has `count` elements from the first one of the window's last tap on.
  @inline(__always)
  func has(_ count: Int, in g: DepthwiseGeometry) -> Bool {
    let row = top &+ (rows.upper &- 1) &* g.rowDilation, column = left &+ (columns.upper &- 1) &* g.columnDilation
    let last = (g.inputHeight &* g.inputWidth &- 1) &* g.inputPixelStride &+ g.channels
    return (row &* g.inputWidth &+ column) &* g.inputPixelStride &+ count <= last
  }
}

/// The reduction of windows of floats.
protocol FloatPoolingRule {
  associatedtype V: VectorISA
  /// Computes the results of a window for the first `end` elements of its pixels, which may be those of adjacent
  /// windows, a vector at a time.
  ///
  /// - Parameters:
  ///   - unrolls: Whether the taps of the most common windows are unrolled; a constant.
  ///   - load: Loads the elements of a tap from one on.
  ///   - store: Stores the results from one element on. Every branch calls it: if branches returned their results, the
  ///     compiler would split vectors to merge them.
  func reduce(
    _ window: PoolingWindow, upTo end: Int, unrolls: Bool, load: (_ element: Int, UnsafeRawPointer) -> V.F,
    store: (_ element: Int, V.F) -> Void)
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
        let low = V.splat(lower), high = V.splat(upper)
        // The pixels of a vector that are apart are stored one by one.
        let destination = areApart ? temporary : target
        @inline(__always) func store(_ element: Int, _ result: V.F) {
          let pointer = destination + element &* 4
          if element &+ V.lanes <= elements {
            V.store(V.clamp(result, low, high), pointer)
          } else {
            V.storeFirst(elements &- element, V.clamp(result, low, high), pointer)
          }
        }
        // Vectors may contain elements past those of the window, but none past the image.
        if window.has((elements &+ V.lanes &- 1) / V.lanes &* V.lanes, in: g) {
          rule.reduce(window, upTo: elements, unrolls: true, load: { V.load($1) }, store: store)
        } else {
          rule.reduce(
            window, upTo: elements, unrolls: false, load: { V.loadFirst(min(V.lanes, elements &- $0), $1) },
            store: store)
        }
        if areApart {
          storePixels(
            V.self, pixels, of: V.loadInts(temporary), pixelBytes: g.channels &* 4,
            stride: g.columnStride &* g.channels &* 4,
            target, room: (g.outputWidth &- column) &* step, temporary: temporary)
        }
        target += pixels &* step
        column &+= pixels
        window.left &+= pixels &* g.columnStride
      }
    }
    row &+= 1
  }
}

/// The taps of a window that is inside the image.
private struct InsideTaps {
  private let row0: UnsafeRawPointer
  private let row1: UnsafeRawPointer
  private let row2: UnsafeRawPointer
  private let step: Int

  @inline(__always)
  init(_ g: DepthwiseGeometry, _ input: UnsafeRawPointer, _ window: PoolingWindow) {
    let line = g.rowDilation &* g.inputWidth &* g.inputPixelStride &* 4
    row0 = input + (window.top &* g.inputWidth &+ window.left) &* g.inputPixelStride &* 4
    row1 = row0 + line
    row2 = row1 + line
    step = g.columnDilation &* g.inputPixelStride &* 4
  }

  /// Returns the address of an element of a tap in one of the first three rows.
  @inline(__always)
  func callAsFunction(_ column: Int, _ row: Int, _ element: Int) -> UnsafeRawPointer {
    (row == 0 ? row0 : row == 1 ? row1 : row2) + (element &* 4 &+ column &* step)
  }
}

/// Maximum pooling of floats, in row-major order. Ignores NaN elements, as the reference does.
struct FloatMaximumPooling<V: VectorISA>: FloatPoolingRule {
  let geometry: DepthwiseGeometry
  let input: UnsafeRawPointer

  @inline(__always)
  func reduce(
    _ window: PoolingWindow, upTo end: Int, unrolls: Bool, load: (_ element: Int, UnsafeRawPointer) -> V.F,
    store: (_ element: Int, V.F) -> Void
  ) {
    let g = geometry
    let lowest = V.splat(-Float.greatestFiniteMagnitude)
    let tap = InsideTaps(g, input, window)
    // The first of equal elements, which may be zeros of different signs.
    @inline(__always) func larger(_ x: V.F, _ y: V.F, than largest: V.F) -> V.F {
      V.maximum(y, V.maximum(x, largest))
    }
    var element = 0
    if unrolls && window.isInside && g.kernelHeight == 2 && g.kernelWidth == 2 {
      while element < end {
        @inline(__always) func x(_ column: Int, _ row: Int) -> V.F { load(element, tap(column, row, element)) }
        store(element, larger(x(0, 1), x(1, 1), than: larger(x(0, 0), x(1, 0), than: lowest)))
        element &+= V.lanes
      }
      return
    }
    if unrolls && window.isInside && g.kernelHeight == 3 && g.kernelWidth == 3 {
      while element < end {
        @inline(__always) func x(_ column: Int, _ row: Int) -> V.F { load(element, tap(column, row, element)) }
        let four = larger(x(2, 0), x(0, 1), than: larger(x(0, 0), x(1, 0), than: lowest))
        let eight = larger(x(0, 2), x(1, 2), than: larger(x(1, 1), x(2, 1), than: four))
        store(element, V.maximum(x(2, 2), eight))
        element &+= V.lanes
      }
      return
    }
    let row = window.top &+ window.rows.lower &* g.rowDilation
    let column = window.left &+ window.columns.lower &* g.columnDilation
    let start = input + (row &* g.inputWidth &+ column) &* g.inputPixelStride &* 4
    while element < end {
      var line = start + element &* 4
      var largest = lowest
      var y = window.rows.lower
      while y < window.rows.upper {
        var x = line
        var tap = window.columns.lower
        while tap < window.columns.upper {
          largest = V.maximum(load(element, x), largest)
          x += g.columnDilation &* g.inputPixelStride &* 4
          tap &+= 1
        }
        line += g.rowDilation &* g.inputWidth &* g.inputPixelStride &* 4
        y &+= 1
      }
      store(element, largest)
      element &+= V.lanes
    }
  }
}

/// Average pooling of floats.
///
/// Adds the taps of the window in column-major order, nine at a time, with zeros for taps outside the image. This is
/// the order of XNNPACK's average pooling, so that results are bit-exact with it.
struct FloatAveragePooling<V: VectorISA>: FloatPoolingRule {
  let geometry: DepthwiseGeometry
  let input: UnsafeRawPointer
  /// Space for a vector of zeros and the places of the taps of `DepthwiseGeometry.locatedGroups` groups.
  let zeros: UnsafeMutableRawPointer

  @inline(__always) private var places: UnsafeMutableRawPointer { zeros + V.vectorBytes }

  @inline(__always)
  func reduce(
    _ window: PoolingWindow, upTo end: Int, unrolls: Bool, load: (_ element: Int, UnsafeRawPointer) -> V.F,
    store: (_ element: Int, V.F) -> Void
  ) {
    let g = geometry
    let factor = V.splat(window.factor), tap = InsideTaps(g, input, window)
    var element = 0
    if unrolls && window.isInside && g.kernelHeight == 2 && g.kernelWidth == 2 {
      while element < end {
        @inline(__always) func x(_ column: Int, _ row: Int) -> V.F { load(element, tap(column, row, element)) }
        // The order of `ofNine` for these taps and zeros.
        store(element, V.add(V.add(x(1, 0), x(1, 1)), V.add(x(0, 0), x(0, 1))) * factor)
        element &+= V.lanes
      }
      return
    }
    if unrolls && window.isInside && g.kernelHeight == 3 && g.kernelWidth == 3 {
      while element < end {
        @inline(__always) func x(_ column: Int, _ row: Int) -> V.F { load(element, tap(column, row, element)) }
        // Adding zero makes a negative zero positive, as adding the first group does.
        let sum = V.add(
          V.F(), ofNine(x(0, 0), x(0, 1), x(0, 2), x(1, 0), x(1, 1), x(1, 2), x(2, 0), x(2, 1), x(2, 2)))
        store(element, sum * factor)
        element &+= V.lanes
      }
      return
    }
    addLocated(window, upTo: end, load: load) { store($0, $1 * factor) }
  }

  @inline(__always)
  private func ofNine(
    _ t0: V.F, _ t1: V.F, _ t2: V.F, _ t3: V.F, _ t4: V.F, _ t5: V.F, _ t6: V.F, _ t7: V.F, _ t8: V.F
  ) -> V.F {
    V.add(
      V.add(V.add(t2, t3), V.add(t4, t5)), V.add(V.add(V.add(t0, t1), t8), V.add(t6, t7)))
  }

  /// Computes the sums of any window, with zeros for the taps outside the image.
  @inline(__always)
  private func addLocated(
    _ window: PoolingWindow, upTo end: Int, load: (_ element: Int, UnsafeRawPointer) -> V.F,
    store: (_ element: Int, V.F) -> Void
  ) {
    let height = geometry.kernelHeight, limit = DepthwiseGeometry.locatedGroups
    // Columns outside the image have only zeros.
    let firstGroup = window.columns.lower &* height / 9, groupEnd = (window.columns.upper &* height &+ 8) / 9
    var element = 0
    while element < end {
      var total = V.F()
      var group = firstGroup
      while group < groupEnd {
        let next = min(groupEnd, group &+ limit)
        // The taps of a window serve all of its elements. Those of a larger window are located again for each vector.
        if element == 0 || groupEnd &- firstGroup > limit {
          locate(window, from: 9 &* group, upTo: 9 &* next)
        }
        var place = UnsafeRawPointer(places)
        while group < next {
          @inline(__always) func tap(_ index: Int) -> V.F {
            let address = (place + index &* 16).load(as: UnsafeRawPointer.self)
            return load(element, address + (element &* 4 & (place + (index &* 16 &+ 8)).load(as: Int.self)))
          }
          total = V.add(
            total, ofNine(tap(0), tap(1), tap(2), tap(3), tap(4), tap(5), tap(6), tap(7), tap(8)))
          place += 9 &* 16
          group &+= 1
        }
      }
      store(element, total)
      element &+= V.lanes
    }
  }

  /// Writes the address of each tap's first element, and a mask for the offset of other elements. Taps outside the
  /// image and past the end of the window point to zeros, with the mask 0.
  @inline(__always)
  private func locate(_ window: PoolingWindow, from first: Int, upTo end: Int) {
    let g = geometry
    V.store(V.F(), zeros)
    // With this divisor, the compiler knows that the division can't trap.
    let height = max(1, g.kernelHeight)
    var (column, row) = (first / height, first % height)
    var place = places
    var index = first
    while index < end {
      let isInside =
        column >= window.columns.lower && column < window.columns.upper && row >= window.rows.lower
        && row < window.rows.upper
      let pixel = (window.top &+ row &* g.rowDilation) &* g.inputWidth &+ window.left &+ column &* g.columnDilation
      let address = isInside ? input + pixel &* g.inputPixelStride &* 4 : UnsafeRawPointer(zeros)
      place.storeBytes(of: address, as: UnsafeRawPointer.self)
      (place + 8).storeBytes(of: isInside ? -1 : 0, as: Int.self)
      place += 16
      row &+= 1
      if row == height {
        row = 0
        column &+= 1
      }
      index &+= 1
    }
  }
}
