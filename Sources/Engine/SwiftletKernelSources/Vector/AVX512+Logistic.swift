#if SWIFTLET_AVX512
  import _Builtin_intrinsics.intel

  extension AVX512 {
    /// Returns the logistic function by `e^-|x|`, with XNNPACK's operations: 2^(n/32) from a table, and two terms of
    /// the exponential series for the rest.
    @inline(__always) static func logistic(_ x: F) -> F {
      let z = floats(bits(x) | splat(Int32.min))
      // Adding this constant leaves the number of 32nds in the lowest five bits, which index the table.
      let magic = splat(0x1.8p18)
      let shifted = multiplyAdd(z, splat(0x1.715476p0), magic)
      let power = _mm512_permutex2var_ps(lowerPowers, unsafeBitCast(shifted, to: SIMD8<Int64>.self), upperPowers)
      let n = shifted - magic
      var rest = multiplyAdd(n, splat(-0x1.62e43p-1), z)
      rest = multiplyAdd(n, splat(0x1.05c61p-29), rest)
      let series = multiplyAdd(rest, splat(0.5), splat(0x1.0000f6p0))
      let exponential = _mm512_scalef_ps(multiplyAdd(rest * power, series, power), n)
      let quotient = exponential / (exponential + splat(1))
      return select(signOf: x, negative: quotient, positive: splat(1) - quotient)
    }

    /// The table of `2^(n / 32)` for n from 0 to 31.
    @inline(__always) private static var lowerPowers: F {
      F(
        0x1p0, 0x1.059b0ep0, 0x1.0b5586p0, 0x1.11301ep0, 0x1.172b84p0, 0x1.1d4874p0, 0x1.2387a6p0, 0x1.29e9ep0,
        0x1.306fep0, 0x1.371a74p0, 0x1.3dea64p0, 0x1.44e086p0, 0x1.4bfdaep0, 0x1.5342b6p0, 0x1.5ab07ep0, 0x1.6247ecp0)
    }
    @inline(__always) private static var upperPowers: F {
      F(
        0x1.6a09e6p0, 0x1.71f75ep0, 0x1.7a1148p0, 0x1.82589ap0, 0x1.8ace54p0, 0x1.93737cp0, 0x1.9c4918p0, 0x1.a5503cp0,
        0x1.ae89fap0, 0x1.b7f77p0, 0x1.c199bep0, 0x1.cb720ep0, 0x1.d5818ep0, 0x1.dfc974p0, 0x1.ea4afap0, 0x1.f50766p0)
    }
  }
#endif
