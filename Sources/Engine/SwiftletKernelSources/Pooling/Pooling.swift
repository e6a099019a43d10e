import SwiftletKernels

// Goals, in order: only elements inside the image count; integer means round half away from zero, exactly; one pass
// over the window per output pixel, vectorized over channels.

/// The reduction of a window to one element: four bytes per lane (`I`), or one float or integer per lane.
protocol PoolingRule {
  associatedtype V: VectorISA
  associatedtype Vector
  static var elementBytes: Int { get }
  var start: Vector { get }
  func load(_ pointer: UnsafeRawPointer) -> Vector
  func loadFirst(_ count: Int, _ pointer: UnsafeRawPointer) -> Vector
  func add(_ sum: Vector, _ x: Vector) -> Vector
  func store(_ sum: Vector, taps: Int, _ pointer: UnsafeMutableRawPointer)
  func storeFirst(_ count: Int, _ sum: Vector, taps: Int, _ pointer: UnsafeMutableRawPointer)
}

/// Pools output rows `first ..< last`.
@inline(__always)
func pool<Rule: PoolingRule>(
  _ rule: Rule, _ g: DepthwiseGeometry, first: Int, last: Int, input: UnsafeRawPointer,
  output: UnsafeMutableRawPointer
) {
  typealias V = Rule.V
  let pixelBytes = g.inputPixelStride &* Rule.elementBytes
  var row = first
  while row < last {
    let top = row &* g.rowStride &- g.paddingTop
    let (tapRow, tapRowEnd) = DepthwiseGeometry.taps(
      g.kernelHeight, from: top, dilation: g.rowDilation, size: g.inputHeight)
    var column = 0
    while column < g.outputWidth {
      let left = column &* g.columnStride &- g.paddingLeft
      let (tapColumn, tapColumnEnd) = DepthwiseGeometry.taps(
        g.kernelWidth, from: left, dilation: g.columnDilation, size: g.inputWidth)
      let tapCount = (tapRowEnd &- tapRow) &* (tapColumnEnd &- tapColumn)
      let corner =
        input + ((top &+ tapRow &* g.rowDilation) &* g.inputWidth &+ left &+ tapColumn &* g.columnDilation)
        &* pixelBytes
      let target = output + (row &* g.outputWidth &+ column) &* g.outputPixelStride &* Rule.elementBytes
      var channel = 0
      while channel < g.channels {
        let count = min(V.lanes, g.channels &- channel)
        var line = corner + channel &* Rule.elementBytes
        var sum = rule.start
        var y = tapRow
        while y < tapRowEnd {
          var x = line
          var tap = tapColumn
          while tap < tapColumnEnd {
            sum = rule.add(sum, count == V.lanes ? rule.load(x) : rule.loadFirst(count, x))
            x += g.columnDilation &* pixelBytes
            tap &+= 1
          }
          line += g.rowDilation &* g.inputWidth &* pixelBytes
          y &+= 1
        }
        if count == V.lanes {
          rule.store(sum, taps: tapCount, target + channel &* Rule.elementBytes)
        } else {
          rule.storeFirst(count, sum, taps: tapCount, target + channel &* Rule.elementBytes)
        }
        channel &+= V.lanes
      }
      column &+= 1
    }
    row &+= 1
  }
}
