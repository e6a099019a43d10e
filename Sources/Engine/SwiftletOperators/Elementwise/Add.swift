import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// ADD: `activation(left + right)`, broadcasting.
///
/// - Shapes: two tensors that broadcast to one shape, which is the output's.
/// - Types: float32, float16, int32, int64, int16 without quantisation; int8, uint8, int16 quantised per tensor.
/// - Source: operator 0 of the model format.
struct AddOperator: ArithmeticOperator, EpilogueOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .add, versions: 1...6, types: .uniform([.float32, .float16, .int8, .uint8, .int16, .int32, .int64]))
  }

  var activation: FusedActivation
  private let prefersPowersOfTwo: Bool

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    activation = try FusedActivation(node, field: AddOptions.fusedActivation)
    prefersPowersOfTwo = try node.options[AddOptions.powerOfTwoScaleInt16]
  }

  enum Operation: ArithmeticOperation {
    static let kernel = BinaryOperation.add

    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element { left &+ right }
  }

  func epilogueStep(_ node: NodeView, ofInput index: Int) throws -> EpilogueStep? {
    try node.epilogueStep(.add, ofInput: index, clamp: activation)
  }

  func prepareQuantized(_ context: PrepareContext, _ type: QuantizedType) throws -> PreparedOperator {
    try QuantizedAddition.prepare(
      context, type, sign: 1, activation: activation, prefersPowersOfTwo: prefersPowersOfTwo)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try prepareArithmetic(context) }
}
