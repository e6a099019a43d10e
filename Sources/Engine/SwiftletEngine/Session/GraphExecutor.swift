import SwiftletBase
import SwiftletSchema

/// A graph with the memory to run it: the program that was compiled ahead of time, followed by segments that depend on
/// values of the run.
///
/// - Thread safety: one caller at a time.
final class GraphExecutor {
  let graph: Graph
  /// Whether subgraphs initialize variables.
  private let hasInitialization: Bool
  /// The environment, owned by the session.
  private unowned let environment: RunEnvironment
  /// The environment's budget, stored because every run needs it.
  private let budget: RunBudget
  private(set) var program: Program
  private var instance: ProgramInstance
  /// The segments of the last run after `program`, in order. A run reuses a segment if none of the values it was
  /// created from has changed.
  private(set) var pieces: [ProgramSegment] = []
  /// The results of control nodes.
  private var results: [ValueID: AlignedBytes] = [:]

  private var model: CompiledModel { environment.model }

  /// Creates an executor.
  ///
  /// - Parameter program: The graph compiled for the shapes in the file, or `nil` to compile it now.
  init(_ environment: RunEnvironment, graph: Graph, program: Program? = nil) throws {
    self.graph = graph
    self.environment = environment
    budget = environment.budget
    hasInitialization = !graph.initializationSubgraphs.isEmpty
    let program =
      try program
      ?? environment.model.program(graph, inputShapes: [:], budget: budget, memory: environment.memory.budget)
    self.program = program
    instance = try Self.bind(program, environment)
  }

  private static func bind(
    _ program: Program, _ environment: RunEnvironment, earlier: (ValueID) -> UnsafeMutableRawPointer? = { _ in nil }
  ) throws -> ProgramInstance {
    try ProgramInstance(
      program, states: environment.states, memory: environment.memory, threads: environment.model.options.threads,
      checkedMemory: environment.checkedMemory,
      external: earlier)
  }

  // MARK: Tensors

  /// The inputs with their current shapes.
  var inputs: [TensorSpec] { graph.inputs.indices.map(inputSpec) }

  /// The outputs with the shapes of the last run.
  var outputs: [TensorSpec] { graph.outputs.indices.map(outputSpec) }

  /// Returns the spec of one input, without allocating an array.
  func inputSpec(_ index: Int) -> TensorSpec {
    let port = graph.inputs[index]
    return CompiledModel.spec(port, program.specs[port.value])
  }

  /// Returns the spec of one output, without allocating an array.
  func outputSpec(_ index: Int) -> TensorSpec {
    let port = graph.outputs[index]
    return CompiledModel.spec(port, holder(of: port.value)?.spec(of: port.value) ?? program.specs[port.value])
  }

  /// Returns the memory of an input, to be filled before a run; `nil` if the input's values are constants of the model.
  func memory(ofInput value: ValueID) -> UnsafeMutableRawBufferPointer? {
    graph.values.constants[value] == nil ? instance.memory(of: value) : nil
  }

  /// Returns the memory of a value of the last run; `nil` if it was not computed.
  func memory(of value: ValueID) -> UnsafeMutableRawBufferPointer? { holder(of: value)?.memory(of: value) }

  /// Returns the holder of a value, among the first `count` segments.
  private func holder(of value: ValueID, among count: Int = .max) -> (any ValueHolder)? {
    pieces.prefix(count).last { $0.holder.holds(value) }?.holder ?? (instance.holds(value) ? instance : nil)
  }

  /// Resizes the inputs. Their contents are lost unless all shapes stay the same.
  ///
  /// - Parameter budget: The budget of the current run; `nil` if there is none.
  /// - Throws: `RuntimeError` that names the operator that doesn't accept the shapes. The executor then stays
  ///   unchanged.
  func resize(to shapes: [Shape], budget: RunBudget? = nil) throws {
    guard shapes != inputs.map(\.shape) else { return }
    try budget?.spend(RunBudget.compilingWork(nodes: graph.nodes.count), at: graph.nodes.first?.location)
    let byValue = Dictionary(zip(graph.inputs.map(\.value), shapes), uniquingKeysWith: { first, _ in first })
    let resized = try model.program(graph, inputShapes: byValue, budget: budget, memory: environment.memory.budget)
    let bound = try Self.bind(resized, environment)
    program = resized
    instance = bound
    pieces = []
  }

