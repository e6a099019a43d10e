import SwiftletBase

/// Functions of `Float` that are computed in double precision and rounded once.
///
/// MediaPipe's binaries bring their own single-precision functions, whose results are these. Those of C libraries, such
/// as `cosf`, differ in the last bit now and then, from platform to platform too. Where landmarks are compared with
/// MediaPipe's bit by bit, that bit counts: a model sees the region that is computed from it.
package enum RoundedFunctions {
  /// The cosine of an angle in radians.
  package static func cosine(_ angle: Float) -> Float { Float(cos(Double(angle))) }

  /// The sine of an angle in radians.
  package static func sine(_ angle: Float) -> Float { Float(sin(Double(angle))) }

  /// The angle from the x axis to a point, in −π…π.
  package static func arcTangent(y: Float, x: Float) -> Float { Float(atan2(Double(y), Double(x))) }

  /// The power of e.
  package static func exponential(_ exponent: Float) -> Float { Float(exp(Double(exponent))) }

  /// The logistic function 1 / (1 + e^−x), rounded after every step.
  package static func sigmoid(_ value: Float) -> Float { 1 / (1 + exponential(-value)) }
}
