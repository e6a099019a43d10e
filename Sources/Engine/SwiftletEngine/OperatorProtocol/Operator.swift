package import SwiftletBase
package import SwiftletKernels
package import SwiftletSchema

/// A function that returns the operator type of a kind, or `nil` if there is none. The engine itself contains no
/// operators, so it gets such a function with every model.
package typealias OperatorLookup = @Sendable (OperatorKind) -> (any Operator.Type)?

/// An operator of the model format. Each kind has one conforming type, in a file of its own, and one line in the
/// catalog.
///
/// The engine processes a node in these steps. It looks up the operator type by kind. `init(parsing:)` reads the
/// options, and `inferShapes` returns the output shapes. `prepare` does the remaining checks, packs constant weights,
/// and returns the stages that a run executes. All checks happen before a run; the run only computes.
package protocol Operator: Sendable {
  /// The supported kind, versions, and types. Other nodes are reported as unsupported before any other method is
  /// called.
  static var identity: OperatorIdentity { get }

  /// Creates an operator from its options in the model.
  ///
  /// - Throws: `RuntimeError` for invalid values.
  init(parsing node: NodeReader) throws

  /// Returns the shapes of all outputs from the types, shapes, and known values of the inputs.
  ///
  /// If a shape depends on values, read them with `NodeView.integers(_:)` or `NodeView.data(_:)`. If the values are
  /// known only at run time, these methods throw a signal, and the engine infers the shapes of this node again in the
  /// run, once the values are known.
  func inferShapes(_ node: NodeView) throws -> [Shape]

  /// Validates types and quantization, packs constants, and selects kernels.
  func prepare(_ context: PrepareContext) throws -> PreparedOperator

  /// Whether a node with constant inputs may run once at load. False for operators with state, randomness, or side
  /// effects.
  var isPure: Bool { get }

  /// Whether the outputs depend on the values of the inputs, not only on their types and shapes. If this is false, the
  /// node runs once at load, and its `prepare` must not access the inputs' memory.
  var readsInputValues: Bool { get }

  /// Returns the expansion of the first input's bytes to the output's bytes, for operators that only convert stored
  /// float16 data to float32; `nil` for all operators that compute. Large constants are then expanded piece by piece
  /// during packing, so that there is never a second copy of the weights.
  func expansion(_ node: NodeView, _ kernels: KernelTable) throws -> LazyBuffer.Expansion?

  /// The role of the node in its graph, if it isn't a node of a program.
  var role: OperatorRole { get }

  /// The fusions that passes may apply to this node and its neighbors.
  ///
  /// `fusion` and `role` are requirements instead of casts. The first cast of a type to a protocol searches the
  /// conformances of the whole program, which takes longer than the rest of loading a small model.
  var fusion: Fusion { get }

  /// The behavior of the node if the axes of its tensors are permuted.
  var layoutBehavior: LayoutBehavior { get }
}

extension Operator {
  package var isPure: Bool { true }
  package var readsInputValues: Bool { true }
  package func expansion(_ node: NodeView, _ kernels: KernelTable) throws -> LazyBuffer.Expansion? { nil }
  package var role: OperatorRole { .computes }
  package var fusion: Fusion { Fusion() }
  package var layoutBehavior: LayoutBehavior { .fixed }
}

/// The role of an operator in its graph.
///
/// One requirement of all operators instead of one requirement per role, because nearly all operators compute.
package enum OperatorRole {
  /// A node of a program.
  case computes
  /// The operator's resource-typed output refers to this variable.
  case names(StateKey)
  /// The operator runs a subgraph once per session, before this node's graph runs.
  case initializes(subgraph: Int)
  /// The operator is replaced by the operators of a subgraph when the graph is built.
  case standsFor(subgraph: Int)
  /// The operator is evaluated between programs.
  case controls(any ControlOperator)

  /// The operator as a control operator; `nil` for other roles.
  package var control: (any ControlOperator)? {
    if case .controls(let operation) = self { operation } else { nil }
  }
}

/// The implementation of a prepared operator, for profiles and reports: `indirect GEMM int8 3×3, avx512`.
///
/// It is recorded when an operator is prepared, and formatted only on request, because formatting would take a
/// noticeable share of loading a small model.
package struct Implementation: Sendable, CustomStringConvertible {
  /// The kernels that do the computation.
  package enum Kernels: Sendable {
    /// No kernels: a loop in the operator itself.
    case none
    /// The kernels that use only the compiler's baseline instructions and sum in the reference's order.
    case portable
    /// The kernels for the instruction set of this CPU.
    case processor
  }

  /// The common name of the algorithm, with the type that it computes with.
  private var algorithm: StaticString
  private var kernels: Kernels
  /// The window that the operator moves over its input, if any.
  var window: (height: Int, width: Int)?

  init(_ algorithm: StaticString, _ kernels: Kernels) {
    self.algorithm = algorithm
    self.kernels = kernels
  }

  /// The value for operators that record nothing: an elementwise loop in Swift.
  static let loop = Implementation("loop", .none)

  package var description: String {
    var text = "\(algorithm)"
    if let window { text += " \(window.height)×\(window.width)" }
    switch kernels {
    case .none: return text
    case .portable: return text + ", " + KernelTable.portable.name
    case .processor: return text + ", " + KernelTable.current.name
    }
  }
}

extension PrepareContext {
  /// Records the algorithm of the node. Only the first record counts, because the code that selects among algorithms
  /// describes the choice better than the algorithms themselves.
  package func uses(_ algorithm: StaticString, _ kernels: Implementation.Kernels = .processor) {
    memory.note(Implementation(algorithm, kernels))
  }

  /// Records the window that the operator moves over its input.
  package func usesWindow(height: Int, width: Int) { memory.note(window: (height, width)) }
}
