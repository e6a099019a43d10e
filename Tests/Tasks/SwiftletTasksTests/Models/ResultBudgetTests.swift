import SwiftletEngine
import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Budgets of results")
struct ResultBudgetTests {
  private func budget(_ bytes: Int) -> ResultBudget {
    var limits = RuntimeOptions.Limits()
    limits.resultBytes = bytes
    return ResultBudget(limits)
  }

  private func error(_ body: () throws -> Void) -> TaskError? { thrownError(body) }

  @Test("results of exactly the limit are returned, and a byte more is rejected and doesn't count")
  func exact() throws {
    let budget = budget(100)
    try budget.charge(3, each: 20, for: "things")
    try budget.charge(40, for: "things")
    let refused = error { try budget.charge(1, for: "things", advice: "ask for fewer") }
    #expect(
      refused
        == TaskError(
          .limitExceeded,
          "things bring the results of a call, with what is kept for it, to 101 bytes, which exceeds the limit of 100 bytes; ask for fewer, or raise RuntimeOptions.limits.resultBytes if this is intended"
        ))
    try budget.charge(0, each: 1000, for: "nothing")
    #expect(error { try budget.charge(1, for: "things") }?.message.contains("bytes; raise Runtime") == true)
  }

  @Test("every call starts over, except for kept memory")
  func calls() throws {
    let budget = budget(100)
    try budget.keep(2, each: 30, for: "tables")
    for _ in 0..<2 {
      try budget.charge(40, for: "things")
      #expect(error { try budget.charge(1, for: "things") } != nil)
      budget.begin()
    }
    #expect(error { try budget.charge(41, for: "things") } != nil)
    try budget.charge(40, for: "things")
    #expect(error { try budget.keep(1, for: "tables") } != nil)
    budget.begin()
    try budget.keep(40, for: "tables")
    #expect(error { try budget.charge(1, for: "things") } != nil)
  }

  @Test("overflowing sizes exceed every limit", arguments: [(Int.max, 2), (1 << 40, 1 << 40), (Int.max, 1)])
  func overflow(count: Int, size: Int) throws {
    let budget = budget(Int.max)
    try budget.charge(1, for: "things")
    let refused = error { try budget.charge(count, each: size, for: "things") }
    #expect(refused?.code == .limitExceeded)
    #expect(refused?.message.contains("to more than \(Int.max) bytes") == true)
  }

  @Test("models of one pipeline share a budget, and others have separate budgets that every run resets")
  func pipelines() throws {
    var base = BaseOptions(model: .bytes(PassingModel.imageModel()))
    base.limits.resultBytes = 100
    let pool = try PipelinePool(base) { (try TaskModel($0), try TaskModel($0)) }
    for _ in 0..<2 {
      try pool.withPipeline { models in
        #expect(models.0.results === models.1.results)
        try models.0.results.charge(60, for: "things")
        try models.1.run()
        #expect(error { try models.1.results.charge(41, for: "things") } != nil)
        try models.1.results.charge(40, for: "things")
      }
    }
    let (alone, other) = (try TaskModel(ModelContext(base)), try TaskModel(ModelContext(base)))
    #expect(alone.results !== other.results)
    try alone.results.charge(100, for: "things")
    try alone.run()
    try alone.results.charge(100, for: "things")
  }
}
