import SwiftletBase
import Testing

@testable import SwiftletEngine

@Suite("Memory budgets")
struct MemoryBudgetTests {
  @Test("counts up to the limit, returns unused memory, and reports the limit to raise")
  func counts() throws {
    let budget = MemoryBudget(limit: 100)
    var charge: MemoryCharge? = try MemoryCharge(budget, 60, for: "tensors")
    let location = RuntimeError.Location(subgraph: 3, operatorIndex: 1, operatorName: "IF")
    let error = #expect(throws: RuntimeError.self) { try budget.charge(41, for: "results", at: location) }
    #expect(error?.code == .limitExceeded)
    #expect(
      error?.description
        == "operator 1 IF, subgraph 3: results take 41 more bytes, and there are 60 already: above the limit of 100 bytes for a session and its compiled model; raise RuntimeOptions.limits.sessionBytes if this is intended"
    )
    try budget.charge(40, for: "results")
    #expect(budget.byteCount == 100)
    withExtendedLifetime(charge) {}
    charge = nil
    #expect(budget.byteCount == 40)
    budget.refund(40)
    #expect(budget.byteCount == 0)
  }

  @Test("a model's memory counts for each of its sessions, but not vice versa")
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

  @Test("limits and sizes never overflow", arguments: [Int.min, -1, 0, 1, .max])
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

  @Test("accepts the last byte with and without shared memory, and no more")
  func lastByte() throws {
    let model = MemoryBudget(limit: 100)
    let session = MemoryBudget(limit: 100, shared: model)
    try model.charge(40, for: "constants")
    try session.check(room: 60, for: "tensors")
    #expect(throws: RuntimeError.self) { try session.check(room: 61, for: "tensors") }
    #expect(throws: RuntimeError.self) { try session.charge(61, for: "tensors") }
    try session.charge(60, for: "tensors")
    #expect(session.byteCount == 100 && model.byteCount == 40)
    try session.charge(0, for: "tensors")
    try session.check(room: 0, for: "tensors")
    #expect(throws: RuntimeError.self) { try session.charge(1, for: "tensors") }
    session.refund(60)
    try model.charge(60, for: "constants")
    try session.charge(0, for: "tensors")
    let error = #expect(throws: RuntimeError.self) { try session.check(room: 1, for: "tables") }
    #expect(
      error?.message.hasPrefix("tables take 1 more bytes, and there are 100 already: above the limit of 100") == true)
  }

  @Test("memory of a session is zeroed, and counts as long as the block exists")
  func sessionMemory() throws {
    let memory = SessionMemory(MemoryBudget(limit: 1000))
    var block: AlignedBytes? = try memory.allocate(1000, for: "tensors")
    #expect(block?.bytes.count == 1000 && block?.bytes.allSatisfy { $0 == 0 } == true)
    #expect(memory.budget.byteCount == 1000)
    let place = RuntimeError.Location(subgraph: 2)
    let error = #expect(throws: RuntimeError.self) { try memory.allocate(1, for: "results", at: place) }
    #expect(error?.code == .limitExceeded && error?.location == place)
    block = nil
    #expect(memory.budget.byteCount == 0)
    let charge = try memory.charge(999, for: "steps")
    withExtendedLifetime(charge) {
      #expect(memory.budget.byteCount == 999)
      #expect(throws: RuntimeError.self) { try memory.charge(2, for: "steps", at: place) }
    }
  }

  @Test("impossible sizes are rejected with their purpose")
  func unavailable() throws {
    let place = RuntimeError.Location(operatorIndex: 3, operatorName: "ADD")
    let error = #expect(throws: RuntimeError.self) { try AlignedBytes.available(.max, for: "tables", at: place) }
    #expect(error?.code == .limitExceeded)
    #expect(
      error?.description == "operator 3 ADD: cannot allocate 9223372036854775807 bytes for tables")
    let block = try AlignedBytes.available(5, for: "tables")
    withExtendedLifetime(block) { #expect(Array(block.bytes) == [0, 0, 0, 0, 0]) }
  }

  @Test("a constant that is copied for kernels that read past its end keeps its bytes and size")
  func slack() throws {
    let copy = try ByteRegion([1, 2, 3, 4, 5]).followedBySlack()
    #expect(copy.array == [1, 2, 3, 4, 5])
    let block = try #require(copy.owner as? AlignedBytes)
    #expect(block.bytes.map { $0 } == [1, 2, 3, 4, 5, 0, 0, 0])
  }
}
