package import SwiftletBase
package import SwiftletKernels
package import SwiftletSchema

/// Finds the operator type of a kind; `nil` if there is none. The engine knows no operator, so it is handed one of
/// these with every model.
package typealias OperatorLookup = @Sendable (OperatorKind) -> (any Operator.Type)?

/// An operator of the model format: one conforming type per kind, one file each, one line in the catalog.
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

  /// Returns the shapes of all outputs, from the inputs' types, shapes and known values.
  ///
  /// A shape that depends on values reads them with `NodeView.integers(_:)` or `NodeView.data(_:)`: when the values are
  /// not known before the run, these throw a signal that makes the engine infer this node again, in the run, once they
  /// are.
  func inferShapes(_ node: NodeView) throws -> [Shape]

  /// Validates types and quantization, packs constants, chooses kernels.
  func prepare(_ context: PrepareContext) throws -> PreparedOperator

  /// Whether a node with only constant inputs may run once at load. False for state, randomness and side effects.
  var isPure: Bool { get }

  /// Whether the outputs depend on the inputs' values, not only on their types and shapes. Where they do not, the node
  /// runs once at load, and its `prepare` must not touch the inputs' memory.
  var readsInputValues: Bool { get }

  /// How the output's bytes follow from those of the first input alone, for operators that only widen what a file
  /// stores; `nil` for all that compute. Large constants are then widened piece by piece while they are packed, and a
  /// second copy of the weights is never there.
  func expansion(_ node: NodeView, _ kernels: KernelTable) throws -> LazyBuffer.Expansion?

  /// What the node is to its graph, where it is no node of a program.
  var role: OperatorRole { get }

  /// What passes may do with this node and its neighbors.
  ///
  /// This and `role` are requirements instead of casts, because the first cast of a type to a protocol searches the
  /// conformances of the whole program, which takes longer than a small model's load does otherwise.
  var fusion: Fusion { get }

  /// What becomes of the node when the axes of its tensors are in another order.
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

/// What an operator is to the graph that it stands in.
///
/// One requirement of all operators instead of one for each role, because nearly all operators compute.
package enum OperatorRole {
  /// A node of a program.
  case computes
  /// Its resource-typed output names this variable.
  case names(StateKey)
  /// A subgraph that runs once per session before this node's graph runs.
  case initializes(subgraph: Int)
  /// The operators of a subgraph take its place when the graph is built.
  case standsFor(subgraph: Int)
  /// It is evaluated between programs.
  case controls(any ControlOperator)

  /// The operator as one that is evaluated between programs.
  package var control: (any ControlOperator)? {
    if case .controls(let operation) = self { operation } else { nil }
  }
}

/// How a prepared operator computes, as profiles and reports show it: `indirect GEMM int8 3×3, avx512`.
///
/// It is noted while an operator is prepared and put into words only where somebody asks: models of microseconds load
/// in little more.
package struct Implementation: Sendable, CustomStringConvertible {
  /// Whose kernels do the work.
  package enum Kernels: Sendable {
    /// None: a loop of the operator's own.
    case none
    /// Those without instructions beyond the compiler's baseline, whose sums are in the reference's order.
    case portable
    /// Those for the instruction set of this processor.
    case processor
  }

  /// The algorithm by the field's name, with the type it computes with.
  private var algorithm: StaticString
  private var kernels: Kernels
  /// The window that the operator moves over its input, where it has one.
  var window: (height: Int, width: Int)?

  init(_ algorithm: StaticString, _ kernels: Kernels) {
    self.algorithm = algorithm
    self.kernels = kernels
  }

  /// Of operators that note nothing: element by element, in Swift.
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
  /// Notes how the node is computed. The first note counts: whoever chooses among algorithms says more than the
  /// algorithms themselves.
  package func uses(_ algorithm: StaticString, _ kernels: Implementation.Kernels = .processor) {
    memory.note(Implementation(algorithm, kernels))
  }

  /// Notes the window that the operator moves over its input.
  package func usesWindow(height: Int, width: Int) { memory.note(window: (height, width)) }
}
