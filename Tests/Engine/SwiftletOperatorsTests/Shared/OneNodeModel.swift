import SwiftletSchema
import SwiftletTestSupport

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Scale and zero point of a tensor in a test.
struct TestQuantization: Sendable {
  var scale: Float
  var zeroPoint: Int32 = 0
}

/// A tensor with its values and, for codes, what they stand for.
struct TestOperand: Sendable {
  var tensor: Tensor
  var quantization: TestQuantization?
  var isConstant = false

  init<Scalar: TensorScalar>(
    _ values: [Scalar], _ shape: Shape? = nil, _ quantization: TestQuantization? = nil, isConstant: Bool = false
  ) throws {
    tensor = try Tensor(values, shape: shape ?? [values.count])
    self.quantization = quantization
    self.isConstant = isConstant
  }

  /// Elements of types that Swift has no type for.
  init(_ type: ElementType, bits: [UInt16], _ shape: Shape? = nil) throws {
    tensor = try Tensor(
      elementType: type, shape: shape ?? [bits.count],
      bytes: bits.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
  }
}

/// The output of a model of one operator.
func evaluate(
  _ kind: BuiltinOperator, _ operands: [TestOperand], to type: ElementType, _ quantization: TestQuantization? = nil,
  options: WrittenOptions? = nil, version: Int = 1, run: RuntimeOptions = RuntimeOptions()
) throws -> Tensor {
  var graph = TestGraph()
  let inputs = operands.map { operand in
    let scale = operand.quantization?.scale
    let zeroPoint = operand.quantization?.zeroPoint ?? 0
    let tensor = operand.tensor
    return operand.isConstant
      ? graph.constant(tensor, scale: scale, zeroPoint: zeroPoint)
      : graph.input(tensor.elementType, tensor.shape.dimensions, scale: scale, zeroPoint: zeroPoint)
  }
  let output = graph.output(type, [], scale: quantization?.scale, zeroPoint: quantization?.zeroPoint ?? 0)
  graph.add(kind, inputs, [output], options: options, version: version)
  let given = operands.filter { !$0.isConstant }.map(\.tensor)
  return try graph.session(options: run).run(given)[0]
}

/// Both ways to round, for tests that must hold in either.
let bothNumerics = [RuntimeOptions(numerics: .fast), RuntimeOptions(numerics: .bitExact)]
