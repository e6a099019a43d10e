import SwiftletKernels

struct ByteMaximumPooling<V: VectorISA>: PoolingRule {
  /// 0x80 for signed bytes, which are compared as unsigned bytes 128 higher; otherwise 0.
  let flip: Int32
  /// The bounds of the flipped bytes.
  let lower: Int32
  let upper: Int32

  @inline(__always) static var elementBytes: Int { 1 }
  @inline(__always) var start: V.I { V.I() }
  @inline(__always) func load(_ pointer: UnsafeRawPointer) -> V.I { V.loadBytes(pointer) ^ V.splat(flip) }
  @inline(__always) func loadFirst(_ count: Int, _ pointer: UnsafeRawPointer) -> V.I {
    V.loadFirstBytes(count, pointer) ^ V.splat(flip)
  }
  @inline(__always) func add(_ sum: V.I, _ x: V.I) -> V.I { V.maximum(sum, x) }
  @inline(__always) func store(_ sum: V.I, taps: Int, _ pointer: UnsafeMutableRawPointer) {
    V.storeBytes(V.clamp(sum, V.splat(lower), V.splat(upper)) ^ V.splat(flip), pointer)
  }
  @inline(__always) func storeFirst(_ count: Int, _ sum: V.I, taps: Int, _ pointer: UnsafeMutableRawPointer) {
    V.storeFirstBytes(count, V.clamp(sum, V.splat(lower), V.splat(upper)) ^ V.splat(flip), pointer)
  }
}

struct ByteAveragePooling<V: VectorISA>: PoolingRule {
  /// 0x80 for signed bytes; otherwise 0.
  let flip: Int32
  let lower: Int32
  let upper: Int32

  @inline(__always) static var elementBytes: Int { 1 }
  @inline(__always) var start: V.I { V.I() }
  @inline(__always) func load(_ pointer: UnsafeRawPointer) -> V.I {
    (V.loadBytes(pointer) ^ V.splat(flip)) &- V.splat(flip)
  }
  @inline(__always) func loadFirst(_ count: Int, _ pointer: UnsafeRawPointer) -> V.I {
    (V.loadFirstBytes(count, pointer) ^ V.splat(flip)) &- V.splat(flip)
  }
  @inline(__always) func add(_ sum: V.I, _ x: V.I) -> V.I { sum &+ x }
  @inline(__always) func store(_ sum: V.I, taps: Int, _ pointer: UnsafeMutableRawPointer) {
    V.storeBytes(mean(sum, taps), pointer)
  }
  @inline(__always) func storeFirst(_ count: Int, _ sum: V.I, taps: Int, _ pointer: UnsafeMutableRawPointer) {
    V.storeFirstBytes(count, mean(sum, taps), pointer)
  }

  /// Returns the mean, rounded half away from zero. In float, the quotient of integers below 2²⁴ never rounds up to an
  /// integer that is larger than the quotient.
  @inline(__always) private func mean(_ sum: V.I, _ taps: Int) -> V.I {
    let magnitude = V.absolute(V.toFloat(sum))
    let half = V.splat(Float(taps &>> 1))
    let quotient = V.toIntTruncating((magnitude + half) / V.splat(Float(taps)))
    let sign = sum &>> 31
    return V.clamp((quotient ^ sign) &- sign, V.splat(lower), V.splat(upper))
  }
}

/// Computes maxima of full registers of bytes, for images with at least one register of channels. The last register
/// overlaps the previous one.
@inline(__always)
func poolByteMaxima<V: VectorISA>(
  _: V.Type, _ g: DepthwiseGeometry, first: Int, last: Int, input: UnsafeRawPointer, flip: Int32, lower: Int32,
  upper: Int32, output: UnsafeMutableRawPointer
) {
  let flips = V.splat(flip &* 0x0101_0101), low = V.splat(lower &* 0x0101_0101), high = V.splat(upper &* 0x0101_0101)
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
      let corner =
        input + ((top &+ tapRow &* g.rowDilation) &* g.inputWidth &+ left &+ tapColumn &* g.columnDilation)
        &* g.inputPixelStride
      let target = output + (row &* g.outputWidth &+ column) &* g.outputPixelStride
      var channel = 0
      while channel < g.channels {
        let start = min(channel, g.channels &- V.vectorBytes)
        var line = corner + start
        var largest = low
        var y = tapRow
        while y < tapRowEnd {
          var x = line
          var tap = tapColumn
          while tap < tapColumnEnd {
            largest = V.maximumBytes(largest, V.loadInts(x) ^ flips)
            x += g.columnDilation &* g.inputPixelStride
            tap &+= 1
          }
          line += g.rowDilation &* g.inputWidth &* g.inputPixelStride
          y &+= 1
        }
        V.store(V.minimumBytes(largest, high) ^ flips, target + start)
        channel &+= V.vectorBytes
      }
      column &+= 1
    }
    row &+= 1
  }
}
