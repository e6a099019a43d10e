import SwiftletEngine
import SwiftletSchema

/// An operator that gives a real number for every complex one.
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
