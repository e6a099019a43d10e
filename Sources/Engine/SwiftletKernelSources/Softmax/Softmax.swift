// Goals, in order: no overflow for any finite input; a row's result depends only on the row; three passes.

/// Returns the largest of `count` elements, at least the lowest finite float.
@inline(__always)
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

/// Computes `e^(beta (x - largest))` for each element, stores the results if there is an output, and returns their sum.
@inline(__always)
func exponentials<V: VectorISA>(
  _: V.Type, count: Int, _ input: UnsafePointer<Float>, beta: Float, largest: Float,
  output: UnsafeMutablePointer<Float>?
) -> Float {
  let high = V.splat(largest), factor = V.splat(beta)
  @inline(__always) func exponential(_ x: V.F) -> V.F {
    // Exponents are at most 0. Results below the normal range are 0.
    V.exponentialInNormalRange(V.maximum(V.splat(-88), (x - high) * factor))
  }
  var sums = V.F()
  var index = 0
  while index < count {
    let left = count &- index
    if left >= V.lanes {
      let x = exponential(V.load(input + index))
      if let output { V.store(x, output + index) }
      sums = sums + x
    } else {
      let x = exponential(V.loadFirst(left, input + index))
      if let output { V.storeFirst(left, x, output + index) }
      sums = sums + V.keepingFirst(left, x)
    }
    index &+= V.lanes
  }
  return V.sum(sums)
}

/// Computes the softmax of each row. `output` may be `input`.
@inline(__always)
func softmax<V: VectorISA>(
  _: V.Type, rows: Int, columns: Int, input: UnsafePointer<Float>, beta: Float, output: UnsafeMutablePointer<Float>
) {
  if columns < V.lanes {
    return shortSoftmax(V.self, rows: rows, columns: columns, input: input, beta: beta, output: output)
  }
  var row = 0
  while row < rows {
    let source = input + row &* columns, target = output + row &* columns
    let high = largest(V.self, count: columns, source)
    let sum = exponentials(V.self, count: columns, source, beta: beta, largest: high, output: target)
    mapVectors(Scale<V>(factor: 1 / sum), count: columns, input: target, output: target)
    row &+= 1
  }
}

/// Computes the softmax of rows shorter than a vector: maxima and sums in scalar code, and the exponentials of all rows
/// in one vector loop.
@inline(__always)
private func shortSoftmax<V: VectorISA>(
  _: V.Type, rows: Int, columns: Int, input: UnsafePointer<Float>, beta: Float, output: UnsafeMutablePointer<Float>
) {
  var row = 0
  while row < rows {
    let source = input + row &* columns, target = output + row &* columns
    var high = -Float.greatestFiniteMagnitude
    var column = 0
    while column < columns {
      high = source[column] > high ? source[column] : high
      column &+= 1
    }
    column = 0
    while column < columns {
      target[column] = (source[column] - high) * beta
      column &+= 1
    }
    row &+= 1
  }
  mapVectors(Exponential<V>(), count: rows &* columns, input: output, output: output)
  row = 0
  while row < rows {
    let target = output + row &* columns
    var sum: Float = 0
    var column = 0
    while column < columns {
      sum += target[column]
      column &+= 1
    }
    let factor = 1 / sum
    column = 0
    while column < columns {
      target[column] *= factor
      column &+= 1
    }
    row &+= 1
  }
}

/// Computes `x - largest - log Σ e^(x - largest)` for each row. `output` may be `input`.
@inline(__always)
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
  @inline(__always) func apply(_ x: V.F) -> V.F { x * V.splat(factor) }
}

struct Lower<V: VectorISA>: UnaryVectorFunction {
  let first: Float
  let second: Float
  @inline(__always) func apply(_ x: V.F) -> V.F { x - V.splat(first) - V.splat(second) }
}
