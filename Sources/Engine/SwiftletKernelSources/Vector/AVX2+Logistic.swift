#if SWIFTLET_AVX2
  import _Builtin_intrinsics.intel

  extension AVX2 {
    /// Returns the logistic function by `e^-|x|`, with XNNPACK's operations: a polynomial of degree 5 between powers of
    /// two.
    @inline(__always) static func logistic(_ x: F) -> F {
      let z = floats(bits(x) | splat(Int32.min))
      // Adding this constant leaves the exponent of the power of two in the lowest bits.
      let magic = splat(0x1.8000fep23)
      let shifted = multiplyAdd(z, splat(0x1.715476p0), magic)
      let power = floats(bits(shifted) &<< 23)
      let n = shifted - magic
      let rest = multiplyAdd(n, splat(-0x1.62e43p-1), z)
      var series = multiplyAdd(splat(0x1.0f9f9cp-7), rest, splat(0x1.573a1ap-5))
      series = multiplyAdd(series, rest, splat(0x1.555a8p-3))
      series = multiplyAdd(series, rest, splat(0x1.fffdc6p-2))
      series = multiplyAdd(series, rest, splat(0x1.fffff6p-1))
      let exponential = multiplyAdd(rest * power, series, power)
      let quotient = exponential / (exponential + splat(1))
      // Powers below the normal range are flushed to zero. NaN stays NaN, because the sign bit of its difference is
      // clear.
      let normal = select(signOf: splat(0x1.5d589ep6) - absolute(x), negative: F(), positive: quotient)
      return select(signOf: x, negative: normal, positive: splat(1) - normal)
    }
  }
#endif
