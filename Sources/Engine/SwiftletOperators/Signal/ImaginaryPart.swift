import SwiftletEngine
import SwiftletSchema

/// IMAG: the imaginary part.
///
/// - Shapes: any; the output has the input's.
/// - Types: complex64 to float32, complex128 to float64.
/// - Source: operator 133 of the model format.
struct ImaginaryPartOperator: ComplexPartOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.imag, versions: 1...1, floatError: 1e-6, types: types)
  }

  @inline(__always)
  static func part(real: Float, imaginary: Float) -> Float { imaginary }
  @inline(__always)
  static func part(real: Double, imaginary: Double) -> Double { imaginary }
}
