import SwiftletBase

/// What all graphs of one session share: variables, and the runs of subgraphs that control nodes call.
final class RunEnvironment {
  let model: CompiledModel
  let memory: SessionMemory
  let states: StateStore
  /// The strings that the model's constants and the session's inputs hold.
  var strings: StringPool {
    if let pool { return pool }
    let made = StringPool(
      after: model.graph.strings, byteLimit: model.options.limits.stringBytes, memory: memory.budget)
    pool = made
    return made
  }
  /// Made with the first strings, as most models have none.
  private var pool: StringPool?
  /// The bytes of the strings besides the model's own.
  var stringByteCount: Int { pool?.byteCount ?? 0 }
  /// Subgraphs that have given variables their first values.
  private var initialized = ValueMap<Bool>()
  private var callees: [Callee: GraphExecutor] = [:]
  /// How often the run that is under way has run subgraphs.
  private var subgraphRuns = 0
  /// What the run that is under way may still take.
  let budget: RunBudget
  /// That of the options, which are large to look into in every run.
  private let timeout: Duration?

  private struct Callee: Hashable {
    var subgraph: Int
    /// The variables that its inputs name.
    var resources: [StateKey?]
  }

  /// Where the session's memory comes from in checked mode.
  let checkedMemory: CheckedMemory?

  init(_ model: CompiledModel) {
    self.model = model
    budget = RunBudget(.run, limit: model.options.limits.runWork)
    timeout = model.options.timeout
    memory = SessionMemory(MemoryBudget(limit: model.options.limits.sessionBytes, shared: model.memory))
    states = StateStore(memory)
    checkedMemory = model.options.isChecked ? CheckedMemory(turn: model.options.checkedTurn) : nil
  }

  /// Starts counting what one run does.
  func beginRun(deadline: Deadline?) {
    subgraphRuns = 0
    guard let timeout else { return budget.begin(deadline: deadline) }
    budget.begin(deadline: .earliest(deadline, Deadline(after: timeout)))
  }

  /// - Throws: `limitExceeded` once a run has run subgraphs too often: loops that do not end, or loops in loops.
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

  /// What it takes to run a subgraph besides its operators, in nanoseconds.
  private static let subgraphRunWork = 1000.0

  /// Gives every variable its initial value, as if nothing had run.
  func reset() {
    states.reset()
    initialized = ValueMap()
  }

  /// Runs the subgraphs that give the graph's variables their first values, unless they have run.
  ///
  /// - Throws: what the subgraphs throw; they run again next time.
  func initialize(_ graph: Graph) throws {
    for subgraph in graph.initializationSubgraphs where initialized[subgraph] == nil {
      guard let callee = graph.callees[subgraph] else { continue }
      try GraphExecutor(self, graph: callee).run(profile: nil)
      initialized[subgraph] = true
    }
  }

  /// Returns the run of a subgraph whose inputs name these variables. Nodes share it: no subgraph calls itself, and
  /// results are copied.
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
