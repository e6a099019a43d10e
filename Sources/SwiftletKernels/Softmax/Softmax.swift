// Goals, in order: no overflow for any finite input; a row's result depends on nothing but the row; three passes.

extension VectorISA {
  /// The largest lane; NaN lanes are passed over.
  @inline(always) static func largest(_ x: F) -> Float {
    var result = x[0]
    for lane in 1..<lanes { result = x[lane] > result ? x[lane] : result }
    return result
  }

  @inline(always) static func sum(_ x: F) -> Float {
    var result = x[0]
    for lane in 1..<lanes { result += x[lane] }
    return result
  }
}

/// The largest of `count` elements, no less than the lowest finite float.
@inline(always)
func largest<V: VectorISA>(_: V.Type, count: Int, _ input: UnsafePointer<Float>) -> Float {
  let lowest = V.splat(-Float.greatestFiniteMagnitude)
  var vector = lowest
  var index = 0
  while index &+ V.lanes <= count {
    vector = V.maximum(V.load(input + index), vector)
    index &+= V.lanes
  }
  var result = V.largest(vector)
  while index < count {
    result = input[index] > result ? input[index] : result
    index &+= 1
  }
  return result
}

/// `e^(beta (x - largest))` of each element, stored if there is an output, and their sum.
@inline(always)
func exponentials<V: VectorISA>(
  _: V.Type, count: Int, _ input: UnsafePointer<Float>, beta: Float, largest: Float,
  output: UnsafeMutablePointer<Float>?
) -> Float {
  let high = V.splat(largest), factor = V.splat(beta)
  var sums = V.F()
  var index = 0
  while index < count {
    let left = count &- index
    if left >= V.lanes {
      let x = V.exponential((V.load(input + index) - high) * factor)
      if let output { V.store(x, output + index) }
      sums = sums + x
    } else {
      let x = V.exponential((V.loadFirst(left, input + index) - high) * factor)
      if let output { V.storeFirst(left, x, output + index) }
      sums = sums + V.keepingFirst(left, x)
    }
    index &+= V.lanes
  }
  return V.sum(sums)
}

/// Softmax of each row; `output` may be `input`.
@inline(always)
func softmax<V: VectorISA>(
  _: V.Type, rows: Int, columns: Int, input: UnsafePointer<Float>, beta: Float, output: UnsafeMutablePointer<Float>
) {
  var row = 0
  while row < rows {
    let source = input + row &* columns, target = output + row &* columns
    let high = largest(V.self, count: columns, source)
    let sum = exponentials(V.self, count: columns, source, beta: beta, largest: high, output: target)
    mapVectors(Scale<V>(factor: 1 / sum), count: columns, input: target, output: target)
    row &+= 1
  }
}

/// `x - largest - log Σ e^(x - largest)` of each row; `output` may be `input`.
@inline(always)
func logSoftmax<V: VectorISA>(
  _: V.Type, rows: Int, columns: Int, input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>
) {
  var row = 0
  while row < rows {
    let source = input + row &* columns
    let high = largest(V.self, count: columns, source)
    let sum = exponentials(V.self, count: columns, source, beta: 1, largest: high, output: nil)
    let logarithm = V.logarithm(V.splat(sum))[0]
    mapVectors(
      Lower<V>(first: high, second: logarithm), count: columns, input: source, output: output + row &* columns)
    row &+= 1
  }
}

struct Scale<V: VectorISA>: UnaryVectorFunction {
  let factor: Float
  @inline(always) func apply(_ x: V.F) -> V.F { x * V.splat(factor) }
}

struct Lower<V: VectorISA>: UnaryVectorFunction {
  let first: Float
  let second: Float
  @inline(always) func apply(_ x: V.F) -> V.F { x - V.splat(first) - V.splat(second) }
}
