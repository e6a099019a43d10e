package import SwiftletKernels
package import SwiftletSchema

/// What an operator can do for its neighbors in a graph, and they for it.
///
/// Passes read it to make one node of two. Operators do not spell it out: it follows from the protocols of this folder
/// that they conform to.
package struct Fusion: Sendable {
  /// What the operator can take over, each case more than the one before.
  fileprivate enum Host {
    case activation(any FusesActivation)
    case product(any TakesEpilogue)
    case convolution(any FusingConvolution)
    case reduction(any SquaringReduction)
  }

  /// What another operator can take over.
  fileprivate enum Guest {
    case activation(any ActivationOperator)
    case padding(any PaddingOperator)
    case quantizedClamp(any QuantizedClampOperator)
    case epilogueStep(any EpilogueOperator)
  }

  private var host: Host?
  private var guest: Guest?

  /// Of an operator that stays a node of its own.
  package init() {}

  fileprivate init(_ host: Host?, _ guest: Guest? = nil) {
    self.host = host
    self.guest = guest
  }

  // MARK: What it can take over

  package var fusingActivation: (any FusesActivation)? {
    switch host {
    case .activation(let operation): operation
    case .product(let operation): operation
    case .convolution(let operation): operation
    case .reduction, nil: nil
    }
  }

  package var takingEpilogue: (any TakesEpilogue)? {
    switch host {
    case .product(let operation): operation
    case .convolution(let operation): operation
    case .activation, .reduction, nil: nil
    }
  }

  package var convolution: (any FusingConvolution)? {
    if case .convolution(let operation) = host { operation } else { nil }
  }

  package var squaring: (any SquaringReduction)? {
    if case .reduction(let operation) = host { operation } else { nil }
  }

  // MARK: What can be taken over of it

  package var activation: (any ActivationOperator)? {
    if case .activation(let operation) = guest { operation } else { nil }
  }

  package var padding: (any PaddingOperator)? {
    if case .padding(let operation) = guest { operation } else { nil }
  }

  package var quantizedClamp: (any QuantizedClampOperator)? {
    if case .quantizedClamp(let operation) = guest { operation } else { nil }
  }

  package var epilogueOperator: (any EpilogueOperator)? {
    if case .epilogueStep(let operation) = guest { operation } else { nil }
  }
}

extension FusesActivation {
  package var fusion: Fusion { Fusion(.activation(self)) }
}

extension TakesEpilogue {
  package var fusion: Fusion { Fusion(.product(self)) }
}

extension FusingConvolution {
  package var fusion: Fusion { Fusion(.convolution(self)) }
}

extension SquaringReduction {
  package var fusion: Fusion { Fusion(.reduction(self)) }
}

extension ActivationOperator {
  package var fusion: Fusion { Fusion(nil, .activation(self)) }
}

extension PaddingOperator {
  package var fusion: Fusion { Fusion(nil, .padding(self)) }
}

extension QuantizedClampOperator {
  package var fusion: Fusion { Fusion(nil, .quantizedClamp(self)) }
}

extension EpilogueOperator {
  package var fusion: Fusion { Fusion(nil, .epilogueStep(self)) }
}

extension FusesActivation where Self: QuantizedClampOperator {
  package var fusion: Fusion { Fusion(.activation(self), .quantizedClamp(self)) }
}

extension FusesActivation where Self: EpilogueOperator {
  package var fusion: Fusion { Fusion(.activation(self), .epilogueStep(self)) }
}

extension FusedActivation {
  /// The clamp in real numbers.
  package var floatRange: (lower: Float, upper: Float) {
    switch self {
    case .relu: (0, .infinity)
    case .reluN1To1: (-1, 1)
    case .relu6: (0, 6)
    case .none, .tanh, .signBit: (-.infinity, .infinity)
    }
  }
}

/// An operator that can apply an activation to its float32 output itself, so that a following activation node is fused
/// into it.
package protocol FusesActivation: Operator {
  /// This operator with the clamp applied last, or `nil` if it already has an activation.
  func fusing(_ activation: FusedActivation) -> Self?
}

/// A float32 activation node that another operator can apply for it.
package protocol ActivationOperator: Operator {
  var fusedActivation: FusedActivation? { get }
}

/// An elementwise function that an operator applies to its float32 results before they leave the cache.
package enum EpilogueStep: Sendable {
  case unary(UnaryFloatKernel)
  /// The result on the left, and on the right an input of the node: a tensor like the result, or a vector for each of
  /// its rows. The clamp comes last.
  case binary(BinaryOperation, operand: Int, isVector: Bool, clamp: FusedActivation)

  /// Returns the same with its operand, if it has one, at another place.
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
  /// Whether it also does where its weights are bytes, and it quantizes its float32 input itself.
  var takesEpilogueOfDynamicRange: Bool { get }
}

extension TakesEpilogue {
  package var takesEpilogueOfDynamicRange: Bool { false }
}

/// An elementwise operator that another one can apply for it.
package protocol EpilogueOperator: Operator {
  /// What the node does to its float32 input `index`; `nil` if it is more than a step of an epilogue can do.
  func epilogueStep(_ node: NodeView, ofInput index: Int) throws -> EpilogueStep?
}
