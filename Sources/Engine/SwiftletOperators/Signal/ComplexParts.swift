import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// An operator that returns a real number for every complex number.
protocol ComplexPartOperator: PlainUnaryOperator {
  static func part(real: Float, imaginary: Float) -> Float
  static func part(real: Double, imaginary: Double) -> Double
}

extension ComplexPartOperator {
  static var types: [TypeCombination] {
    .one(TypeSet(.complex64), to: .float32) + .one(TypeSet(.complex128), to: TypeSet(.float64))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try context.node.input(0).elementType == .complex64
      ? .unary(context, FloatPart<Self>(), cost: 1) : .unary(context, DoublePart<Self>(), cost: 1)
  }
}

private struct FloatPart<Part: ComplexPartOperator>: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: ComplexFloat) -> Float { Part.part(real: input.real, imaginary: input.imaginary) }
}

private struct DoublePart<Part: ComplexPartOperator>: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: ComplexDouble) -> Double { Part.part(real: input.real, imaginary: input.imaginary) }
}

/// REAL: the real part.
///
/// - Shapes: any; the output has the input's shape.
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

/// IMAG: the imaginary part.
///
/// - Shapes: any; the output has the input's shape.
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

/// COMPLEX_ABS: the magnitude.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: complex64 to float32, complex128 to float64.
/// - Source: operator 135 of the model format.
struct ComplexMagnitudeOperator: ComplexPartOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.complexAbs, versions: 1...1, floatError: 1e-6, types: types)
  }

  @inline(__always)
  static func part(real: Float, imaginary: Float) -> Float {
    // The squares are exact in double precision, and their sum can't overflow.
    let square = Double(real) * Double(real) + Double(imaginary) * Double(imaginary)
    // If one part is infinite and the other is NaN, the magnitude is infinite.
    return square.isNaN ? hypotf(real, imaginary) : Float(square.squareRoot())
  }
  @inline(__always)
  static func part(real: Double, imaginary: Double) -> Double { hypot(real, imaginary) }
}
