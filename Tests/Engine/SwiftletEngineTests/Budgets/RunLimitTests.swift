import SwiftletOperators
import SwiftletSchema
import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

@Suite("Limits of work and time")
struct RunLimitTests {
  private let place = RuntimeError.Location(subgraph: 1, operatorIndex: 4, operatorName: "WHILE")

  // MARK: Work

  @Test("work of exactly the limit is accepted, and a nanosecond more is rejected")
  func exactWork() throws {
    let budget = RunBudget(.run, limit: .nanoseconds(100))
    try budget.spend(60, at: nil)
    try budget.spend(40, at: nil)
    try budget.spend(0, at: nil)
    let error = #expect(throws: RuntimeError.self) { try budget.spend(1, at: place) }
    #expect(error?.code == .limitExceeded && error?.location == place)
    budget.begin(deadline: nil)
    try budget.spend(100, at: nil)
    #expect(throws: RuntimeError.self) { try budget.spend(0.5, at: nil) }
    #expect(throws: RuntimeError.self) { try RunBudget(.run, limit: .seconds(1)).spend(.nan, at: nil) }
  }

  @Test("work is done ahead only if the budget allows it, and is not counted otherwise")
  func possibleWork() throws {
    let budget = RunBudget(.load, limit: .nanoseconds(100))
    #expect(budget.spendIfPossible(60))
    #expect(!budget.spendIfPossible(41))
    #expect(budget.spendIfPossible(40))
    #expect(!budget.spendIfPossible(1) && !budget.spendIfPossible(.nan))
    try budget.spend(0, at: nil)
  }

