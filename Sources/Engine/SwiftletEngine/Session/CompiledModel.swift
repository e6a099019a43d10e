import SwiftletBase
import SwiftletKernels
import SwiftletSchema

/// A model made ready to run: operators checked, constants packed, memory planned.
///
/// Make one and share it: any number of sessions, on any threads, run from it at the same time.
///
/// - Thread safety: immutable, callable concurrently.
public final class CompiledModel: Sendable {
  /// The options that the model was compiled with.
  public let options: RuntimeOptions
  let graph: Graph
  let program: Program
  let packed: PackedConstants
  /// What the model itself takes, besides the file: expanded, computed and packed constants, strings.
  let memory: MemoryBudget
  private let source: Model
  private let operators: OperatorLookup

  /// Compiles the entry point `signature` of `model`, or its main graph, with the operators that a lookup finds.
  ///
  /// - Parameter inputShapes: What the inputs have in place of the file's shapes; empty for those.
  /// - Throws: as `init(_:options:signature:unusedOutputs:)`.
  package init(
    _ model: Model, operators: @escaping OperatorLookup, options: RuntimeOptions, signature: String?,
    unusedOutputs: Set<Int>, inputShapes: [Shape] = [], sharingConstantsOf other: CompiledModel? = nil
  ) throws {
    guard options.precision == .full || options.numerics == .fast else {
      throw RuntimeError(
        .invalidArgument,
        "reduced precision cannot give bit-exact numbers; ask for full precision, or for fast numerics")
    }
    self.options = options
    self.operators = operators
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
      options: options, kernels: .current, packed: packed, budget: .load(options), memory: memory)
    for subgraph in graph.initializationSubgraphs {
      guard let callee = graph.callees[subgraph], callee.inputs.isEmpty, callee.outputs.isEmpty else {
        throw RuntimeError(
          .invalidModel, "the subgraph that gives variables their first values must have neither inputs nor outputs",
          location: .init(subgraph: subgraph))
      }
      // Compiled again when it runs; here its mistakes are found.
      _ = try Self.compile(callee, with: compiler, inputShapes: [:])
    }
    let shapes = Dictionary(zip(graph.inputs.map(\.value), inputShapes), uniquingKeysWith: { first, _ in first })
    program = try Self.compile(graph, with: compiler, inputShapes: shapes)
  }

  /// Returns another entry point of the same model, compiled with the same options. Constants that are packed alike
  /// are shared.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) for an unknown signature, and as the initializers.
  public func signature(_ key: String) throws(RuntimeError) -> CompiledModel {
    try RuntimeError.wrapping {
      try CompiledModel(
        source, operators: operators, options: options, signature: key, unusedOutputs: [], sharingConstantsOf: self)
    }
  }

  /// Gives the graph's ends the names, and the order, of a signature.
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
      // Its bytes would not be as many as the shape says.
      guard table.constants[id] == nil else {
        throw RuntimeError(
          .invalidArgument,
          "input \(table.specs[id]) is a constant of the model and keeps its shape, \(shape) was asked for")
      }
      table.specs[id].shape = shape
    }
    for port in graph.inputs { try compiler.options.limits.check(table.specs[port.value], "input", at: nil) }
    return try compiler.compile(
      graph.nodes, table: table, inputs: graph.inputs.map(\.value),
      results: BitSet(graph.outputs.filter(\.isRead).map(\.value)))
  }

  /// Returns the program of the model's graph or of one that it calls, for other input shapes than the file's.
  ///
  /// - Parameters:
  ///   - budget: That of the run that asks; `nil` if none is under way.
  ///   - memory: What constants that it packs count against.
  func program(_ graph: Graph, inputShapes: [ValueID: Shape], budget: RunBudget?, memory: MemoryBudget) throws
    -> Program
  {
    try Self.compile(graph, with: compiler(budget, memory), inputShapes: inputShapes)
  }

  /// Returns the program for the nodes that `deferred` left to the run.
  ///
  /// - Parameters:
  ///   - computed: The values that are there by now.
  ///   - budget: That of the run.
  ///   - memory: What constants that it packs count against.
  ///   - data: Gives their bytes.
  func program(
    for deferred: Program.Deferred, computed: BitSet, budget: RunBudget, memory: MemoryBudget,
    data: @escaping (ValueID) throws -> UnsafeRawBufferPointer?
  ) throws -> Program {
    let table = ValueTable(deferred.values, runtimeData: data)
    return try compiler(budget, memory).compile(
      deferred.nodes, table: table, inputs: [], results: deferred.results.subtracting(computed), earlier: computed)
  }

  // The table of kernels is not stored here: a client that allocates a model would have to be compiled again whenever
  // the table grows, and incremental builds miss that, as the client does not see the module that the table comes from.
  private func compiler(_ budget: RunBudget?, _ memory: MemoryBudget) -> ProgramCompiler {
    ProgramCompiler(
      options: options, kernels: .current, packed: packed, budget: budget ?? .load(options), memory: memory)
  }

  /// The inputs, in the model's order, with the names of the signature if there is one.
  public var inputs: [TensorSpec] { graph.inputs.map { Self.spec($0, program.specs[$0.value]) } }

  /// The outputs, in the model's order. Shapes that depend on input values are those of the file until a run.
  public var outputs: [TensorSpec] { graph.outputs.map { Self.spec($0, program.specs[$0.value]) } }

  /// Returns the spec of a value under the name of a port.
  static func spec(_ port: Graph.Port, _ spec: TensorSpec) -> TensorSpec {
    var spec = spec
    spec.name = port.name
    return spec
  }

  /// The memory of one session's tensors, in bytes.
  public var arenaByteCount: Int { program.arenaByteCount }

  /// The memory of packed constants, in bytes, shared by all sessions. It grows when inputs are resized and constants
  /// are packed in other layouts; what no session uses is given back in time.
  public var packedConstantsByteCount: Int { packed.byteCount }

  /// The precision that the model really runs in: reduced when the options ask for it, the processor has instructions
  /// for it and there are products that gain by it. Operators whose shapes only a run can tell do not count.
  public var precision: Precision { program.nodes.contains { $0.precision == .reduced } ? .reduced : .full }

  /// Whether a run may leave something in its session for the next one: variables that it assigns.
  package var keepsState: Bool {
    ([graph] + graph.callees.keys.compactMap { graph.callees[$0] }).contains { graph in
      let values = graph.values
      return !values.variables.keys.isEmpty
        || values.resources.keys.contains { if case .resource = values.resources[$0] { true } else { false } }
    }
  }

  /// The operators of a run, in order, after everything that is fused or computed at load is gone.
  public var operatorNames: [String] { program.nodes.map { $0.location.operatorName ?? "" } }
}

extension CompiledModel {
  /// How the operators of the entry point's graph are computed that have a turn of their own in a run, in the order of
  /// their turns, for reports. Those whose shapes only a run knows are missing.
  package var implementations: [(location: RuntimeError.Location, implementation: String)] {
    program.nodes.map { ($0.location, "\($0.implementation)") }
  }

  /// What a run multiplies and adds, counted once for each pair, in the operators of the entry point's graph whose
  /// shapes are known before.
  package var multiplyAdds: Int {
    program.nodes.reduce(0) { total, node in
      let (sum, overflow) = total.addingReportingOverflow(node.multiplyAdds)
      return overflow ? .max : sum
    }
  }
}
