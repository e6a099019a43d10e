import SwiftletKernels

// Goals, in order: the error bounds stated at `UnaryOperation`; output may be the input; one loop per function.

/// A function of one vector.
protocol UnaryVectorFunction {
  associatedtype V: VectorISA
  func apply(_ x: V.F) -> V.F
}

/// Applies `function` to `count` elements. Each vector is loaded before it is stored, so `output` may be `input`.
@inline(__always)
func mapVectors<Function: UnaryVectorFunction>(
  _ function: Function, count: Int, input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>
) {
  typealias V = Function.V
  var index = 0
  while index < count {
    let left = count &- index
    if left >= V.lanes {
      V.store(function.apply(V.load(input + index)), output + index)
    } else {
      V.storeFirst(left, function.apply(V.loadFirst(left, input + index)), output + index)
    }
    index &+= V.lanes
  }
}

struct Clamp<V: VectorISA>: UnaryVectorFunction {
  let lower: Float
  let upper: Float
  @inline(__always) func apply(_ x: V.F) -> V.F { V.clamp(x, V.splat(lower), V.splat(upper)) }
}

struct Absolute<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F { V.absolute(x) }
}

struct Negate<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F { V.floats(V.bits(x) ^ V.splat(Int32.min)) }
}

struct Square<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F { x * x }
}

struct SquareRoot<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F {
    #if SWIFTLET_AVX2 || SWIFTLET_AVX512
      V.select(root: x * V.reciprocalSquareRoot(x), of: x, orOutside: V.squareRoot(x))
    #else
      V.squareRoot(x)
    #endif
  }
}

struct ReciprocalSquareRoot<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F {
    let quotient = V.splat(1) / V.squareRoot(x)
    #if SWIFTLET_AVX2 || SWIFTLET_AVX512
      return V.select(root: V.reciprocalSquareRoot(x), of: x, orOutside: quotient)
    #else
      return quotient
    #endif
  }
}

#if SWIFTLET_AVX2 || SWIFTLET_AVX512
  extension VectorISA {
    /// Returns the reciprocal square root by one Newton step from the CPU's estimate, with the operations and roundings
    /// of XNNPACK.
    @inline(__always) fileprivate static func reciprocalSquareRoot(_ x: F) -> F {
      let estimate = estimatedReciprocalSquareRoot(x)
      let excess = x * (estimate * estimate) - splat(1)
      return estimate - excess * (splat(0.5) * estimate)
    }

    /// Returns `root` for normal numbers and `other` for all others, because the square of their estimate isn't finite.
    @inline(__always) fileprivate static func select(root: F, of x: F, orOutside other: F) -> F {
      let upTo = select(signOf: x - splat(Float.leastNormalMagnitude), negative: other, positive: root)
      return select(signOf: splat(Float.greatestFiniteMagnitude) - x, negative: other, positive: upTo)
    }
  }
#endif

struct Exponential<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F { V.exponential(x) }
}

struct Logarithm<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F { V.logarithm(x) }
}

struct HyperbolicTangent<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F { V.hyperbolicTangent(x) }
}

struct Logistic<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F { V.logistic(x) }
}

struct HardSwish<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F {
    #if SWIFTLET_AVX2 || SWIFTLET_AVX512 || (SWIFTLET_NEON && !SWIFTLET_UNFUSED)
      // The form of XNNPACK, so that results are bit-exact with it. Without fused multiply-add, this form would lose
      // digits near -3.
      V.clamp(V.multiplyAdd(x, V.splat(1 / 6), V.splat(0.5)), V.F(), V.splat(1)) * x
    #else
      x * V.clamp(x + V.splat(3), V.F(), V.splat(6)) / V.splat(6)
    #endif
  }
}

struct Gelu<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F { V.gelu(x) }
}

struct GeluByTangent<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F { V.geluByTangent(x) }
}

struct Elu<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F {
    V.select(signOf: x, negative: V.exponentialMinusOne(x), positive: x)
  }
}

struct LeakyRelu<V: VectorISA>: UnaryVectorFunction {
  let slope: Float
  @inline(__always) func apply(_ x: V.F) -> V.F {
    V.select(signOf: x, negative: x * V.splat(slope), positive: x)
  }
}

struct Floor<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F { V.floor(x) }
}

struct Ceiling<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F { V.ceiling(x) }
}

struct RoundToEven<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F { V.roundedToEven(x) }
}

struct Swish<V: VectorISA>: UnaryVectorFunction {
  @inline(__always) func apply(_ x: V.F) -> V.F { x * V.logistic(x) }
}
