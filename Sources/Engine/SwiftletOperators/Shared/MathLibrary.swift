import SwiftletCLibrary
import SwiftletEngine

/// Functions of the C library, which the reference uses too.
enum MathLibrary {
  @inline(__always) static func exponential(_ x: Float) -> Float { expf(x) }
  @inline(__always) static func exponential(_ x: Double) -> Double { exp(x) }
  @inline(__always) static func exponentialMinusOne(_ x: Float) -> Float { expm1f(x) }
  @inline(__always) static func logarithm(_ x: Float) -> Float { logf(x) }
  @inline(__always) static func logarithm(_ x: Double) -> Double { log(x) }
  @inline(__always) static func logarithmOfOnePlus(_ x: Double) -> Double { log1p(x) }
  @inline(__always) static func sine(_ x: Float) -> Float { sinf(x) }
  @inline(__always) static func sine(_ x: Double) -> Double { sin(x) }
  @inline(__always) static func cosine(_ x: Float) -> Float { cosf(x) }
  @inline(__always) static func cosine(_ x: Double) -> Double { cos(x) }
  @inline(__always) static func hypotenuse(_ x: Float, _ y: Float) -> Float { hypotf(x, y) }
  @inline(__always) static func hypotenuse(_ x: Double, _ y: Double) -> Double { hypot(x, y) }
  @inline(__always) static func hyperbolicTangent(_ x: Float) -> Float { tanhf(x) }
  @inline(__always) static func complementaryErrorFunction(_ x: Float) -> Float { erfcf(x) }
  @inline(__always) static func power(_ base: Float, _ exponent: Float) -> Float { powf(base, exponent) }
  @inline(__always) static func remainder(_ dividend: Float, _ divisor: Float) -> Float { fmodf(dividend, divisor) }
  @inline(__always) static func angle(y: Float, x: Float) -> Float { atan2f(y, x) }
  @inline(__always) static func angle(y: Double, x: Double) -> Double { atan2(y, x) }
}

extension Float {
  /// The exponent, when this is a power of two as far as single-precision logarithms can tell.
  ///
  /// - Source: the reference's check of int16 scales; a thousandth of an octave counts as exact.
  var exponentOfTwo: Int32? {
    let logarithm = logf(self) * (1 / logf(2))
    let rounded = logarithm.rounded(.toNearestOrAwayFromZero)
    guard abs(logarithm - rounded) < 1e-3 else { return nil }
    return Int32(saturating: rounded)
  }
}
