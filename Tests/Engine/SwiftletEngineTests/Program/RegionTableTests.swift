import SwiftletBase
import SwiftletSchema
import Testing

@testable import SwiftletEngine

/// Steps that read and write regions of memory, each given by its location.
private struct Steps {
  enum Memory {
    case arena(Int, count: Int)
    case constant
    case external
    case variable(String)
  }

  private var locations: [Program.SlotLocation] = []
  private var blocks: BlockTable
  private var requests: [MemoryRequest] = []
  private var accesses: [NodeAccess] = []
  private var stepCount = 0
  private let memory = SlotAllocator()
  private let table: ValueTable

  /// Creates steps in which value `i` is in `memories[i]`.
  init(_ memories: [Memory], variables: [Int] = []) {
    var values = ValueSet()
    blocks = BlockTable(slotCount: memories.count)
    for (index, place) in memories.enumerated() {
      values.specs.append(TensorSpec(name: "", elementType: .float32, shape: [1]))
      switch place {
      case .arena(let offset, let count):
        locations.append(.arena(offset: offset))
        blocks.place(TensorSlot(index: index), bytes: count)
        requests.append(MemoryRequest(bytes: count, lifetime: 0...0))
      case .constant: locations.append(.constant(.empty))
      case .external: locations.append(.external(index))
      case .variable(let name):
        locations.append(.state(.resource(container: "", name: name), bytes: 8, initialByte: 0))
      }
      _ = memory.slot(of: index)
    }
    for index in variables { values.variables[index] = .tensor(subgraph: 0, index: index) }
    table = ValueTable(values)
  }

  mutating func add(reads: [Int], writes: [Int], stages: Int = 1) {
    memory.beginNode()
    let node = Node(location: .init(), number: 1, operation: StubPlain(), inputs: reads, outputs: writes)
    accesses.append(NodeAccess(node, steps: stepCount..<stepCount + stages, memory, table))
    stepCount += stages
  }

  var dependencies: [[Int]] {
    var regions = RegionTable(locations: locations, blocks: blocks, requests: requests)
    return regions.dependencies(of: stepCount, accesses: accesses)
  }
}

@Suite("Dependencies between steps")
struct RegionTableTests {
  @Test("a step waits for the step that writes its input")
  func readAfterWrite() {
    var steps = Steps([.arena(0, count: 64), .arena(64, count: 64), .arena(128, count: 64)])
    steps.add(reads: [0], writes: [1])
    steps.add(reads: [1], writes: [2])
    #expect(steps.dependencies == [[], [0]])
  }

  @Test("a step that overwrites another's input waits for it, even without a value between them")
  func writeAfterRead() {
    var steps = Steps([.arena(0, count: 64), .arena(64, count: 64), .arena(128, count: 64), .arena(32, count: 8)])
    steps.add(reads: [0], writes: [1])
    steps.add(reads: [2], writes: [3])
    #expect(steps.dependencies == [[], [0]])
  }

  @Test("a step that overwrites another's output waits for it")
  func writeAfterWrite() {
    var steps = Steps([.arena(0, count: 64), .arena(64, count: 64), .arena(127, count: 64), .arena(256, count: 64)])
    steps.add(reads: [0], writes: [1])
    steps.add(reads: [3], writes: [2])
    #expect(steps.dependencies == [[], [0]])
  }

  @Test("steps that only read the same bytes, or access adjacent bytes, don't wait")
  func independent() {
    var steps = Steps([.arena(0, count: 64), .arena(64, count: 64), .arena(128, count: 64), .arena(192, count: 0)])
    steps.add(reads: [0], writes: [1])
    steps.add(reads: [0], writes: [2])
    steps.add(reads: [0], writes: [3])
    #expect(steps.dependencies == [[], [], []])
  }

  @Test("only implied waits are omitted")
  func implied() {
    var steps = Steps((0..<6).map { .arena(64 * $0, count: 64) })
    steps.add(reads: [0], writes: [1])
    steps.add(reads: [1], writes: [2])
    steps.add(reads: [1, 2], writes: [3])
    #expect(steps.dependencies == [[], [0], [1]])
    steps.add(reads: [0], writes: [4])
    steps.add(reads: [3, 4], writes: [5])
    #expect(steps.dependencies == [[], [0], [1], [], [3, 2]])
  }

  @Test("the stages of a node run in order, and wait for another node only if memory requires it")
  func stages() {
    var steps = Steps([.constant, .arena(0, count: 64), .arena(64, count: 64)])
    steps.add(reads: [0], writes: [], stages: 3)
    steps.add(reads: [], writes: [1], stages: 2)
    steps.add(reads: [1], writes: [2])
    #expect(steps.dependencies == [[], [0], [1], [], [3], [4]])
  }

  @Test("constants and values of earlier programs never make a step wait")
  func unchanged() {
    var steps = Steps([.constant, .external, .arena(0, count: 64), .arena(64, count: 64)])
    steps.add(reads: [0, 1], writes: [2])
    steps.add(reads: [0, 1], writes: [3])
    #expect(steps.dependencies == [[], []])
  }

  @Test("each variable has separate memory")
  func variables() {
    var steps = Steps(
      [
        .variable("a"), .variable("b"), .variable("a"), .arena(0, count: 64), .arena(64, count: 64),
        .arena(128, count: 64),
      ], variables: [0, 1])
    // A node that reads a variable tensor can write it.
    steps.add(reads: [0], writes: [3])
    steps.add(reads: [1], writes: [4])
    steps.add(reads: [2], writes: [5])
    #expect(steps.dependencies == [[], [], [0]])
  }

  @Test("longer programs run in order")
  func long() {
    var steps = Steps([.arena(0, count: 64)])
    steps.add(reads: [], writes: [], stages: 4097)
    #expect(steps.dependencies == [[]] + (0..<4096).map { [$0] })
  }
}

@Suite("Memory blocks of a program")
struct BlockTableTests {
  private func slot(_ index: Int) -> TensorSlot { TensorSlot(index: index) }

  @Test("live from the first step that accesses them to the last")
  func lifetimes() {
    var blocks = BlockTable(slotCount: 4)
    blocks.place(slot(0), bytes: 10)
    blocks.place(slot(2), bytes: 20)
    blocks.place(slot(0), bytes: 99)
    blocks.extend(slot(0), over: 4...5)
    blocks.extend(slot(0), over: 2...3)
    blocks.extend(slot(3), over: 0...9)
    #expect(
      blocks.requests == [MemoryRequest(bytes: 10, lifetime: 2...5), MemoryRequest(bytes: 20, lifetime: 0...0)])
    blocks.extend(slot(2), to: 7)
    blocks.extend(slot(2), over: 3...4)
    blocks.extend(slot(0), to: 1)
    #expect(
      blocks.requests == [MemoryRequest(bytes: 10, lifetime: 1...5), MemoryRequest(bytes: 20, lifetime: 3...7)])
    #expect(blocks.blockOfSlot == [0, nil, 1, nil])
  }

  @Test("are shared by nested slots")
  func sharing() {
    var blocks = BlockTable(slotCount: 4)
    blocks.place(slot(1), sharing: slot(3), bytes: 8)
    blocks.place(slot(3), bytes: 16)
    blocks.place(slot(0), sharing: slot(3), bytes: 32)
    blocks.extend(slot(1), over: 2...2)
    blocks.extend(slot(0), over: 5...6)
    #expect(blocks.requests == [MemoryRequest(bytes: 8, lifetime: 2...6)])
    #expect(blocks.block(of: slot(0)) == 0 && blocks.block(of: slot(1)) == 0 && blocks.block(of: slot(2)) == nil)
  }
}