  // MARK: Running

  func run(profile: RunProfile?) throws {
    if hasInitialization { try environment.initialize(graph) }
    try run(instance, profile: profile)
    guard !program.isComplete else { return }
    var last: any ValueHolder = instance
    var position = 0
    while let rest = last.rest {
      try runPiece(position, rest)
      last = pieces[position].holder
      position += 1
    }
    pieces.removeSubrange(position...)
  }

  /// Runs the graph on the caller's thread, in the tiles for a team.
  ///
  /// - Returns: The time of each tile; empty if parts of the program depend on values of the run.
  func runTimed() throws -> [PhaseTimes] {
    guard program.isComplete else { return [] }
    if hasInitialization { try environment.initialize(graph) }
    try budget.spend(program.work, at: program.maximumWork)
    return try instance.runTimed(budget: budget)
  }

  private func run(_ instance: ProgramInstance, profile: RunProfile?) throws {
    try budget.spend(instance.program.work, at: instance.program.maximumWork)
    try instance.run(profile: profile, budget: budget)
  }

  /// Runs the segment at `position` again, or creates a new one from the remaining nodes.
  private func runPiece(_ position: Int, _ rest: Program.Deferred) throws {
    let old = position < pieces.count ? pieces[position] : nil
    if let node = rest.nodes.first, let control = node.operation.role.control {
      let results = try evaluate(control, node, rest, earlier: position)
      if let known = old?.holder as? ControlResults, known.isSame(as: results) { return }
      pieces.removeSubrange(position...)
      pieces.append(ProgramSegment(holder: results))
    } else if let old, let program = old.holder as? ProgramInstance,
      old.reads?.isCurrent({ known($0, rest.values.resources, among: position) }) ?? false
    {
      try run(program, profile: nil)
    } else {
      pieces.removeSubrange(position...)
      let (next, reads) = try compile(rest)
      try run(next, profile: nil)
      pieces.append(ProgramSegment(holder: next, reads: reads))
    }
  }

  /// Returns the bytes of a value that a compilation may read: its memory, or the header of the variable that it refers
  /// to.
  private func known(_ value: ValueID, _ resources: ValueMap<StateKey>, among count: Int = .max)
    -> UnsafeMutableRawBufferPointer?
  {
    if let resource = resources[value] { return environment.states.header(of: resource) }
    return holder(of: value, among: count)?.memory(of: value)
  }

  /// Compiles as many of the remaining nodes as the values computed so far allow.
  private func compile(_ rest: Program.Deferred) throws -> (ProgramInstance, RecordedReads) {
    try budget.spend(RunBudget.compilingWork(nodes: rest.nodes.count), at: rest.nodes.first?.location)
    let reads = RecordedReads(environment.memory)
    let computed = pieces.reduce(into: instance.values) { $0.formUnion($1.holder.values) }
    let program = try model.program(
      for: rest, computed: computed, budget: budget, memory: environment.memory.budget
    ) { [weak self] value in
      guard let bytes = self?.known(value, rest.values.resources) else { return nil }
      try reads.record(value, UnsafeRawBufferPointer(bytes))
      return UnsafeRawBufferPointer(bytes)
    }
    guard (program.deferred?.nodes.count ?? 0) < rest.nodes.count else {
      throw RuntimeError(
        .invalidModel, "its shape depends on values that are never computed", location: rest.nodes.first?.location)
    }
    return (try Self.bind(program, environment) { memory(of: $0)?.baseAddress }, reads)
  }

  // MARK: Control nodes

