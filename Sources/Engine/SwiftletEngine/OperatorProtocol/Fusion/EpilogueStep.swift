package import SwiftletKernels
package import SwiftletSchema

/// An elementwise function that an operator applies to its float32 results before they leave the cache.
package enum EpilogueStep: Sendable {
  case unary(UnaryFloatKernel)
  /// The result on the left, and on the right an input of the node: a tensor like the result, or a vector for each of
  /// its rows. The clamp comes last.
  case binary(BinaryOperation, operand: Int, isVector: Bool, clamp: FusedActivation)

  /// The same with its operand, if it has one, at another place.
  package func readingOperand(at index: Int) -> EpilogueStep {
    guard case .binary(let operation, _, let isVector, let clamp) = self else { return self }
    return .binary(operation, operand: index, isVector: isVector, clamp: clamp)
  }
}

/// A function of the kernel table with its parameters.
package struct UnaryFloatKernel: Sendable {
  package var operation: UnaryOperation
  package var first: Float
  package var second: Float

  package init(operation: UnaryOperation, first: Float = 0, second: Float = 0) {
    self.operation = operation
    self.first = first
    self.second = second
  }
}

/// An operator that applies elementwise functions to its float32 output itself.
package protocol TakesEpilogue: FusesActivation {
  /// In the order in which they are applied, after the operator's own activation.
  var epilogue: [EpilogueStep] { get set }
  /// Whether it also does where its weights are bytes, and it quantises its float32 input itself.
  var takesEpilogueOfDynamicRange: Bool { get }
}

extension TakesEpilogue {
  package var takesEpilogueOfDynamicRange: Bool { false }
}

/// An elementwise operator that another one can apply for it.
package protocol EpilogueOperator: Operator {
  /// What the node does to its float32 input `index`; `nil` when it is more than a step of an epilogue can do.
  func epilogueStep(_ node: NodeView, ofInput index: Int) throws -> EpilogueStep?
}
