package import SwiftletKernels
package import SwiftletSchema

/// The fusions that an operator supports, as the host or as the fused node.
///
/// Passes use this information to fuse two nodes into one. Operators don't state it: it is derived from the protocols
/// in this directory that they conform to.
package struct Fusion: Sendable {
  /// The nodes that the operator can fuse into itself. Each case includes the previous one.
  fileprivate enum Host {
    case activation(any FusesActivation)
    case product(any TakesEpilogue)
    case convolution(any FusingConvolution)
    case reduction(any SquaringReduction)
  }

  /// The operation that another operator can fuse into itself.
  fileprivate enum Guest {
    case activation(any ActivationOperator)
    case padding(any PaddingOperator)
    case imageBlocks(any ImageBlocksOperator)
    case quantizedClamp(any QuantizedClampOperator)
    case epilogueStep(any EpilogueOperator)
  }

  private var host: Host?
  private var guest: Guest?

  /// Creates the value for an operator that can't be fused.
  package init() {}

  fileprivate init(_ host: Host?, _ guest: Guest? = nil) {
    self.host = host
    self.guest = guest
  }

  // MARK: Fusion into this operator

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

  // MARK: Fusion of this operator into another

  package var activation: (any ActivationOperator)? {
    if case .activation(let operation) = guest { operation } else { nil }
  }

  package var padding: (any PaddingOperator)? {
    if case .padding(let operation) = guest { operation } else { nil }
  }

  package var imageBlocks: (any ImageBlocksOperator)? {
    if case .imageBlocks(let operation) = guest { operation } else { nil }
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

extension ImageBlocksOperator {
  package var fusion: Fusion { Fusion(nil, .imageBlocks(self)) }
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
  /// The clamp range in real numbers.
  package var floatRange: (lower: Float, upper: Float) {
    switch self {
    case .relu: (0, .infinity)
    case .reluN1To1: (-1, 1)
    case .relu6: (0, 6)
    case .none, .tanh, .signBit: (-.infinity, .infinity)
    }
  }
}

/// An operator that can apply an activation to its float32 output, so that a following activation node is fused into
/// it.
package protocol FusesActivation: Operator {
  /// Returns the operator with the clamp applied last, or `nil` if it already has an activation.
  func fusing(_ activation: FusedActivation) -> Self?
}

/// A float32 activation node that can be fused into another operator.
package protocol ActivationOperator: Operator {
  var fusedActivation: FusedActivation? { get }
}

/// An elementwise function that an operator applies to its float32 results before they leave the cache.
package enum EpilogueStep: Sendable {
  case unary(UnaryFloatKernel)
  /// A binary operation with the result on the left and an input of the node on the right. The operand is a tensor like
  /// the result, or a vector for each of its rows. The clamp is applied last.
  case binary(BinaryOperation, operand: Int, isVector: Bool, clamp: FusedActivation)
  /// Replaces NaN by 0.
  case replaceNaN

  /// Returns the step with its operand, if it has one, at another input index.
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

/// An operator that can apply elementwise functions to its float32 output.
package protocol TakesEpilogue: FusesActivation {
  /// The steps in the order of application, after the operator's own activation.
  var epilogue: [EpilogueStep] { get set }
  /// Whether the operator also supports this with int8 or uint8 weights, when it quantizes its float32 input itself.
  var takesEpilogueOfDynamicRange: Bool { get }
}

extension TakesEpilogue {
  package var takesEpilogueOfDynamicRange: Bool { false }
}

/// An elementwise operator that can be fused into another operator.
package protocol EpilogueOperator: Operator {
  /// Returns the epilogue step that the node applies to its float32 input `index`, or `nil` if an epilogue step can't
  /// express it.
  func epilogueStep(_ node: NodeView, ofInput index: Int) throws -> EpilogueStep?
}
