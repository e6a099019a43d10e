import Testing

@testable import SwiftletEngine

@Suite("Stages of prepared operators")
struct PreparedOperatorTests {
  private typealias Stage = PreparedOperator.Stage

  /// Returns the ranges of a stage's tiles.
  private func ranges(items: Int, cost: Double, threads: Int) throws -> [Range<Int>] {
    let found = Ranges()
    let stage = Stage(items: items, cost: cost) { _, range in found.ranges.append(range) }.cut(forThreads: threads)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    let table = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: 1)
    table.initialize(to: memory)
    defer {
      table.deallocate()
      memory.deallocate()
    }
    for tile in 0..<stage.tileCount { try stage.run(RunContext(pointers: table, workerScratch: memory), tile) }
    return found.ranges
  }

  @Test("tiles take five milliseconds on one thread, and at most twenty microseconds on several")
  func tileTimes() {
    #expect(Stage.tileNanoseconds == 20_000 && Stage.maximumNanoseconds == 5_000_000)
    func time(_ total: Double, _ threads: Int) -> Double { Stage.tileNanoseconds(total: total, threads: threads) }
    #expect(time(100, 1) == 20_000 && time(1e9, 1) == 20_000)
    #expect(time(1e9, 2) == 20_000 && time(160_000, 2) == 20_000 && time(80_000, 2) == 10_000)
    #expect(time(16_000, 2) == 2000 && time(100, 2) == 2000 && time(160_000, 4) == 10_000)
  }

  @Test(
    "each thread gets the same number of pieces, if there are more pieces than threads",
    arguments: [
      (5, 100, 2, 6), (6, 100, 2, 6), (3, 100, 2, 4), (2, 100, 2, 2), (1, 100, 2, 1), (0, 100, 2, 0), (-1, 100, 2, 0),
      (5, 5, 2, 5), (9, 100, 4, 12), (4, 3, 4, 3), (101, 100, 7, 100), (7, 100, 1, 7),
    ] as [(Int, Int, Int, Int)])
  func evenly(pieces: Int, count: Int, threads: Int, expected: Int) {
    #expect(Stage.evenly(pieces, of: count, threads: threads) == expected)
  }

  @Test(
    "parts follow each other, and their sizes differ by one at most",
    arguments: [(10, 3), (7, 7), (3, 5), (100, 7), (0, 2)] as [(Int, Int)])
  func parts(count: Int, parts: Int) {
    let ranges = (0..<parts).map { Stage.part($0, of: count, parts: parts) }
    #expect(ranges.flatMap { Array($0) } == Array(0..<count))
    #expect(ranges.allSatisfy { [count / parts, (count + parts - 1) / parts].contains($0.count) })
    #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == count)
  }

  @Test("items are split by cost")
  func items() throws {
    #expect(try ranges(items: 100, cost: 1000, threads: 1) == [0..<100])
    // On a single thread, a tile takes five milliseconds.
    #expect(try ranges(items: 100, cost: 100_000, threads: 1) == [0..<50, 50..<100])
    #expect(try ranges(items: 3, cost: 10_000_000, threads: 1) == [0..<1, 1..<2, 2..<3])
    // 80 microseconds for two threads make eight tiles of ten microseconds.
    #expect(
      try ranges(items: 80, cost: 1000, threads: 2)
        == (0..<8).map { (tile: Int) -> Range<Int> in tile * 10..<tile * 10 + 10 })
    #expect(try ranges(items: 2, cost: 1, threads: 2) == [0..<2])
    #expect(try ranges(items: 5, cost: 1e9, threads: 2).count == 5)
    #expect(try ranges(items: 0, cost: 1, threads: 2).isEmpty)
    #expect(try ranges(items: 1000, cost: 0, threads: 1) == [0..<1000])
    #expect(Stage(items: 100, cost: 3) { _, _ in }.work == 300)
    #expect(Stage(items: 1000, cost: 0) { _, _ in }.work == 1)
  }

  @Test("a stage that can be split keeps the memory that it accesses")
  func cutting() {
    let slot = TensorSlot(index: 4), other = TensorSlot(index: 5)
    let stage = Stage { threads in Stage(tileCount: 10 * threads, work: Double(threads)) { _, _ in } }
      .touching(reads: [slot], writes: [other])
    #expect(stage.tileCount == 20 && stage.work == 2)
    let cut = stage.cut(forThreads: 3)
    #expect(cut.tileCount == 30 && cut.work == 3 && cut.reads == [slot] && cut.writes == [other])
    let fixed = Stage(tileCount: 7) { _, _ in }.cut(forThreads: 3)
    #expect(fixed.tileCount == 7 && fixed.work == nil && fixed.reads == nil && fixed.writes == nil)
    #expect(fixed.precision == .full)
  }

  @Test("operators keep their values")
  func parts() {
    let one = PreparedOperator(tiles: 3, work: 5, multiplyAdds: 7) { _, _ in }
    #expect(one.stages.map(\.tileCount) == [3] && one.stages[0].work == 5 && one.multiplyAdds == 7)
    #expect(one.sharesMemoryWithInput == nil)
    let items = PreparedOperator(items: 10, cost: 2, multiplyAdds: 9) { _, _ in }
    #expect(items.stages.count == 1 && items.stages[0].work == 20 && items.multiplyAdds == 9)
    let sharing = PreparedOperator(stages: [], sharesMemoryWithInput: 1)
    #expect(sharing.sharesMemoryWithInput == 1 && sharing.multiplyAdds == 0)
    #expect(PreparedOperator.empty.stages.isEmpty && PreparedOperator(run: { _, _ in }).stages[0].tileCount == 1)
  }
}