  @Test("errors name the kind of work, the seconds, and the limit to raise")
  func words() {
    func message(_ kind: RunBudget.Kind, _ work: Double, _ limit: Duration) -> String? {
      (#expect(throws: RuntimeError.self) { try RunBudget(kind, limit: limit).spend(work, at: nil) })?.message
    }
    #expect(
      message(.run, 2.5e9, .seconds(2))
        == "a run would take about 3 seconds of one thread or more, above the limit of 2.0; raise RuntimeOptions.limits.runWork if this is intended"
    )
    #expect(
      message(.load, 1e30, .milliseconds(500))
        == "loading would take about 1000000000000001 seconds of one thread or more, above the limit of 0.5; raise RuntimeOptions.limits.loadWork if this is intended"
    )
  }

  @Test("a load is limited by the options")
  func load() throws {
    var options = RuntimeOptions()
    let budget = RunBudget.load(options)
    try budget.check()
    try budget.spend(5e9, at: nil)
    #expect(throws: RuntimeError.self) { try budget.spend(1, at: nil) }
    options.limits.loadWork = .microseconds(2)
    try RunBudget.load(options).spend(2000, at: nil)
    #expect(throws: RuntimeError.self) { try RunBudget.load(options).spend(2001, at: nil) }
    options.timeout = .zero
    let error = #expect(throws: RuntimeError.self) { try RunBudget.load(options).check() }
    #expect(error?.code == .deadlineExceeded)
    #expect(
      error?.message == "loading did not end before its deadline; allow more time, or use a smaller model or input")
  }

  @Test("estimates of compiling and copying")
  func estimates() {
    #expect(RunBudget.compilingWork(nodes: 0) == 0 && RunBudget.compilingWork(nodes: 10) == 200_100)
    #expect(RunBudget.copyingWork(bytes: 0) == 0 && RunBudget.copyingWork(bytes: 10) == 5)
    #expect(RunBudget.nanoseconds(.microseconds(3)) == 3000 && RunBudget.nanoseconds(.seconds(2)) == 2e9)
  }

  // MARK: Time

  private func time(_ deadline: Deadline) -> Duration? {
    Mirror(reflecting: deadline).descendant("time") as? Duration
  }

  @Test("a budget ends at the deadline it began with last")
  func deadlines() throws {
    let budget = RunBudget(.run, limit: .seconds(1), deadline: Deadline(after: .zero - .seconds(1)))
    let error = #expect(throws: RuntimeError.self) { try budget.check() }
    #expect(error?.code == .deadlineExceeded)
    #expect(error?.message == "a run did not end before its deadline; allow more time, or use a smaller model or input")
    budget.begin(deadline: Deadline(after: .seconds(3600)))
    try budget.check()
    budget.begin(deadline: Deadline(after: .zero - .seconds(1)))
    #expect(throws: RuntimeError.self) { try budget.check() }
    budget.begin(deadline: nil)
    try budget.check()
  }

  @Test("cancellation applies to nested calls and no further")
  func carried() throws {
    let outer = CallContext(), inner = CallContext()
    let budget = RunBudget(.run, limit: .seconds(1))
    outer.cancel()
    try outer.carry {
      #expect(CallContext.current === outer && CallContext.isUsed)
      try budget.check()
      budget.begin(deadline: nil)
      #expect(#expect(throws: RuntimeError.self) { try budget.check() }?.code == .cancelled)
      #expect(
        #expect(throws: RuntimeError.self) { try RunBudget(.run, limit: .seconds(1)).check() }?.code == .cancelled)
      try inner.carry {
        #expect(CallContext.current === inner)
        budget.begin(deadline: nil)
        try budget.check()
      }
      #expect(CallContext.current === outer)
    }
    #expect(CallContext.current == nil && outer.isCancelled && !inner.isCancelled)
    budget.begin(deadline: nil)
    try budget.check()
  }

  @Test("a budget ends at the deadline of the enclosing call, or at its own if that is earlier")
  func callDeadline() throws {
    let budget = RunBudget(.run, limit: .seconds(1))
    try CallContext(timeout: .zero - .seconds(1)).carry {
      let error = #expect(throws: RuntimeError.self) { try RunBudget(.run, limit: .seconds(1)).check() }
      #expect(error?.code == .deadlineExceeded)
      // The budget was created before the call, and observes it when a run begins.
      try budget.check()
      budget.begin(deadline: Deadline(after: .seconds(3600)))
      #expect(throws: RuntimeError.self) { try budget.check() }
    }
    CallContext(timeout: .seconds(3600)).carry {
      budget.begin(deadline: Deadline(after: .zero - .seconds(1)))
      #expect(throws: RuntimeError.self) { try budget.check() }
    }
    budget.begin(deadline: nil)
    try budget.check()
  }

  // MARK: A single run

  private func environment(_ change: (inout RuntimeOptions) -> Void) throws -> (RunEnvironment, CompiledModel) {
    var options = RuntimeOptions()
    change(&options)
    var graph = TestGraph()
    graph.add(.neg, [graph.input(.float32, [1])], [graph.output(.float32, [1])])
    let model = try CompiledModel(try graph.model(), options: options)
    return (RunEnvironment(model), model)
  }

  @Test("a run can run subgraphs up to the limit, and every run starts again")
  func subgraphRuns() throws {
    let (environment, _) = try environment { $0.limits.subgraphRuns = 3 }
    for _ in 0..<2 {
      environment.beginRun(deadline: nil)
      for _ in 0..<3 { try environment.countSubgraphRun(at: place) }
      let error = #expect(throws: RuntimeError.self) { try environment.countSubgraphRun(at: place) }
      #expect(error?.code == .limitExceeded)
      #expect(
        error?.description
          == "operator 4 WHILE, subgraph 1: did not end after subgraphs ran 3 times; raise RuntimeOptions.limits.subgraphRuns if this is intended"
      )
    }
  }

  @Test("every run of a subgraph counts a microsecond")
  func subgraphWork() throws {
    let (environment, _) = try environment { $0.limits.runWork = .nanoseconds(2000) }
    environment.beginRun(deadline: nil)
    for _ in 0..<2 { try environment.countSubgraphRun(at: place) }
    let error = #expect(throws: RuntimeError.self) { try environment.countSubgraphRun(at: place) }
    #expect(error?.message.contains("limits.runWork") == true && error?.location == place)
  }

  @Test("a run ends at its deadline or at the timeout, whichever comes first")
  func timeouts() throws {
    let (patient, _) = try environment { $0.timeout = .seconds(3600) }
    patient.beginRun(deadline: Deadline(after: .zero - .seconds(1)))
    #expect(throws: RuntimeError.self) { try patient.budget.check() }
    #expect(throws: RuntimeError.self) { try patient.countSubgraphRun(at: place) }
    patient.beginRun(deadline: nil)
    try patient.budget.check()
    let (hasty, _) = try environment { $0.timeout = .milliseconds(300) }
    hasty.beginRun(deadline: Deadline(after: .seconds(3600)))
    let end = try #require(Mirror(reflecting: hasty.budget).descendant("deadline") as? Deadline)
    let far = try #require(time(Deadline(after: .seconds(1800))))
    #expect(try #require(time(end)) < far)
  }

  @Test("a loop with the maximum number of iterations finishes, and a longer one is stopped")
  func loops() throws {
    // The loop counts down to 0: the condition runs once more than the body.
    func session(_ limit: Int) throws -> Session {
      var condition = TestGraph()
      condition.add(
        .greater, [condition.input(.int32, [1]), condition.constant([Int32(0)])], [condition.output(.bool, [1])])
      var body = TestGraph()
      body.add(.sub, [body.input(.int32, [1]), body.constant([Int32(1)])], [body.output(.int32, [1])])
      var graph = TestGraph()
      graph.add(
        .whileLoop, [graph.input(.int32, [1])], [graph.output(.int32, [1])],
        options: WhileOptions.with { [$0.conditionSubgraphIndex(1), $0.bodySubgraphIndex(2)] })
      var options = RuntimeOptions()
      options.limits.subgraphRuns = limit
      return try graph.session([condition, body], options: options)
    }
    let rounds = try Tensor([Int32(4)], shape: [1])
    #expect(try session(9).run([rounds])[0].values(as: Int32.self) == [0])
    let error = #expect(throws: RuntimeError.self) { try session(8).run([rounds]) }
    #expect(error?.message.contains("subgraphs ran 8 times") == true)
  }
}
