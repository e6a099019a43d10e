import Testing

@testable import SwiftletEngine

@Suite("Memory budgets")
struct MemoryBudgetTests {
  @Test("counts up to the limit, gives back what is not used any more, and says what to raise")
  func counts() throws {
    let budget = MemoryBudget(limit: 100)
    var charge: MemoryCharge? = try MemoryCharge(budget, 60, for: "tensors")
    let location = RuntimeError.Location(subgraph: 3, operatorIndex: 1, operatorName: "IF")
    let error = #expect(throws: RuntimeError.self) { try budget.charge(41, for: "results", at: location) }
    #expect(error?.code == .limitExceeded)
    #expect(
      error?.description
        == "operator 1 IF, subgraph 3: results take 41 more bytes, and there are 60 already: above the limit of 100 bytes for a session and its compiled model; raise RuntimeOptions.limits.sessionBytes if that is meant"
    )
    try budget.charge(40, for: "results")
    #expect(budget.byteCount == 100)
    withExtendedLifetime(charge) {}
    charge = nil
    #expect(budget.byteCount == 40)
    budget.refund(40)
    #expect(budget.byteCount == 0)
  }

  @Test("what a model has counts for each of its sessions, and a session's does not for the model")
  func isShared() throws {
    let model = MemoryBudget(limit: 100)
    let sessions = (0..<2).map { _ in MemoryBudget(limit: 100, shared: model) }
    try model.charge(30, for: "constants")
    for session in sessions {
      #expect(throws: RuntimeError.self) { try session.check(room: 71, for: "tensors") }
      #expect(throws: RuntimeError.self) { try session.charge(71, for: "tensors") }
      try session.charge(70, for: "tensors")
      #expect(session.byteCount == 100)
    }
    #expect(model.byteCount == 30)
    try model.charge(70, for: "constants")
    #expect(throws: RuntimeError.self) { try sessions[0].charge(0, for: "tensors") }
  }

  @Test("no limit or size overflows", arguments: [Int.min, -1, 0, 1, .max])
  func takesAnyLimit(limit: Int) {
    let budget = MemoryBudget(limit: limit, shared: MemoryBudget(limit: limit))
    #expect(throws: RuntimeError.self) {
      try budget.charge(2, for: "tensors")
      try budget.charge(.max, for: "tensors")
    }
    #expect(throws: RuntimeError.self) {
      try budget.check(room: 2, for: "tensors")
      try budget.charge(2, for: "tensors")
      try budget.check(room: .max, for: "tensors")
    }
  }
}
