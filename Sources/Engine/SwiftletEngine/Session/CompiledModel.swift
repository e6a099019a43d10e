import SwiftletBase
import SwiftletKernels
import SwiftletSchema

/// A model that is ready to run: operators are validated, constants are packed, and memory is planned.
///
/// Create one compiled model and share it. Any number of sessions can run it at the same time, on any threads.
///
/// - Thread safety: Immutable; callable concurrently.
public final class CompiledModel: Sendable {
  /// The options that the model was compiled with.
  public let options: RuntimeOptions
  let graph: Graph
  let program: Program
  let packed: PackedConstants
  /// The memory of the model in addition to the file: expanded, computed, and packed constants, and strings.
  let memory: MemoryBudget
  private let source: Model
  private let operators: OperatorLookup
  private let patterns: [any OperatorPattern]

  /// Creates a compiled model from the entry point `signature` of `model`, or from its main graph, with the operators
  /// of a lookup function.
  ///
  /// - Parameters:
  ///   - patterns: The subgraphs that are replaced by one operator, in order of precedence.
  ///   - inputShapes: The shapes of inputs that replace those in the file; empty for none.
  /// - Throws: The errors of `init(_:options:signature:unusedOutputs:)`.
  package init(
    _ model: Model, operators: @escaping OperatorLookup, patterns: [any OperatorPattern], options: RuntimeOptions,
    signature: String?, unusedOutputs: Set<Int>, inputShapes: [Shape] = [],
    sharingConstantsOf other: CompiledModel? = nil
  ) throws {
    guard options.precision == .full || options.numerics == .fast else {
      throw RuntimeError(
        .invalidArgument,
        "reduced precision and bit-exact numerics are mutually exclusive; request full precision or fast numerics")
    }
    self.options = options
    self.operators = operators
    self.patterns = patterns
    source = model
    let memory = other?.memory ?? MemoryBudget(limit: options.limits.sessionBytes)
    self.memory = memory
    packed = other?.packed ?? PackedConstants(options.limits, fileBytes: model.file.bytes.count, memory: memory)
    let entry = try model.entryPoint(signature)
    var graph = try GraphBuilder.build(
      model.file, subgraph: entry?.subgraph ?? 0, options: options, operators: operators,
      added: model.addedOperators)
    if let entry { try Self.rename(&graph, by: entry, tensors: model.file.subgraphs[entry.subgraph]) }
    for index in graph.outputs.indices where unusedOutputs.contains(index) { graph.outputs[index].isRead = false }
    if options.isChecked {
      let constants = CheckedConstants(options)
      graph = try constants.copied(graph)
      try constants.freeze()
    }
    self.graph = graph
    try memory.charge(graph.expandedByteCount + (graph.strings?.byteCount ?? 0), for: "constants that are expanded")
    let compiler = ProgramCompiler(
      options: options, kernels: .current, packed: packed, budget: .load(options), memory: memory, patterns: patterns)
    for subgraph in graph.initializationSubgraphs {
      guard let callee = graph.callees[subgraph], callee.inputs.isEmpty, callee.outputs.isEmpty else {
        throw RuntimeError(
          .invalidModel, "the subgraph that gives variables their first values must have neither inputs nor outputs",
          location: .init(subgraph: subgraph))
      }
      // The subgraph is compiled again when it runs. This compilation only detects errors.
      _ = try Self.compile(callee, with: compiler, inputShapes: [:])
    }
    let shapes = Dictionary(zip(graph.inputs.map(\.value), inputShapes), uniquingKeysWith: { first, _ in first })
    program = try Self.compile(graph, with: compiler, inputShapes: shapes)
  }

  /// Returns another entry point of the same model, compiled with the same options. Constants with the same packed
  /// layout are shared.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) for an unknown signature, and the errors of the initializers.
  public func signature(_ key: String) throws(RuntimeError) -> CompiledModel {
    try RuntimeError.wrapping {
      try CompiledModel(
        source, operators: operators, patterns: patterns, options: options, signature: key, unusedOutputs: [],
        sharingConstantsOf: self)
    }
  }

  /// Renames and reorders the graph's inputs and outputs according to a signature.
  private static func rename(_ graph: inout Graph, by entry: Signature, tensors: Subgraph) throws {
    func ports(_ entries: [Signature.Entry], _ order: [Int], _ ports: [Graph.Port]) throws -> [Graph.Port] {
      var positions = ValueMap<Int>()
      for (position, tensor) in order.enumerated() { positions[tensor] = position }
      return try entries.map { item in
        guard let position = positions[item.tensor] else {
          throw RuntimeError(
            .invalidModel,
            "signature '\(entry.key.excerpt)' names '\(item.name.excerpt)', which is not an input or output of its subgraph"
          )
        }
        return Graph.Port(name: item.name, value: ports[position].value)
      }
    }
    var isNamed = BitSet()
    for input in entry.inputs {
      guard !isNamed.contains(input.tensor) else {
        throw RuntimeError(
          .invalidModel,
          "signature '\(entry.key.excerpt)' names one tensor as two inputs, '\(input.name.excerpt)' is the second")
      }
      isNamed.insert(input.tensor)
    }
    graph.inputs = try ports(entry.inputs, tensors.inputs, graph.inputs)
    graph.outputs = try ports(entry.outputs, tensors.outputs, graph.outputs)
  }

