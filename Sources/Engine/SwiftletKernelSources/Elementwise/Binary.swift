// Goals, in order: IEEE results; output may be either operand; three loops per function, one for each form.

/// A function of two vectors.
protocol BinaryVectorFunction {
  associatedtype V: VectorISA
  func apply(_ left: V.F, _ right: V.F) -> V.F
}

/// Rows of two operands and of the output. Strides are in elements.
struct BinaryRows {
  let rows: Int
  let columns: Int
  let left: UnsafePointer<Float>
  let leftStride: Int
  let right: UnsafePointer<Float>
  let rightStride: Int
  let output: UnsafeMutablePointer<Float>
  let outputStride: Int
  let lower: Float
  let upper: Float

  /// Applies `function` to the rows.
  ///
  /// - Parameter form: 0 for two vectors, 1 if left has one element per row, 2 if right has.
  @inline(__always)
  func apply<Function: BinaryVectorFunction>(_ function: Function, form: Int32) {
    switch form {
    case 1: apply(function, leftIsScalar: true, rightIsScalar: false)
    case 2: apply(function, leftIsScalar: false, rightIsScalar: true)
    default: apply(function, leftIsScalar: false, rightIsScalar: false)
    }
  }

  @inline(__always)
  private func apply<Function: BinaryVectorFunction>(_ function: Function, leftIsScalar: Bool, rightIsScalar: Bool) {
    typealias V = Function.V
    let low = V.splat(lower), high = V.splat(upper)
    var a = left, b = right, result = output
    var row = 0
    while row < rows {
      let scalar = leftIsScalar ? V.splat(a.pointee) : rightIsScalar ? V.splat(b.pointee) : V.F()
      var column = 0
      while column < columns {
        let count = columns &- column
        if count >= V.lanes {
          let x = leftIsScalar ? scalar : V.load(a + column), y = rightIsScalar ? scalar : V.load(b + column)
          V.store(V.clamp(function.apply(x, y), low, high), result + column)
        } else {
          let x = leftIsScalar ? scalar : V.loadFirst(count, a + column)
          let y = rightIsScalar ? scalar : V.loadFirst(count, b + column)
          V.storeFirst(count, V.clamp(function.apply(x, y), low, high), result + column)
        }
        column &+= V.lanes
      }
      a += leftStride
      b += rightStride
      result += outputStride
      row &+= 1
    }
  }
}

struct Add<V: VectorISA>: BinaryVectorFunction {
  @inline(__always) func apply(_ left: V.F, _ right: V.F) -> V.F { left + right }
}

struct Subtract<V: VectorISA>: BinaryVectorFunction {
  @inline(__always) func apply(_ left: V.F, _ right: V.F) -> V.F { left - right }
}

struct Multiply<V: VectorISA>: BinaryVectorFunction {
  @inline(__always) func apply(_ left: V.F, _ right: V.F) -> V.F { left * right }
}

struct Divide<V: VectorISA>: BinaryVectorFunction {
  @inline(__always) func apply(_ left: V.F, _ right: V.F) -> V.F { left / right }
}

struct Maximum<V: VectorISA>: BinaryVectorFunction {
  @inline(__always) func apply(_ left: V.F, _ right: V.F) -> V.F { V.maximum(left, right) }
}

struct Minimum<V: VectorISA>: BinaryVectorFunction {
  @inline(__always) func apply(_ left: V.F, _ right: V.F) -> V.F { V.minimum(left, right) }
}

struct SquaredDifference<V: VectorISA>: BinaryVectorFunction {
  @inline(__always) func apply(_ left: V.F, _ right: V.F) -> V.F {
    let difference = left - right
    return difference * difference
  }
}

/// `x < 0 ? slope * x : x` with a slope per column, as a `BinaryVectorFunction` of input and slope.
struct ParametricRelu<V: VectorISA>: BinaryVectorFunction {
  @inline(__always) func apply(_ left: V.F, _ right: V.F) -> V.F {
    V.select(signOf: left, negative: left * right, positive: left)
  }
}