  private func evaluate(
    _ control: any ControlOperator, _ node: Node, _ rest: Program.Deferred, earlier position: Int
  ) throws -> ControlResults {
    let inputs = try node.inputs.map { input in try input.map { try view($0, node, rest, earlier: position) } }
    let call = ControlCall(
      inputs: inputs, outputs: node.outputs.map { rest.values.specs[$0] }, location: node.location,
      limits: model.options.limits,
      memory: environment.memory, budget: budget, strings: environment.strings
    ) { [environment, graph] subgraph, arguments, resultCount in
      try environment.countSubgraphRun(at: node.location)
      guard let callee = try environment.callee(subgraph, of: graph, resources: arguments.map(\.resource)) else {
        throw RuntimeError(.invalidModel, "calls subgraph \(subgraph), which does not exist", location: node.location)
      }
      return try callee.call(
        with: arguments, results: resultCount, over: SubgraphBoundary(subgraph: subgraph, location: node.location))
    }
    var kept: [AlignedBytes] = []
    let evaluated = try node.locatingErrors { try control.evaluate(call) }
    try call.spend(evaluated.reduce(0) { $0 + RunBudget.copyingWork(bytes: $1.memory.count) })
    let tensors = try zip(node.outputs, evaluated).map { output, tensor in
      // The subgraph may run again for another node, so its results are copied. They are always copied to the same
      // address, so that segments compiled after them stay valid.
      let known = results[output].flatMap { $0.bytes.count == tensor.memory.count ? $0 : nil }
      let block =
        try known
        ?? environment.memory.allocate(tensor.memory.count, for: "the results of a subgraph", at: node.location)
      withExtendedLifetime(tensor.owner) { block.bytes.copyMemory(from: UnsafeRawBufferPointer(tensor.memory)) }
      results[output] = block
      kept.append(block)
      return TensorView(spec: tensor.spec, memory: block.bytes, resource: tensor.resource)
    }
    return try ControlResults(node, tensors: tensors, blocks: kept, rest: rest, memory: environment.memory)
  }

  private func view(
    _ value: ValueID, _ node: Node, _ rest: Program.Deferred, earlier position: Int
  ) throws -> TensorView {
    let holder = holder(of: value, among: position)
    let spec = holder?.spec(of: value) ?? rest.values.specs[value]
    // Nobody writes through this pointer, because arguments are copied.
    let constant = rest.values.constants[value].map { UnsafeMutableRawBufferPointer(mutating: $0.bytes) }
    guard let memory = holder?.memory(of: value) ?? constant, memory.count >= spec.storedByteCount ?? 0 else {
      throw RuntimeError(.invalidModel, "input \(spec) was not computed", location: node.location)
    }
    return TensorView(spec: spec, memory: memory, resource: rest.values.resources[value])
  }

  /// Runs the graph on copies of tensors and returns its results, which stay valid until the next run.
  ///
  /// - Throws: An error if the graph doesn't accept these arguments or returns another number of results, and the
  ///   errors of its run.
  private func call(with arguments: [TensorView], results resultCount: Int, over border: SubgraphBoundary) throws
    -> [TensorView]
  {
    try border.checkCounts(
      arguments: arguments.count, results: resultCount, parameters: graph.inputs.count, outputs: graph.outputs.count)
    for (argument, input) in zip(arguments, inputs) { try border.checkArgument(argument.spec, for: input) }
    try resize(to: arguments.map(\.spec.shape), budget: budget)
    // Arguments are copied once, and results are copied twice.
    let work =
      arguments.reduce(0.0) { $0 + RunBudget.copyingWork(bytes: $1.memory.count) }
      + outputs.reduce(0.0) { $0 + RunBudget.copyingWork(bytes: $1.storedByteCount ?? 0) }
    try budget.spend(work, at: border.location)
    for (argument, port) in zip(arguments, graph.inputs) {
      guard let memory = memory(ofInput: port.value) else { continue }
      memory.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: argument.memory.prefix(memory.count)))
    }
    try run(profile: nil)
    return try zip(graph.outputs, outputs).map { port, spec in
      guard let memory = memory(of: port.value) else {
        throw RuntimeError(
          .invalidModel, "calls a subgraph whose output \(spec) is not computed", location: border.location)
      }
      return TensorView(spec: spec, memory: memory, resource: graph.values.resources[port.value])
    }
  }
}