  private static func compile(
    _ graph: Graph, with compiler: ProgramCompiler, inputShapes: [ValueID: Shape]
  ) throws -> Program {
    let table = ValueTable(graph.values)
    for (id, shape) in inputShapes where shape != table.specs[id].shape {
      // The size of its bytes wouldn't match the shape.
      guard table.constants[id] == nil else {
        throw RuntimeError(
          .invalidArgument,
          "input \(table.specs[id]) is a constant of the model and cannot be resized to \(shape)")
      }
      table.specs[id].shape = shape
    }
    for port in graph.inputs { try compiler.options.limits.check(table.specs[port.value], "input", at: nil) }
    return try compiler.compile(
      graph.nodes, table: table, inputs: graph.inputs.map(\.value),
      results: BitSet(graph.outputs.filter(\.isRead).map(\.value)))
  }

  /// Returns the program of the model's graph, or of a graph that it calls, for other input shapes than those in the
  /// file.
  ///
  /// - Parameters:
  ///   - budget: The budget of the current run; `nil` if there is none.
  ///   - memory: The budget for constants that the program packs.
  func program(_ graph: Graph, inputShapes: [ValueID: Shape], budget: RunBudget?, memory: MemoryBudget) throws
    -> Program
  {
    try Self.compile(graph, with: compiler(budget, memory), inputShapes: inputShapes)
  }

  /// Returns the program for the deferred nodes in `deferred`.
  ///
  /// - Parameters:
  ///   - computed: The values that are already computed.
  ///   - budget: The budget of the current run.
  ///   - memory: The budget for constants that the program packs.
  ///   - data: Returns the bytes of the computed values.
  func program(
    for deferred: Program.Deferred, computed: BitSet, budget: RunBudget, memory: MemoryBudget,
    data: @escaping (ValueID) throws -> UnsafeRawBufferPointer?
  ) throws -> Program {
    let table = ValueTable(deferred.values, runtimeData: data)
    return try compiler(budget, memory).compile(
      deferred.nodes, table: table, inputs: [], results: deferred.results.subtracting(computed), earlier: computed)
  }

  // The kernel table isn't stored here. A client that allocates a model would have to be recompiled whenever the table
  // grows. Incremental builds miss that, because the client doesn't see the module of the table.
  private func compiler(_ budget: RunBudget?, _ memory: MemoryBudget) -> ProgramCompiler {
    ProgramCompiler(
      options: options, kernels: .current, packed: packed, budget: budget ?? .load(options), memory: memory,
      patterns: patterns)
  }

  /// The inputs in the model's order, with the names of the signature if there is one.
  public var inputs: [TensorSpec] { graph.inputs.map { Self.spec($0, program.specs[$0.value]) } }

  /// The outputs in the model's order. Before a run, shapes that depend on input values are those in the file.
  public var outputs: [TensorSpec] { graph.outputs.map { Self.spec($0, program.specs[$0.value]) } }

  /// Returns the spec of a value under the name of a port.
  static func spec(_ port: Graph.Port, _ spec: TensorSpec) -> TensorSpec {
    var spec = spec
    spec.name = port.name
    return spec
  }

  /// The memory of one session's tensors in bytes.
  public var arenaByteCount: Int { program.arenaByteCount }

  /// The memory of packed constants in bytes, shared by all sessions. It grows when inputs are resized and constants
  /// are packed in other layouts. Constants that no session uses are released later.
  public var packedConstantsByteCount: Int { packed.byteCount }

  /// The precision that the model actually uses. It is `reduced` if the options request it, the CPU supports it, and
  /// some matrix products benefit. Operators with shapes that are known only at run time aren't considered.
  public var precision: Precision { program.nodes.contains { $0.precision == .reduced } ? .reduced : .full }

  /// Whether a run may leave state in its session for the next run, in variables that it assigns.
  package var keepsState: Bool {
    ([graph] + graph.callees.keys.compactMap { graph.callees[$0] }).contains { graph in
      let values = graph.values
      return !values.variables.keys.isEmpty
        || values.resources.keys.contains { if case .resource = values.resources[$0] { true } else { false } }
    }
  }

  /// The names of the operators of a run in order, after fusion and constant folding.
  public var operatorNames: [String] { program.nodes.map { $0.location.operatorName ?? "" } }
}

extension CompiledModel {
  /// The implementations of the operators that run in the entry point's graph, in execution order, for reports.
  /// Operators with shapes that are known only at run time are omitted.
  package var implementations: [(location: RuntimeError.Location, implementation: String)] {
    program.nodes.map { ($0.location, "\($0.implementation)") }
  }

  /// The number of multiply-adds in a run, for operators of the entry point's graph whose shapes are known before the
  /// run.
  package var multiplyAdds: Int {
    program.nodes.reduce(0) { total, node in
      let (sum, overflow) = total.addingReportingOverflow(node.multiplyAdds)
      return overflow ? .max : sum
    }
  }
}
