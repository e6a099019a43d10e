import SwiftletBase

/// State that all graphs of one session share: variables, and the runs of subgraphs called by control nodes.
final class RunEnvironment {
  let model: CompiledModel
  let memory: SessionMemory
  let states: StateStore
  /// The strings of the model's constants and of the session's inputs.
  var strings: StringPool {
    if let pool { return pool }
    let made = StringPool(
      after: model.graph.strings, byteLimit: model.options.limits.stringBytes, memory: memory.budget)
    pool = made
    return made
  }
  /// The string pool, created with the first strings, because most models have none.
  private var pool: StringPool?
  /// The size of the strings in bytes, excluding the model's own strings.
  var stringByteCount: Int { pool?.byteCount ?? 0 }
  /// The subgraphs that have initialized their variables.
  private var initialized = ValueMap<Bool>()
  private var callees: [Callee: GraphExecutor] = [:]
  /// The number of subgraph runs in the current run.
  private var subgraphRuns = 0
  /// The budget of the current run.
  let budget: RunBudget
  /// The timeout in the options, which are too large to access in every run.
  private let timeout: Duration?

  private struct Callee: Hashable {
    var subgraph: Int
    /// The variables that its inputs refer to.
    var resources: [StateKey?]
  }

  /// The source of the session's memory in checked mode.
  let checkedMemory: CheckedMemory?

  init(_ model: CompiledModel) {
    self.model = model
    budget = RunBudget(.run, limit: model.options.limits.runWork)
    timeout = model.options.timeout
    memory = SessionMemory(MemoryBudget(limit: model.options.limits.sessionBytes, shared: model.memory))
    states = StateStore(memory)
    checkedMemory = model.options.isChecked ? CheckedMemory(turn: model.options.checkedTurn) : nil
  }

  /// Resets the counters for a new run.
  func beginRun(deadline: Deadline?) {
    subgraphRuns = 0
    guard let timeout else { return budget.begin(deadline: deadline) }
    budget.begin(deadline: .earliest(deadline, Deadline(after: timeout)))
  }

  /// Counts a subgraph run.
  ///
  /// - Throws: `limitExceeded` if a run has run too many subgraphs, because of infinite or nested loops.
  func countSubgraphRun(at location: RuntimeError.Location) throws {
    try budget.check()
    let limit = model.options.limits.subgraphRuns
    guard subgraphRuns < limit else {
      throw RuntimeError(
        .limitExceeded,
        "did not end after subgraphs ran \(limit) times; raise RuntimeOptions.limits.subgraphRuns if this is intended",
        location: location)
    }
    subgraphRuns += 1
    try budget.spend(Self.subgraphRunWork, at: location)
  }

  /// The overhead of a subgraph run in nanoseconds.
  private static let subgraphRunWork = 1000.0

  /// Resets every variable to its initial value, as if nothing had run.
  func reset() {
    states.reset()
    initialized = ValueMap()
  }

  /// Runs the subgraphs that initialize the graph's variables, unless they have already run.
  ///
  /// - Throws: The errors of the subgraphs. They run again the next time.
  func initialize(_ graph: Graph) throws {
    for subgraph in graph.initializationSubgraphs where initialized[subgraph] == nil {
      guard let callee = graph.callees[subgraph] else { continue }
      try GraphExecutor(self, graph: callee).run(profile: nil)
      initialized[subgraph] = true
    }
  }

  /// Returns the executor of a subgraph whose inputs refer to these variables. Nodes share it, because no subgraph
  /// calls itself and results are copied.
  func callee(_ subgraph: Int, of graph: Graph, resources: [StateKey?]) throws -> GraphExecutor? {
    let key = Callee(subgraph: subgraph, resources: resources)
    if let run = callees[key] { return run }
    guard var callee = graph.callees[subgraph] else { return nil }
    for (port, resource) in zip(callee.inputs, resources) { callee.values.resources[port.value] = resource }
    let run = try GraphExecutor(self, graph: callee)
    callees[key] = run
    return run
  }
}
