package import SwiftletBase
import SwiftletSchema

/// An operator that is evaluated with the values of the run: it runs subgraphs of the model and decides which and how
/// often, or it works on strings.
///
/// Such a node is no part of any program: the programs before it run, then it is evaluated, then what depends on its
/// results is compiled and run. Its results may have other shapes in every run.
package protocol ControlOperator: Operator {
  /// The subgraphs that may run, and what they are called with.
  var calls: [SubgraphCall] { get }

  /// Runs what is to be run and gives the node's outputs.
  ///
  /// - Throws: `RuntimeError` if the values or the subgraphs' results make no sense, and what the subgraphs throw.
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

/// How a control operator calls a subgraph.
package struct SubgraphCall: Sendable {
  package var subgraph: Int
  /// The first of the node's inputs that is an argument; those behind it are arguments too.
  package var firstArgument: Int
  /// Whether the results are the node's outputs; otherwise the only result is a condition.
  package var givesOutputs: Bool

  package init(subgraph: Int, firstArgument: Int = 0, givesOutputs: Bool = true) {
    self.subgraph = subgraph
    self.firstArgument = firstArgument
    self.givesOutputs = givesOutputs
  }
}

/// A tensor of the run that is under way.
package struct TensorView {
  package var spec: TensorSpec
  /// Empty for types without elements of a fixed size.
  package var memory: UnsafeMutableRawBufferPointer
  /// The variable that a resource-typed tensor names.
  package var resource: StateKey?
  /// Keeps the memory alive, where nothing else does.
  package var owner: AnyObject?

  /// Returns the only element of a boolean tensor.
  ///
  /// - Throws: when it is of another type or size.
  package func condition(_ location: RuntimeError.Location) throws -> Bool {
    guard spec.elementType == .bool, spec.shape.elementCount == 1, memory.count >= 1 else {
      throw RuntimeError(.invalidModel, "takes one boolean as its condition, got \(spec)", location: location)
    }
    return memory[0] != 0
  }
}

/// What a control node is evaluated with.
package struct ControlCall {
  /// `nil` if an optional input is left out.
  package let inputs: [TensorView?]
  package let outputs: [TensorSpec]
  package let location: RuntimeError.Location
  package let limits: RuntimeOptions.Limits
  let memory: SessionMemory
  let budget: RunBudget
  /// The session's strings, which tensors hold the numbers of.
  let strings: StringPool
  /// Runs a subgraph once on copies of tensors. Its results stay until it runs again. Throws when it does not take
  /// these arguments or gives another number of results, and when the run has run too many.
  package let call: (_ subgraph: Int, _ arguments: [TensorView], _ resultCount: Int) throws -> [TensorView]

  package var outputCount: Int { outputs.count }

  /// Returns an `invalidModel` error at the node.
  package func invalid(_ message: String) -> RuntimeError { RuntimeError(.invalidModel, message, location: location) }

  /// Returns all inputs, none of which may be left out.
  package func arguments() throws -> [TensorView] {
    try inputs.map { input in
      guard let input else { throw invalid("leaves out an input") }
      return input
    }
  }

  /// Counts work that the operator is about to do itself, in nominal nanoseconds of one thread. Where that is long,
  /// `check` is called meanwhile.
  ///
  /// - Throws: when it is more than the run may do.
  package func spend(_ nanoseconds: Double) throws { try budget.spend(nanoseconds, at: location) }

  /// - Throws: when the run is to end, because of its deadline or as its task is cancelled.
  package func check() throws { try budget.check() }

  /// Returns the bytes of the strings of a tensor.
  ///
  /// - Throws: when it holds the numbers of none, and `limitExceeded` when they are too many together.
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

  /// What it takes to look up or store a string, in nanoseconds, besides its bytes.
  package static let workPerString = 100.0

  /// Returns the bytes of the first string of a tensor; `nil` if it has none.
  ///
  /// - Throws: when it holds no string's number.
  package func firstString(_ tensor: TensorView) throws -> [UInt8]? {
    var first = tensor
    first.memory = UnsafeMutableRawBufferPointer(rebasing: tensor.memory.prefix(MemoryLayout<UInt64>.size))
    return try strings(first).first
  }

  /// Returns the number that tensors hold for a string, which is stored if it is new.
  ///
  /// - Throws: `limitExceeded` if there is no room for it.
  package func number(of string: [UInt8]) throws -> UInt64 { try strings.number(of: string) }

  /// `count` zero bytes for values of the run.
  ///
  /// - Parameter purpose: What they are for, a plural, in a message.
  /// - Throws: `limitExceeded` if the session may not have them.
  package func allocate(_ count: Int, for purpose: String) throws -> AlignedBytes {
    try memory.allocate(count, for: purpose, at: location)
  }

  /// Output `index` with these elements, which must be of its type; strings are numbers of the pool.
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
