import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// SUB: `activation(left - right)`, broadcasting.
///
/// - Shapes: two tensors that broadcast to one shape, which is the output's.
/// - Types: float32, int32, int64, int16 without quantisation; int8, uint8, int16 quantised per tensor.
/// - Source: operator 41 of the model format.
struct SubtractOperator: ArithmeticOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .sub, versions: 1...5, types: .uniform([.float32, .int8, .uint8, .int16, .int32, .int64]))
  }

  var activation: FusedActivation
  private let prefersPowersOfTwo: Bool

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    activation = try FusedActivation(node, field: SubOptions.fusedActivation)
    prefersPowersOfTwo = try node.options[SubOptions.powerOfTwoScaleInt16]
  }

  enum Operation: ArithmeticOperation {
    static let kernel = BinaryOperation.subtract

    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element { left &- right }
  }

  func prepareQuantized(_ context: PrepareContext, _ type: QuantizedType) throws -> PreparedOperator {
    try QuantizedAddition.prepare(
      context, type, sign: -1, activation: activation, prefersPowersOfTwo: prefersPowersOfTwo)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try prepareArithmetic(context) }
}
