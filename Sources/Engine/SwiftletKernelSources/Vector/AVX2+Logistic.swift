#if SWIFTLET_AVX2
  import _Builtin_intrinsics.intel

  extension AVX2 {
    /// Returns the logistic function by `e^-|x|`, with XNNPACK's operations.
    @inline(__always) static func logistic(_ x: F) -> F {
      let exponential = exponentialInNormalRange(floats(bits(x) | splat(Int32.min)))
      let quotient = exponential / (exponential + splat(1))
      // Powers below the normal range are flushed to zero. NaN stays NaN, because the sign bit of its difference is
      // clear.
      let normal = select(signOf: splat(0x1.5d589ep6) - absolute(x), negative: F(), positive: quotient)
      return select(signOf: x, negative: normal, positive: splat(1) - normal)
    }
  }
#endif
