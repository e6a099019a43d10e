import SwiftletBase
import SwiftletSchema
import Testing

@testable import SwiftletEngine

@Suite("Memory that outlives runs")
struct StateStoreTests {
  private let key = StateKey.resource(container: "", name: "v")
  private let memory = SessionMemory(MemoryBudget(limit: 10_000))

  @Test("a variable keeps its block, and moves with its contents to a larger one")
  func blocks() throws {
    let store = StateStore(memory)
    let block = try store.block(key, bytes: 100, initialByte: 7)
    #expect(block.bytes.count == 100 && block.bytes.allSatisfy { $0 == 7 } && store.generation == 0)
    block.bytes[99] = 1
    #expect(try store.block(key, bytes: 100, initialByte: 0) === block)
    #expect(try store.block(key, bytes: 5, initialByte: 0) === block && store.generation == 0)
    let larger = try store.block(key, bytes: 101, initialByte: 9)
    #expect(larger !== block && larger.bytes.count == 101 && store.generation == 1)
    #expect(larger.bytes[0] == 7 && larger.bytes[99] == 1 && larger.bytes[100] == 9)
    store.reset()
    #expect(larger.bytes.allSatisfy { $0 == 9 })
    let other = try store.block(.node(subgraph: 0, index: 0), bytes: 3, initialByte: 0)
    #expect(other.bytes.allSatisfy { $0 == 0 } && store.generation == 1)
    #expect(memory.budget.byteCount >= 104)
    let error = #expect(throws: RuntimeError.self) {
      try store.block(.node(subgraph: 0, index: 1), bytes: 20_000, initialByte: 0)
    }
    #expect(error?.message.hasPrefix("variables take 20000 more bytes") == true)
  }

  @Test("a variable describes its first 64 bytes, which are zeros before it has a value")
  func headers() throws {
    let store = StateStore(memory)
    #expect(StateKey.headerByteCount == 64)
    #expect(store.header(of: key).count == 64 && store.header(of: key).allSatisfy { $0 == 0 })
    let block = try store.block(key, bytes: 100, initialByte: 0)
    block.bytes[0] = 5
    block.bytes[63] = 6
    block.bytes[64] = 7
    let header = store.header(of: key)
    #expect(header.count == 64 && header[0] == 5 && header[63] == 6)
  }

  // MARK: Pieces of runs

  @Test("recorded values are current while every byte is unchanged")
  func recordedReads() throws {
    let reads = RecordedReads(memory)
    let values = [AlignedBytes(copying: [1, 2, 3]), AlignedBytes(copying: [4])]
    try reads.record(0, UnsafeRawBufferPointer(values[0].bytes))
    try reads.record(5, UnsafeRawBufferPointer(values[1].bytes))
    func isCurrent() -> Bool { reads.isCurrent { $0 == 0 ? values[0].bytes : $0 == 5 ? values[1].bytes : nil } }
    #expect(isCurrent() && memory.budget.byteCount == 4)
    values[0].bytes[2] = 9
    #expect(!isCurrent())
    // The first recorded value is kept.
    try reads.record(0, UnsafeRawBufferPointer(values[0].bytes))
    #expect(!isCurrent())
    values[0].bytes[2] = 3
    #expect(isCurrent())
    #expect(!reads.isCurrent { _ in nil } && RecordedReads(memory).isCurrent { _ in nil })
    #expect(throws: RuntimeError.self) {
      try RecordedReads(SessionMemory(MemoryBudget(limit: 2))).record(0, UnsafeRawBufferPointer(values[0].bytes))
    }
  }

  /// Returns the results of a node that produces values 1 and 2.
  private func results(
    _ first: AlignedBytes, _ second: AlignedBytes, shape: Shape = [3], resource: StateKey? = nil, following: Int = 0,
    type: ElementType = .int8
  ) throws -> ControlResults {
    var values = ValueSet()
    for _ in 0..<3 { values.specs.append(TensorSpec(name: "n", elementType: .int8, shape: [1])) }
    let node = Node(location: .init(operatorIndex: 4), number: 1, operation: StubPlain(), inputs: [0], outputs: [1, 2])
    let tensors = [first, second].map {
      TensorView(
        spec: TensorSpec(name: "r", elementType: type, shape: shape), memory: $0.bytes, resource: resource)
    }
    return try ControlResults(
      node, tensors: tensors, blocks: [first, second],
      rest: Program.Deferred(
        nodes: [Node](repeating: node, count: 1 + following), values: values, results: BitSet([2])), memory: memory)
  }

  @Test("results of a control node have the node's names and their own shapes, and the remaining nodes follow")
  func controlResults() throws {
    let first = AlignedBytes(copying: [1, 2, 3]), second = AlignedBytes(copying: [4, 5, 6])
    let found = try results(first, second, resource: key, following: 2)
    #expect(found.values.elements == [1, 2] && found.holds(1) && !found.holds(0))
    #expect(found.memory(of: 2)?.baseAddress == second.bytes.baseAddress && found.memory(of: 0) == nil)
    #expect(found.spec(of: 1)?.shape == [3] && found.spec(of: 1)?.name == "n" && found.spec(of: 3) == nil)
    let rest = try #require(found.rest)
    #expect(rest.nodes.count == 2 && rest.results.elements == [2] && rest.values.specs[2].shape == [3])
    #expect(rest.values.resources[1] == key && rest.values.specs[0].shape == [1])
    #expect(try results(first, second).rest == nil)
    let error = #expect(throws: RuntimeError.self) { try results(first, second, type: .int16) }
    #expect(error?.code == .invalidModel && error?.location?.operatorIndex == 4)
  }

  @Test("results are equal if shapes, locations, and variables are equal")
  func sameResults() throws {
    let first = AlignedBytes(copying: [1, 2, 3]), second = AlignedBytes(copying: [4, 5, 6])
    let reference = try results(first, second)
    #expect(reference.isSame(as: try results(first, second)))
    #expect(!reference.isSame(as: try results(first, AlignedBytes(copying: [4, 5, 6]))))
    #expect(!reference.isSame(as: try results(first, second, shape: [1, 3])))
    #expect(!reference.isSame(as: try results(first, second, resource: key)))
  }
}
