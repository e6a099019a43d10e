import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// COMPLEX_ABS: the distance from zero.
///
/// - Shapes: any; the output has the input's.
/// - Types: complex64 to float32, complex128 to float64.
/// - Source: operator 135 of the model format.
struct ComplexMagnitudeOperator: ComplexPartOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.complexAbs, versions: 1...1, floatError: 1e-6, types: types)
  }

  @inline(__always)
  static func part(real: Float, imaginary: Float) -> Float {
    // The squares are exact in double precision, and their sum cannot overflow there.
    let square = Double(real) * Double(real) + Double(imaginary) * Double(imaginary)
    // Infinite beside what is no number is infinite.
    return square.isNaN ? hypotf(real, imaginary) : Float(square.squareRoot())
  }
  @inline(__always)
  static func part(real: Double, imaginary: Double) -> Double { hypot(real, imaginary) }
}
