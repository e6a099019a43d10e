// Elementary functions on `VectorISA`. The coefficients are minimax fits (least squares reweighted towards the largest
// relative error) of the named functions, each rounded to float32 in turn. Measured error bounds are in
// docs/internals/kernels.md, and the tests enforce them for every function. NaN gives NaN.

extension VectorISA {
  @inline(__always) static func absolute(_ x: F) -> F { floats(bits(x) & splat(Int32.max)) }

  /// Returns `2^n` for n from -126 to 127.
  @inline(__always) static func powerOfTwo(_ n: I) -> F { floats((n &+ splat(127)) &<< 23) }

  /// Splits `x = n ln 2 + r` with `|r| <= ln 2 / 2`, and returns n and `e^r - 1`. Accurate enough for |x| up to 150.
  @inline(__always) static func exponentialParts(_ x: F) -> (n: I, m: F) {
    let n = toIntInRange(x * splat(0x1.715476p0))
    let wholes = toFloat(n)
    // ln 2 in two parts. The first part is short enough for its product with n to be exact even without fused
    // arithmetic.
    var r = multiplyAdd(wholes, splat(-0x1.62e4p-1), x)
    r = multiplyAdd(wholes, splat(-0x1.7f7d1cp-20), r)
    var q = splat(0x1.6b8d7ep-10)
    q = multiplyAdd(q, r, splat(0x1.1226b8p-7))
    q = multiplyAdd(q, r, splat(0x1.5557p-5))
    q = multiplyAdd(q, r, splat(0x1.5554b2p-3))
    q = multiplyAdd(q, r, splat(0x1.fffffep-2))
    return (n, multiplyAdd(q * r, r, r))
  }

  /// Returns `e^x` for x from -88 to 88, with XNNPACK's operations: a polynomial of degree 5 between powers of two.
  /// The power of two below the normal range is zero, and so is `e^-88`. The error grows with |x|.
  @inline(__always) static func exponentialInNormalRange(_ x: F) -> F {
    // Adding this constant leaves the exponent of the power of two in the lowest bits.
    let magic = splat(0x1.8000fep23)
    let shifted = multiplyAdd(x, splat(0x1.715476p0), magic)
    let power = floats(bits(shifted) &<< 23)
    let n = shifted - magic
    #if SWIFTLET_AVX2 || SWIFTLET_AVX512 || (SWIFTLET_NEON && !SWIFTLET_UNFUSED)
      let rest = multiplyAdd(n, splat(-0x1.62e43p-1), x)
    #else
      // A product of a longer part of ln 2 would be rounded.
      let rest = multiplyAdd(n, splat(-0x1.7f7d1cp-20), multiplyAdd(n, splat(-0x1.62e4p-1), x))
    #endif
    var series = multiplyAdd(splat(0x1.0f9f9cp-7), rest, splat(0x1.573a1ap-5))
    series = multiplyAdd(series, rest, splat(0x1.555a8p-3))
    series = multiplyAdd(series, rest, splat(0x1.fffdc6p-2))
    series = multiplyAdd(series, rest, splat(0x1.fffff6p-1))
    return multiplyAdd(rest * power, series, power)
  }

  @inline(__always) static func exponential(_ x: F) -> F {
    let (n, m) = exponentialParts(minimum(splat(89), maximum(splat(-104), x)))
    // In two steps, so that results below the normal range and above the largest float are right.
    let half = n &>> 1
    return (m + splat(1)) * powerOfTwo(half) * powerOfTwo(n &- half)
  }

  /// Returns `e^x - 1` for x up to 0.
  @inline(__always) static func exponentialMinusOne(_ x: F) -> F {
    let (n, m) = exponentialParts(maximum(splat(-40), x))
    let scale = powerOfTwo(n)
    return multiplyAdd(m, scale, scale - splat(1))
  }

