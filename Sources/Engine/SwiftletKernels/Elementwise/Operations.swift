/// A function of two floats. Raw values are part of the entry points' interface.
package enum BinaryOperation: Int32, Sendable, CaseIterable {
  case add
  case subtract
  case multiply
  case divide
  /// `left > right ? left : right`.
  case maximum
  /// `left < right ? left : right`.
  case minimum
  case squaredDifference
  /// `left < 0 ? left * right : left`: PRELU with its slopes on the right.
  case parametricRelu
}

/// A function of one float. Raw values are part of the entry points' interface.
///
/// Functions without a comment are exact or correctly rounded; for the others the error is stated in units in the last
/// place (ulp) of the exact result, on instruction sets with fused multiply-add; without it, twice that. NaN gives NaN.
package enum UnaryOperation: Int32, Sendable, CaseIterable {
  /// `min(max(x, first), second)`: the RELU family.
  case clamp
  case absolute
  case negate
  case square
  /// Correctly rounded; on x86-64 XNNPACK's step from the processor's estimate, 2.5 ulp with AVX-512, 5 with AVX2.
  case squareRoot
  /// `1 / √x`, each rounded, 1.5 ulp; on x86-64 as the square root, 1.5 ulp with AVX-512, 4.5 with AVX2.
  case reciprocalSquareRoot
  /// 1.25 ulp.
  case exponential
  /// 1 ulp; -∞ for zero, NaN below.
  case logarithm
  /// 5.5 ulp; 6 without fused multiply-add.
  case hyperbolicTangent
  /// 2.5 ulp; 4 on x86-64, 1.2e-38 absolute below -87, where it equals XNNPACK in every bit above that.
  case logistic
  /// `x * min(max(x + 3, 0), 6) / 6`: 2 ulp, with fused multiply-add for negative x 1e-7 absolute.
  case hardSwish
  /// `x Φ(x)`: with fused multiply-add 4 ulp for x above -1, 7.5e-7 absolute below; without 14 ulp for x above -5, 300
  /// below, where results are smaller than 2e-6.
  case gelu
  /// `x / 2 * (1 + tanh(√(2/π) (x + 0.044715 x³)))`: 3 ulp for x above -1, 1e-7 absolute below.
  case geluByTangent
  /// `x < 0 ? e^x - 1 : x`: 1 ulp.
  case elu
  /// `x < 0 ? first * x : x`.
  case leakyRelu
  case floor
  case ceiling
  case roundToEven
  /// `x * logistic(x)`: 5 ulp for x above -86, 1e-35 absolute below.
  case swish
}
