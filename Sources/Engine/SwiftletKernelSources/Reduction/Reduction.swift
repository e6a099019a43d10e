// Goals, in order: the order of summation depends only on the sizes; row sums stay in registers.

/// Computes column sums over `rows` rows of floats. Each sum adds in row order.
@inline(__always)
func sumOfRows<V: VectorISA>(
  _: V.Type, rows: Int, columns: Int, input: UnsafePointer<Float>, inputStride: Int,
  output: UnsafeMutablePointer<Float>
) {
  var column = 0
  while column &+ 4 &* V.lanes <= columns {
    var s0 = V.F(), s1 = V.F(), s2 = V.F(), s3 = V.F()
    var x = UnsafeRawPointer(input + column)
    var row = 0
    while row < rows {
      s0 = s0 + V.load(x, 0)
      s1 = s1 + V.load(x, 1)
      s2 = s2 + V.load(x, 2)
      s3 = s3 + V.load(x, 3)
      x += inputStride &* 4
      row &+= 1
    }
    V.store(s0, output + column)
    V.store(s1, output + column + V.lanes)
    V.store(s2, output + column + 2 &* V.lanes)
    V.store(s3, output + column + 3 &* V.lanes)
    column &+= 4 &* V.lanes
  }
  while column < columns {
    let count = min(V.lanes, columns &- column)
    var sum = V.F()
    var x = input + column
    var row = 0
    while row < rows {
      sum = sum + (count == V.lanes ? V.load(x) : V.loadFirst(count, x))
      x += inputStride
      row &+= 1
    }
    V.storeFirst(count, sum, output + column)
    column &+= V.lanes
  }
}

/// Computes column sums over `rows` rows of bytes, modulo 2³².
@inline(__always)
func sumOfByteRows<V: VectorISA>(
  _: V.Type, rows: Int, columns: Int, input: UnsafeRawPointer, inputStride: Int, flip: Int32,
  output: UnsafeMutablePointer<Int32>
) {
  let flips = V.splat(flip)
  // Signed bytes are read 128 too high.
  let excess = V.splat(flip &* Int32(truncatingIfNeeded: rows))
  var column = 0
  while column &+ 4 &* V.lanes <= columns {
    var s0 = V.I(), s1 = V.I(), s2 = V.I(), s3 = V.I()
    var x = input + column
    var row = 0
    while row < rows {
      s0 = s0 &+ (V.loadBytes(x) ^ flips)
      s1 = s1 &+ (V.loadBytes(x + V.lanes) ^ flips)
      s2 = s2 &+ (V.loadBytes(x + 2 &* V.lanes) ^ flips)
      s3 = s3 &+ (V.loadBytes(x + 3 &* V.lanes) ^ flips)
      x += inputStride
      row &+= 1
    }
    V.store(s0 &- excess, output + column)
    V.store(s1 &- excess, output + column + V.lanes)
    V.store(s2 &- excess, output + column + 2 &* V.lanes)
    V.store(s3 &- excess, output + column + 3 &* V.lanes)
    column &+= 4 &* V.lanes
  }
  while column < columns {
    let count = min(V.lanes, columns &- column)
    var sum = V.I()
    var x = input + column
    var row = 0
    while row < rows {
      sum = sum &+ ((count == V.lanes ? V.loadBytes(x) : V.loadFirstBytes(count, x)) ^ flips)
      x += inputStride
      row &+= 1
    }
    V.storeFirst(count, sum &- excess, output + column)
    column &+= V.lanes
  }
}

/// Computes the sum, smallest, and largest element of each row. The extremes ignore NaN.
@inline(__always)
func summarizeRows<V: VectorISA>(
  _: V.Type, rows: Int, columns: Int, input: UnsafePointer<Float>, inputStride: Int,
  sums: UnsafeMutablePointer<Float>?, smallest: UnsafeMutablePointer<Float>?, largest: UnsafeMutablePointer<Float>?
) {
  var row = 0
  while row < rows {
    let source = input + row &* inputStride
    var sum = V.F(), low = V.splat(Float.infinity), high = V.splat(-Float.infinity)
    var column = 0
    while column &+ V.lanes <= columns {
      let x: V.F = V.load(source + column)
      sum = sum + x
      low = V.minimum(x, low)
      high = V.maximum(x, high)
      column &+= V.lanes
    }
    var total = V.sum(sum), lowest = 0 - V.largest(V.F() - low), highest = V.largest(high)
    while column < columns {
      let x = source[column]
      total += x
      lowest = x < lowest ? x : lowest
      highest = x > highest ? x : highest
      column &+= 1
    }
    if let sums { sums[row] = total }
    if let smallest { smallest[row] = lowest }
    if let largest { largest[row] = highest }
    row &+= 1
  }
}

