import SwiftletEngine
import SwiftletSchema

/// REAL: the real part.
///
/// - Shapes: any; the output has the input's.
/// - Types: complex64 to float32, complex128 to float64.
/// - Source: operator 134 of the model format.
struct RealPartOperator: ComplexPartOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.real, versions: 1...1, floatError: 1e-6, types: types)
  }

  @inline(__always)
  static func part(real: Float, imaginary: Float) -> Float { real }
  @inline(__always)
  static func part(real: Double, imaginary: Double) -> Double { real }
}
