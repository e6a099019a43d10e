import SwiftletKernels

// Goals, in order: bit-exact with `QuantizedMultiplier.apply` for shifts from -31 to 31; one pass over memory.

/// A fixed-point factor per lane, split into the parts that `apply` needs.
struct VectorMultiplier<V: VectorISA> {
  let multiplier: V.I
  let left: V.I
  let right: V.I
  /// All bits set in lanes that shift right; otherwise 0.
  let shiftsRight: V.I

  @inline(__always)
  init(multiplier: V.I, shift: V.I) {
    let negative = shift &>> 31
    self.multiplier = multiplier
    left = shift & ~negative
    right = (V.I() &- shift) & negative
    shiftsRight = negative
  }

  /// Rounds the doubled high product half up, and the right shift half away from zero. The shift adds half (less one
  /// for negative values) first. Shifting in two steps of `right - 1` and 1 keeps the sum within 32 bits.
  @inline(__always)
  func apply(_ x: V.I) -> V.I {
    let product = V.roundingDoubledHighProduct(x &<< left, multiplier)
    let lowered = product &+ ((product &>> 31) & shiftsRight)
    return ((lowered &>> (right &+ shiftsRight)) &- shiftsRight) &>> (V.I() &- shiftsRight)
  }
}

/// The output type of requantization: bytes or 16-bit integers. Values are in range, so narrowing keeps the low bits.
protocol NarrowStore {
  static var bytes: Int { get }
  static func store<V: VectorISA>(_: V.Type, _ x: V.I, _ pointer: UnsafeMutableRawPointer)
  static func storeFirst<V: VectorISA>(_: V.Type, _ count: Int, _ x: V.I, _ pointer: UnsafeMutableRawPointer)
}

enum ByteStore: NarrowStore {
  @inline(__always) static var bytes: Int { 1 }
  @inline(__always) static func store<V: VectorISA>(_: V.Type, _ x: V.I, _ pointer: UnsafeMutableRawPointer) {
    V.storeBytes(x, pointer)
  }
  @inline(__always) static func storeFirst<V: VectorISA>(
    _: V.Type, _ count: Int, _ x: V.I, _ pointer: UnsafeMutableRawPointer
  ) {
    V.storeFirstBytes(count, x, pointer)
  }
}

enum HalfStore: NarrowStore {
  @inline(__always) static var bytes: Int { 2 }
  @inline(__always) static func store<V: VectorISA>(_: V.Type, _ x: V.I, _ pointer: UnsafeMutableRawPointer) {
    V.storeInt16(x, pointer)
  }
  @inline(__always) static func storeFirst<V: VectorISA>(
    _: V.Type, _ count: Int, _ x: V.I, _ pointer: UnsafeMutableRawPointer
  ) {
    V.storeFirstInt16(count, x, pointer)
  }
}

/// Rescales the sums of two planes, `256 * high + low + term`, to int16 values by factors in double precision. Terms and
/// factors are per column, and loaded in full vectors, as are sums.
@inline(__always)
func rescalePlanes<V: VectorISA>(
  _: V.Type, rows: Int, columns: Int, high: UnsafeRawPointer, low: UnsafeRawPointer, stride: Int,
  terms: UnsafeRawPointer, factors: UnsafeRawPointer, roundsUp: Bool, zeroPoint: Int32, lower: Int32, upper: Int32,
  output: UnsafeMutableRawPointer, outputStride: Int
) {
  let zero = V.splat(zeroPoint), least = V.splat(lower), most = V.splat(upper)
  var row = 0
  while row < rows {
    let target = output + row &* outputStride &* 2
    var column = 0
    while column < columns {
      let at = (row &* stride &+ column) &* 4, count = columns &- column
      let sums = V.scaledSums(
        V.loadInts(high + at), V.loadInts(low + at), terms: terms + column &* 8, factors: factors + column &* 8,
        roundsUp: roundsUp)
      let x = V.clamp(sums &+ zero, least, most)
      if count >= V.lanes {
        V.storeInt16(x, target + column &* 2)
      } else {
        V.storeFirstInt16(count, x, target + column &* 2)
      }
      column &+= V.lanes
    }
    row &+= 1
  }
}

/// Scales 32-bit accumulators by fixed-point factors, one per column (`parameterStride` 1) or one for all (0), adds the
/// zero point, clamps, and narrows.
@inline(__always)
func requantize<V: VectorISA, Store: NarrowStore>(
  _: V.Type, _: Store.Type, rows: Int, columns: Int, input: UnsafeRawPointer, inputStride: Int,
  multipliers: UnsafePointer<Int32>, shifts: UnsafePointer<Int32>, parameterStride: Int, zeroPoint: Int32,
  lower: Int32, upper: Int32, output: UnsafeMutableRawPointer, outputStride: Int
) {
  let zero = V.splat(zeroPoint), low = V.splat(lower), high = V.splat(upper)
  var multiplier = VectorMultiplier<V>(multiplier: V.splat(multipliers[0]), shift: V.splat(shifts[0]))
  var column = 0
  while column < columns {
    let count = min(V.lanes, columns &- column)
    if parameterStride != 0 {
      multiplier = VectorMultiplier(
        multiplier: V.loadFirstInts(count, multipliers + column), shift: V.loadFirstInts(count, shifts + column))
    }
    var from = input + column &* 4
    var to = output + column &* Store.bytes
    var row = 0
    if count == V.lanes {
      while row < rows {
        Store.store(V.self, V.clamp(multiplier.apply(V.loadInts(from)) &+ zero, low, high), to)
        from += inputStride
        to += outputStride
        row &+= 1
      }
    } else {
      while row < rows {
        let x = multiplier.apply(V.loadFirstInts(count, from))
        Store.storeFirst(V.self, count, V.clamp(x &+ zero, low, high), to)
        from += inputStride
        to += outputStride
        row &+= 1
      }
    }
    column &+= V.lanes
  }
}
