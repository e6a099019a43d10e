import SwiftletSchema

/// An operator of the model format: one conforming type per kind, one file each, one line in `OperatorCatalog`.
///
/// The life of a node: its type is looked up by kind, `init(parsing:)` reads the options, `inferShapes` gives the
/// output shapes, `prepare` checks what is left to check, packs constant weights and returns what a run executes.
/// All checks happen before a run; the run only computes.
package protocol Operator: Sendable {
  /// Kind, versions and types. Nodes outside of it are reported as unsupported before anything else happens.
  static var identity: OperatorIdentity { get }

  /// Reads the options.
  ///
  /// - Throws: `RuntimeError` for values that have no meaning.
  init(parsing node: NodeReader) throws

  /// The shapes of all outputs, from the inputs' types, shapes and known values.
  ///
  /// A shape that depends on values reads them with `NodeView.integers(_:)` or `NodeView.data(_:)`: when the values are
  /// not known before the run, these throw a signal that makes the engine infer this node again, in the run, once they
  /// are.
  func inferShapes(_ node: NodeView) throws -> [Shape]

  /// Validates types and quantisation, packs constants, chooses kernels.
  func prepare(_ context: PrepareContext) throws -> PreparedOperator

  /// Whether a node with only constant inputs may run once at load. False for state, randomness and side effects.
  var isPure: Bool { get }

  /// Whether the outputs depend on the inputs' values, not only on their types and shapes. Where they do not, the node
  /// runs once at load, and its `prepare` must not touch the inputs' memory.
  var readsInputValues: Bool { get }

  /// The variable that a resource-typed output of this node names.
  var resourceKey: StateKey? { get }

  /// A subgraph that runs once per session before this node's graph runs.
  var initializationSubgraph: Int? { get }

  /// A subgraph whose operators take this node's place when the graph is built.
  var inlinedSubgraph: Int? { get }

  // What passes and runs look for. These are requirements instead of casts, because the first cast of a type to a
  // protocol searches the conformances of the whole program, which takes longer than a small model's load does
  // otherwise.

  var asControl: (any ControlOperator)? { get }
  var asActivation: (any ActivationOperator)? { get }
  var asFusingActivation: (any FusesActivation)? { get }
  var asPadding: (any PaddingOperator)? { get }
  var asFoldingPadding: (any FoldsPadding)? { get }
  var asFollowing: (any FollowingOperator)? { get }
  var asTakingFollowers: (any TakesFollowers)? { get }
  var asCodeClamp: (any CodeClampOperator)? { get }
  var asClampingCodes: (any ClampsCodes)? { get }
}

extension Operator {
  package var isPure: Bool { true }
  package var readsInputValues: Bool { true }
  package var resourceKey: StateKey? { nil }
  package var initializationSubgraph: Int? { nil }
  package var inlinedSubgraph: Int? { nil }

  package var asControl: (any ControlOperator)? { nil }
  package var asActivation: (any ActivationOperator)? { nil }
  package var asFusingActivation: (any FusesActivation)? { nil }
  package var asPadding: (any PaddingOperator)? { nil }
  package var asFoldingPadding: (any FoldsPadding)? { nil }
  package var asFollowing: (any FollowingOperator)? { nil }
  package var asTakingFollowers: (any TakesFollowers)? { nil }
  package var asCodeClamp: (any CodeClampOperator)? { nil }
  package var asClampingCodes: (any ClampsCodes)? { nil }
}

/// An operator that can apply an activation to its float32 output itself, so that a following activation node is fused
/// into it.
package protocol FusesActivation: Operator {
  /// This operator with the clamp applied last, or `nil` when it already has an activation.
  func fusing(_ activation: FusedActivation) -> Self?
}

extension FusesActivation {
  package var asFusingActivation: (any FusesActivation)? { self }
}

/// A float32 activation node that another operator can apply for it.
package protocol ActivationOperator: Operator {
  var fusedActivation: FusedActivation? { get }
}

extension ActivationOperator {
  package var asActivation: (any ActivationOperator)? { self }
}

/// An operator that can pad its first input's height and width itself.
package protocol FoldsPadding: Operator {
  /// This operator reading an unpadded input, or `nil` when its own padding or options forbid it.
  func folding(_ padding: ExplicitPadding) -> Self?
}

extension FoldsPadding {
  package var asFoldingPadding: (any FoldsPadding)? { self }
}

/// Rows and columns of zero (or zero-point) elements around an NHWC picture.
package struct ExplicitPadding: Sendable, Hashable {
  package var top: Int
  package var bottom: Int
  package var left: Int
  package var right: Int

  package init(top: Int, bottom: Int, left: Int, right: Int) {
    self.top = top
    self.bottom = bottom
    self.left = left
    self.right = right
  }
}

/// A padding node that a following convolution may take over.
package protocol PaddingOperator: Operator {
  /// The padding, when it is constant, not negative, of rank 4, only along height and width, and filled with
  /// (quantised) zero.
  func foldablePadding(_ node: NodeView) throws -> ExplicitPadding?
}

extension PaddingOperator {
  package var asPadding: (any PaddingOperator)? { self }
}

/// What identifies memory that outlives a run.
package enum StateKey: Sendable, Hashable {
  /// A variable tensor of a subgraph.
  case tensor(subgraph: Int, index: Int)
  /// A resource variable, shared by all subgraphs.
  case resource(container: String, name: String)
  /// A hash table, shared by all subgraphs.
  case table(id: Int, types: HashTableTypes)
  /// What an operator itself remembers.
  case node(subgraph: Int, index: Int)
}