/// The ranges that the tiles of one thread receive.
private final class Ranges: @unchecked Sendable {
  var ranges: [Range<Int>] = []
}

@Suite("Slots of a program")
struct SlotAllocatorTests {
  @Test("values and states have one slot each, and every scratch request gets a new one")
  func slots() throws {
    let memory = SlotAllocator()
    let key = StateKey.node(subgraph: 0, index: 3)
    let slots = [
      memory.slot(of: 5), try memory.scratch(bytes: 10), memory.state(key, bytes: 4, initialByte: 9),
      memory.slot(of: 5), try memory.scratch(bytes: 0), memory.state(key, bytes: 8, initialByte: 7),
      memory.state(key, bytes: 6, initialByte: 1), memory.slot(of: 2),
    ]
    #expect(slots.map(\.index) == [0, 1, 2, 0, 3, 2, 2, 4])
    #expect(memory.currentValues.map(\.index) == [0, 0, 4] && memory.currentScratch.map(\.index) == [1, 3])
    #expect(memory.currentStates.map(\.index) == [2, 2, 2] && memory.sources.count == 5)
    #expect(memory.valueSlots.keys == [2, 5])
    guard case .state(key, bytes: 8, initialByte: 7) = memory.sources[2], case .scratch(bytes: 10) = memory.sources[1]
    else {
      Issue.record("\(memory.sources)")
      return
    }
    memory.beginNode()
    #expect(memory.currentValues.isEmpty && memory.currentScratch.isEmpty && memory.currentStates.isEmpty)
    let error = #expect(throws: RuntimeError.self) { try memory.scratch(bytes: -1) }
    #expect(error?.code == .limitExceeded && error?.message == "cannot allocate scratch memory of -1 bytes")
  }

  @Test("worker memory is the maximum that any node requests")
  func workers() {
    let memory = SlotAllocator()
    for (bytes, most, current) in [(10, 10, 10), (30, 30, 30), (20, 30, 30)] {
      memory.requireWorkerScratch(bytes: bytes)
      #expect(memory.workerScratchBytes == most && memory.currentWorkerScratchBytes == current)
    }
    memory.beginNode()
    #expect(memory.workerScratchBytes == 30 && memory.currentWorkerScratchBytes == 0)
    memory.requireWorkerScratch(bytes: 5)
    #expect(memory.workerScratchBytes == 30 && memory.currentWorkerScratchBytes == 5)
  }

  @Test("tables are accepted up to the limit")
  func tables() {
    let memory = SlotAllocator()
    #expect(memory.takeTable(bytes: 60, atMost: 100) && memory.takeTable(bytes: 40, atMost: 100))
    #expect(!memory.takeTable(bytes: 1, atMost: 100) && memory.tableBytes == 100)
    #expect(memory.takeTable(bytes: 1, atMost: 101))
  }

  @Test("the first of two implementation notes of a node is used, and the last of two windows")
  func implementations() {
    let memory = SlotAllocator()
    #expect("\(memory.currentImplementation)" == "loop")
    memory.note(Implementation("sum", .none))
    memory.note(Implementation("product", .none))
    memory.note(window: (5, 5))
    memory.note(window: (3, 1))
    #expect("\(memory.currentImplementation)" == "sum 3×1")
    memory.beginNode()
    #expect("\(memory.currentImplementation)" == "loop")
    #expect("\(Implementation("sum", .portable))" == "sum, portable")
    #expect("\(Implementation("sum", .processor))" == "sum, \(InstructionSet.current)")
  }

  @Test("a node accesses its inputs, outputs, and scratch memory, and variables twice")
  func access() throws {
    var values = ValueSet()
    for _ in 0..<5 { values.specs.append(TensorSpec(name: "", elementType: .float32, shape: [1])) }
    values.variables[1] = .tensor(subgraph: 0, index: 1)
    let memory = SlotAllocator()
    for value in 0..<5 { _ = memory.slot(of: value) }
    memory.beginNode()
    let scratch = try memory.scratch(bytes: 8)
    let state = memory.state(.node(subgraph: 0, index: 0), bytes: 8, initialByte: 0)
    _ = memory.slot(of: 2)
    memory.requireWorkerScratch(bytes: 48)
    let node = Node(location: .init(), number: 1, operation: StubPlain(), inputs: [0, nil, 1], outputs: [2, 3])
    let access = NodeAccess(node, steps: 4..<6, memory, ValueTable(values))
    #expect(access.steps == 4..<6 && access.workerScratchBytes == 48)
    #expect(access.reads.map(\.index) == [0, 1] && access.fresh.map(\.index) == [2, 3, scratch.index])
    #expect(access.writes.map(\.index) == [2, 3, scratch.index, 1, state.index])
    #expect(access.asked.map(\.index) == [2, scratch.index, state.index])
  }
}