/// The reduction of a row to one element.
protocol RowReduction {
  associatedtype V: VectorISA
  static var identity: Float { get }
  /// Whether there are two chains of vectors instead of four.
  static var hasTwoChains: Bool { get }
  static func combine(_ result: V.F, _ x: V.F) -> V.F
  static func combine(_ result: Float, _ x: Float) -> Float
  /// Merges the results of two chains.
  static func merge(_ first: V.F, _ second: V.F) -> V.F
  static func lanes(_ x: V.F) -> Float
  /// Returns the reduction of the lanes of a vector and the remaining elements, which are fewer than the lanes.
  static func finish(_ x: V.F, _ rest: UnsafePointer<Float>, _ count: Int) -> Float
}

extension RowReduction {
  @inline(__always) static var hasTwoChains: Bool { false }
  @inline(__always) static func merge(_ first: V.F, _ second: V.F) -> V.F { combine(first, second) }
  @inline(__always) static func finish(_ x: V.F, _ rest: UnsafePointer<Float>, _ count: Int) -> Float {
    var result = lanes(x)
    var column = 0
    while column < count {
      result = combine(result, rest[column])
      column &+= 1
    }
    return result
  }
}

/// A sum in XNNPACK's order for x86-64: 32 elements at a time with AVX2 and AVX-512, then the rest as one vector.
enum RowSum<V: VectorISA>: RowReduction {
  @inline(__always) static var identity: Float { 0 }
  @inline(__always) static var hasTwoChains: Bool { V.lanes == 16 }
  @inline(__always) static func combine(_ result: V.F, _ x: V.F) -> V.F { result + x }
  @inline(__always) static func combine(_ result: Float, _ x: Float) -> Float { result + x }
  @inline(__always) static func lanes(_ x: V.F) -> Float { V.sumOfHalves(x) }
  @inline(__always) static func finish(_ x: V.F, _ rest: UnsafePointer<Float>, _ count: Int) -> Float {
    count > 0 ? lanes(x + V.loadFirst(count, rest)) : lanes(x)
  }
}

enum RowSumOfSquares<V: VectorISA>: RowReduction {
  @inline(__always) static var identity: Float { 0 }
  @inline(__always) static func combine(_ result: V.F, _ x: V.F) -> V.F { V.multiplyAdd(x, x, result) }
  @inline(__always) static func combine(_ result: Float, _ x: Float) -> Float { result + x * x }
  @inline(__always) static func merge(_ first: V.F, _ second: V.F) -> V.F { first + second }
  @inline(__always) static func lanes(_ x: V.F) -> Float { V.sum(x) }
}

/// A maximum that ignores NaN.
enum RowMaximum<V: VectorISA>: RowReduction {
  @inline(__always) static var identity: Float { -Float.infinity }
  @inline(__always) static func combine(_ result: V.F, _ x: V.F) -> V.F { V.maximum(x, result) }
  @inline(__always) static func combine(_ result: Float, _ x: Float) -> Float { x > result ? x : result }
  @inline(__always) static func lanes(_ x: V.F) -> Float { V.largest(x) }
}

/// A minimum that ignores NaN.
enum RowMinimum<V: VectorISA>: RowReduction {
  @inline(__always) static var identity: Float { Float.infinity }
  @inline(__always) static func combine(_ result: V.F, _ x: V.F) -> V.F { V.minimum(x, result) }
  @inline(__always) static func combine(_ result: Float, _ x: Float) -> Float { x < result ? x : result }
  @inline(__always) static func lanes(_ x: V.F) -> Float { 0 - V.largest(V.F() - x) }
}

/// Reduces each row to one value, in several chains of vectors so that no element waits for the previous one.
@inline(__always)
func reduceRows<Rule: RowReduction>(
  _: Rule.Type, rows: Int, columns: Int, input: UnsafePointer<Float>, inputStride: Int,
  output: UnsafeMutablePointer<Float>
) {
  typealias V = Rule.V
  let identity = V.splat(Rule.identity)
  var row = 0
  while row < rows {
    let source = input + row &* inputStride
    var a = identity, b = identity, c = identity, d = identity
    var column = 0
    let step = (Rule.hasTwoChains ? 2 : 4) &* V.lanes
    while column &+ step <= columns {
      let x = UnsafeRawPointer(source + column)
      a = Rule.combine(a, V.load(x, 0))
      b = Rule.combine(b, V.load(x, 1))
      if !Rule.hasTwoChains {
        c = Rule.combine(c, V.load(x, 2))
        d = Rule.combine(d, V.load(x, 3))
      }
      column &+= step
    }
    // At most one vector is left with two chains, and three with four.
    if column &+ V.lanes <= columns {
      a = Rule.combine(a, V.load(source + column))
      column &+= V.lanes
    }
    if !Rule.hasTwoChains {
      if column &+ V.lanes <= columns {
        b = Rule.combine(b, V.load(source + column))
        column &+= V.lanes
      }
      if column &+ V.lanes <= columns {
        c = Rule.combine(c, V.load(source + column))
        column &+= V.lanes
      }
      a = Rule.merge(a, c)
      b = Rule.merge(b, d)
    }
    output[row] = Rule.finish(Rule.merge(a, b), source + column, columns &- column)
    row &+= 1
  }
}
