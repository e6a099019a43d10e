import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// POW: `left` to the power of `right`, with broadcasting. Integers wrap, and a negative integer exponent is an error
/// of the run.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: float32, int32.
/// - Source: operator 78 of the model format.
struct PowerOperator: PlainBinaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.pow, versions: 1...1, floatError: 1e-6, types: .uniform([.float32, .int32]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    if try context.node.input(0).elementType == .int32 {
      let check = try PreparedOperator.Stage.check(
        context, input: 1, as: Int32.self, "integers take no negative exponent"
      ) { $0 >= 0 }
      return PreparedOperator(stages: [check, try PreparedOperator.Stage(context, IntegerPower(), cost: 30)])
    }
    // Exponents that exporters write for squares, cubes, and roots; the same shape as the base, or the general case.
    if try context.node.input(0).shape == context.node.output(0).shape, let exponent = try constantExponent(context) {
      switch exponent {
      case 2: return try .unary(context, SquarePower(), cost: 0.25)
      case 3: return try .unary(context, CubePower(), cost: 0.3)
      case 0.5: return try .unary(context, RootPower(), cost: 1.6)
      default: break
      }
    }
    return try .binary(context, FloatPower(), cost: 15)
  }

  private func constantExponent(_ context: PrepareContext) throws -> Float? {
    guard try context.node.input(1).shape.elementCount == 1, let bytes = context.node.constant(1), bytes.count >= 4
    else {
      return nil
    }
    return bytes.loadUnaligned(as: Float.self)
  }
}

private struct FloatPower: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: Float, _ right: Float) -> Float { powf(left, right) }
}

private struct SquarePower: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { input * input }
}

private struct CubePower: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { input * input * input }
}

private struct RootPower: UnaryFunction {
  /// Returns the power with exponent 0.5. Unlike a square root, it maps minus infinity to infinity, and minus zero to
  /// zero.
  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { input == -.infinity ? .infinity : input.squareRoot() + 0 }
}

private struct IntegerPower: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: Int32, _ right: Int32) -> Int32 {
    var result: Int32 = 1
    var base = left
    var exponent = right
    while exponent > 0 {
      if exponent & 1 == 1 { result = result &* base }
      base = base &* base
      exponent &>>= 1
    }
    return result
  }
}
