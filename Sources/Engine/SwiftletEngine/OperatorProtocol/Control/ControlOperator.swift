package import SwiftletBase
import SwiftletSchema

/// An operator that the engine evaluates with run-time values. It selects subgraphs of the model and runs them any
/// number of times, or it works on strings.
///
/// Such a node isn't part of a program. The engine runs the programs before it, evaluates the node, and then compiles
/// and runs the nodes that depend on its results. The results may have other shapes in every run.
package protocol ControlOperator: Operator {
  /// The subgraphs that may run, and their arguments.
  var calls: [SubgraphCall] { get }

  /// Runs the necessary subgraphs and returns the node's outputs.
  ///
  /// - Throws: `RuntimeError` if the values or the results of the subgraphs are invalid, and the errors of the
  ///   subgraphs.
  func evaluate(_ call: ControlCall) throws -> [TensorView]
}

extension ControlOperator {
  package var role: OperatorRole { .controls(self) }
  package var isPure: Bool { false }
  package var calls: [SubgraphCall] { [] }

  package func inferShapes(_ node: NodeView) throws -> [Shape] { throw DataDependence() }

  package func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    throw context.node.invalid("is evaluated between programs, not prepared for one")
  }
}

/// A call of a subgraph by a control operator.
package struct SubgraphCall: Sendable {
  package var subgraph: Int
  /// The index of the first node input that is an argument. All inputs after it are arguments too.
  package var firstArgument: Int
  /// Whether the results are the node's outputs. Otherwise, the only result is a condition.
  package var givesOutputs: Bool

  package init(subgraph: Int, firstArgument: Int = 0, givesOutputs: Bool = true) {
    self.subgraph = subgraph
    self.firstArgument = firstArgument
    self.givesOutputs = givesOutputs
  }
}

/// A tensor of the current run.
package struct TensorView {
  package var spec: TensorSpec
  /// The memory; empty for types without a fixed element size.
  package var memory: UnsafeMutableRawBufferPointer
  /// The variable that a resource-typed tensor refers to.
  package var resource: StateKey?
  /// The owner of the memory, if nothing else keeps it alive.
  package var owner: AnyObject?

  /// Returns the only element of a Boolean tensor.
  ///
  /// - Throws: An error if the tensor has another type or size.
  package func condition(_ location: RuntimeError.Location) throws -> Bool {
    guard spec.elementType == .bool, spec.shape.elementCount == 1, memory.count >= 1 else {
      throw RuntimeError(.invalidModel, "requires one boolean as its condition, got \(spec)", location: location)
    }
    return memory[0] != 0
  }
}

/// The arguments of the evaluation of a control node.
package struct ControlCall {
  /// The inputs; `nil` for an omitted optional input.
  package let inputs: [TensorView?]
  package let outputs: [TensorSpec]
  package let location: RuntimeError.Location
  package let limits: RuntimeOptions.Limits
  let memory: SessionMemory
  let budget: RunBudget
  /// The session's strings, whose IDs tensors contain.
  let strings: StringPool
  /// Runs a subgraph once on copies of tensors. Its results stay valid until it runs again. Throws an error if the
  /// subgraph doesn't accept these arguments, if it returns another number of results, or if the run has run too many
  /// subgraphs.
  package let call: (_ subgraph: Int, _ arguments: [TensorView], _ resultCount: Int) throws -> [TensorView]

  package var outputCount: Int { outputs.count }

  /// Returns an `invalidModel` error at the node.
  package func invalid(_ message: String) -> RuntimeError { RuntimeError(.invalidModel, message, location: location) }

  /// Returns all inputs, none of which may be omitted.
  package func arguments() throws -> [TensorView] {
    try inputs.map { input in
      guard let input else { throw invalid("leaves out an input") }
      return input
    }
  }

  /// Counts work that the operator is about to do itself, in nominal nanoseconds of one thread. During long work, call
  /// `check` repeatedly.
  ///
  /// - Throws: An error if the work exceeds the limit of the run.
  package func spend(_ nanoseconds: Double) throws { try budget.spend(nanoseconds, at: location) }

  /// Checks whether the run must end.
  ///
  /// - Throws: An error after the run's deadline, or if its task is cancelled.
  package func check() throws { try budget.check() }

  /// Returns the bytes of the strings of a tensor.
  ///
  /// - Throws: An error for invalid string IDs, and `limitExceeded` if the strings are too large together.
  package func strings(_ tensor: TensorView) throws -> [[UInt8]] {
    let found: [[UInt8]]
    do {
      found = try strings.strings(
        UnsafeRawBufferPointer(tensor.memory), limit: limits.stringBytes, of: "input \(tensor.spec)")
    } catch {
      throw RuntimeError(error.code, error.message, location: location)
    }
    try spend(found.reduce(0) { $0 + Self.workPerString + RunBudget.copyingWork(bytes: $1.count) })
    return found
  }

  /// The work of looking up or storing a string, in nanoseconds, in addition to the work per byte.
  package static let workPerString = 100.0

  /// Returns the bytes of the first string of a tensor; `nil` if it has none.
  ///
  /// - Throws: An error for an invalid string ID.
  package func firstString(_ tensor: TensorView) throws -> [UInt8]? {
    var first = tensor
    first.memory = UnsafeMutableRawBufferPointer(rebasing: tensor.memory.prefix(MemoryLayout<UInt64>.size))
    return try strings(first).first
  }

  /// Returns the ID that tensors contain for a string, which is stored if it is new.
  ///
  /// - Throws: `limitExceeded` if there is no room for it.
  package func number(of string: [UInt8]) throws -> UInt64 { try strings.number(of: string) }

  /// Returns `count` zero bytes for values of the run.
  ///
  /// - Parameter purpose: The purpose of the memory, a plural noun for messages.
  /// - Throws: `limitExceeded` if the bytes exceed the session's limit.
  package func allocate(_ count: Int, for purpose: String) throws -> AlignedBytes {
    try memory.allocate(count, for: purpose, at: location)
  }

  /// Returns output `index` with the given elements, which must have its type. Strings are IDs in the pool.
  ///
  /// - Throws: `limitExceeded` if the tensor would be too large.
  package func result<Element: BitwiseCopyable>(_ index: Int, shape: Shape, _ elements: [Element]) throws -> TensorView
  {
    var spec = outputs[index]
    spec.shape = shape
    try limits.check(spec, "output", at: location)
    let block = try allocate(elements.count * MemoryLayout<Element>.stride, for: "results")
    elements.withUnsafeBytes { block.bytes.copyMemory(from: $0) }
    return TensorView(spec: spec, memory: block.bytes, owner: block)
  }
}