  @inline(__always) static func logarithm(_ x: F) -> F {
    // Below the normal range, the exponent field is always zero, so scale up first.
    let isSmall = x - splat(Float.leastNormalMagnitude)
    let scaled = select(signOf: isSmall, negative: x * splat(0x1p23), positive: x)
    let shift = select(signOf: isSmall, negative: splat(-23), positive: F())
    // x = 2^e (1 + f), 1 + f from √½ to √2.
    let offset = bits(scaled) &- splat(0x3f35_04f3 as Int32)
    let e = toFloat(offset &>> 23) + shift
    let f = floats(bits(scaled) &- ((offset &>> 23) &<< 23)) - splat(1)
    var p = splat(-0x1.38c96ap-4)
    p = multiplyAdd(p, f, splat(0x1.055eacp-3))
    p = multiplyAdd(p, f, splat(-0x1.0d8246p-3))
    p = multiplyAdd(p, f, splat(0x1.22d93p-3))
    p = multiplyAdd(p, f, splat(-0x1.54728ap-3))
    p = multiplyAdd(p, f, splat(0x1.99a01cp-3))
    p = multiplyAdd(p, f, splat(-0x1.000226p-2))
    p = multiplyAdd(p, f, splat(0x1.555554p-2))
    let square = f * f
    var tail = multiplyAdd(p, square * f, square * splat(-0.5))
    tail = multiplyAdd(e, splat(0x1.7f7d1cp-20), tail)
    let result = multiplyAdd(e, splat(0x1.62e4p-1), f + tail)
    // NaN propagates through the product. Infinity, zero, and negative values need separate selections.
    let finite = result + x * F()
    let upTo = select(signOf: splat(Float.greatestFiniteMagnitude) - x, negative: x, positive: finite)
    let outside = squareRoot(x) - splat(Float.infinity)
    return select(signOf: x - splat(Float.leastNonzeroMagnitude), negative: outside, positive: upTo)
  }

  /// Returns `1 / (1 + e^-x)`, computed from `e^-|x|` so that neither end loses digits.
  @inline(__always) static func logistic(_ x: F) -> F {
    let z = exponential(F() - absolute(x))
    return select(signOf: x, negative: z, positive: splat(1)) / (splat(1) + z)
  }

  /// Returns the hyperbolic tangent: with fused arithmetic, a quotient of polynomials of degrees 9 and 8; otherwise,
  /// `-m / (2 + m)` with `m = e^(-2|x|) - 1`. Both keep the digits of small x.
  @inline(__always) static func hyperbolicTangent(_ x: F) -> F {
    #if SWIFTLET_AVX2 || SWIFTLET_AVX512 || (SWIFTLET_NEON && !SWIFTLET_UNFUSED)
      // The quotient is 1 at the bounds.
      let bounded = clamp(x, splat(-0x1.18p3), splat(0x1.18p3)), square = bounded * bounded
      var p = splat(0x1.dcb0dap-27)
      p = multiplyAdd(p, square, splat(0x1.60039p-16))
      p = multiplyAdd(p, square, splat(0x1.cd23f4p-9))
      p = multiplyAdd(p, square, splat(0x1.126f1ep-3))
      p = multiplyAdd(p, square, splat(1))
      var q = splat(0x1.acdd5ep-21)
      q = multiplyAdd(q, square, splat(0x1.5c6782p-12))
      q = multiplyAdd(q, square, splat(0x1.a96146p-6))
      q = multiplyAdd(q, square, splat(0x1.de8cdep-2))
      q = multiplyAdd(q, square, splat(1))
      return clamp(bounded * p / q, splat(-1), splat(1))
    #else
      let m = exponentialMinusOne(absolute(x) * splat(-2))
      return withSign(of: x, (F() - m) / (splat(2) + m))
    #endif
  }

