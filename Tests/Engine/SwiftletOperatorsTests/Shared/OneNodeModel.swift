import SwiftletSchema
import SwiftletTestSupport

@testable import SwiftletEngine
@testable import SwiftletOperators

/// The scale and zero point of a tensor in a test.
struct TestQuantization: Sendable {
  var scale: Float
  var zeroPoint: Int32 = 0
}

extension Operand {
  static func input<Scalar: TensorScalar>(
    _ values: [Scalar], _ shape: [Int]?, _ quantization: TestQuantization?
  ) throws -> Operand {
    try .input(values, shape, scale: quantization?.scale, zeroPoint: quantization?.zeroPoint ?? 0)
  }

  /// Returns elements of types without a Swift type.
  static func input(_ type: ElementType, bits: [UInt16]) throws -> Operand {
    .input(
      try Tensor(
        elementType: type, shape: [bits.count],
        bytes: bits.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }))
  }
}

/// Returns the output of a node with a single output.
func evaluate(
  _ kind: BuiltinOperator, _ operands: [Operand], to type: ElementType, _ quantization: TestQuantization? = nil,
  options: WrittenOptions? = nil, version: Int = 1, run: RuntimeOptions = RuntimeOptions()
) throws -> Tensor {
  let node = SingleNode(
    kind, operands, gives: [type], scale: quantization?.scale, zeroPoint: quantization?.zeroPoint ?? 0,
    options: options, version: version)
  return try node.run(run)[0]
}

/// Both numeric modes, for tests that must pass in each.
let bothNumerics = [RuntimeOptions(numerics: .fast), RuntimeOptions(numerics: .bitExact)]