  /// Returns `x Φ(x)`, where Φ is the normal distribution. With fused arithmetic, `2 Φ(x) - 1` is a quotient of
  /// polynomials of degrees 11 and 10, with XNNPACK's operations. Otherwise, the tail is `e^(-x²/2)` times a polynomial
  /// in `1 / (1 + 0.345 |x|)`, which keeps the digits of negative x.
  @inline(__always) static func gelu(_ x: F) -> F {
    #if SWIFTLET_AVX2 || SWIFTLET_AVX512 || (SWIFTLET_NEON && !SWIFTLET_UNFUSED)
      // The quotient is 1 at the bounds.
      let bounded = clamp(x, splat(-0x1.4a7c2ap2), splat(0x1.4a7c2ap2)), square = bounded * bounded
      var p = splat(0x1.89b8fp-25)
      p = multiplyAdd(p, square, splat(0x1.a71d38p-17))
      p = multiplyAdd(p, square, splat(0x1.59bf88p-12))
      p = multiplyAdd(p, square, splat(0x1.30f4b2p-7))
      p = multiplyAdd(p, square, splat(0x1.12516ap-4))
      p = multiplyAdd(p, square, splat(0x1.988452p-1))
      var q = splat(0x1.41d272p-20)
      q = multiplyAdd(q, square, splat(0x1.2f1ccep-14))
      q = multiplyAdd(q, square, splat(0x1.e82fc8p-10))
      q = multiplyAdd(q, square, splat(0x1.d1d45cp-6))
      q = multiplyAdd(q, square, splat(0x1.009e36p-2))
      q = multiplyAdd(q, square, splat(1))
      return x * splat(0.5) * (bounded * p / q + splat(1))
    #else
      let a = minimum(splat(16), absolute(x))
      let t = splat(1) / multiplyAdd(a, splat(0.345), splat(1))
      var p = splat(-0x1.d108p-6)
      p = multiplyAdd(p, t, splat(0x1.298c8p-3))
      p = multiplyAdd(p, t, splat(-0x1.15b10ap-2))
      p = multiplyAdd(p, t, splat(0x1.7f664cp-3))
      p = multiplyAdd(p, t, splat(-0x1.34156p-5))
      p = multiplyAdd(p, t, splat(0x1.c9f0ccp-4))
      p = multiplyAdd(p, t, splat(0x1.e034b6p-4))
      p = multiplyAdd(p, t, splat(0x1.1aaabap-3))
      p = multiplyAdd(p, t, splat(0x1.19d824p-3))
      let square = a * a
      // The rounding error of the square matters if the exponent is large.
      let lost = multiplyAdd(a, a, F() - square)
      let tail = p * t * exponential(square * splat(-0.5)) * multiplyAdd(lost, splat(-0.5), splat(1))
      return x * select(signOf: x, negative: tail, positive: splat(1) - tail)
    #endif
  }

  /// Returns the approximation of `gelu` by a hyperbolic tangent. `½ (1 + tanh u)` is the logistic function of `2u`.
  @inline(__always) static func geluByTangent(_ x: F) -> F {
    x * logistic(x * multiplyAdd(x * x, splat(0x1.2444f2p-4), splat(0x1.988454p0)))
  }

  /// Rounds to the nearest integer, ties to even.
  @inline(__always) static func roundedToEven(_ x: F) -> F {
    // From 2^23, every float is an integer, and the conversion may overflow.
    let rounded = withSign(of: x, absolute(toFloat(toInt(x))))
    return select(signOf: absolute(x) - splat(0x1p23), negative: rounded, positive: x)
  }

  @inline(__always) static func floor(_ x: F) -> F {
    let rounded = roundedToEven(x)
    return select(signOf: x - rounded, negative: rounded - splat(1), positive: rounded)
  }

  @inline(__always) static func ceiling(_ x: F) -> F {
    let rounded = roundedToEven(x)
    return withSign(of: x, absolute(select(signOf: rounded - x, negative: rounded + splat(1), positive: rounded)))
  }
}
