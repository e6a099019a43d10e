import SwiftletBase
import SwiftletSchema
import Testing

@testable import SwiftletEngine

@Suite("Parts of checked mode")
struct CheckedPartsTests {
  private func options(turn: Int = 0, arenaBytes: Int = 1 << 20) -> RuntimeOptions {
    var options = RuntimeOptions(isChecked: true)
    options.checkedTurn = turn
    options.limits.arenaBytes = arenaBytes
    return options
  }

  private func endsAtPage(_ pages: GuardedPages) -> Bool {
    (Int(bitPattern: pages.bytes.baseAddress) + pages.bytes.count) % 4096 == 0
  }

  @Test("adjacent blocks are at opposite ends of their pages, and a block alternates between consecutive runs")
  func sides() throws {
    for (number, turn, isAtEnd) in [(0, 0, true), (1, 0, false), (0, 1, false), (1, 1, true), (2, 0, true)] {
      let pages = try CheckedMemory.made(64, alignment: 64, number: number, turn: turn)
      #expect(endsAtPage(pages) == isAtEnd, "\(number) in turn \(turn)")
      #expect(pages.bytes.count == 64 && pages.bytes.allSatisfy { $0 == 0 })
    }
    let memory = CheckedMemory(turn: 1)
    let blocks = try [memory.scratch(64), memory.scratch(64), try #require(memory.pages(64))]
    #expect(blocks.map { $0.rights == .readWrite } == [false, false, true])
    #expect(memory.nowhere?.bytes.count == 0 && memory.turn == 1)
    for block in blocks {
      #expect(memory.block(at: try #require(block.bytes.baseAddress)) === block)
    }
  }

  @Test("stale contents are overwritten with a NaN pattern that differs for every step")
  func patterns() throws {
    for (turn, byte) in [(0, 0x7F), (1, 0xFF), (2, 0x7F)] as [(Int, UInt8)] {
      let pages = try CheckedMemory.made(5, alignment: 1, number: 0, turn: turn)
      pages.spoil()
      #expect(pages.bytes.allSatisfy { $0 == byte })
    }
  }

  @Test("memory is inaccessible during other steps, and memory without an owner is accessible again afterward")
  func rights() throws {
    let memory = CheckedMemory(turn: 0)
    let tensor = try memory.tensor(8, alignment: 4), loose = try #require(memory.pages(8))
    #expect(tensor.rights == .none && loose.rights == .readWrite)
    memory.open(tensor, forWriting: false)
    #expect(tensor.rights == .read)
    try memory.closeAll()
    #expect(tensor.rights == .none && loose.rights == .none)
    memory.reopen()
    #expect(tensor.rights == .none && loose.rights == .readWrite)
    memory.open(tensor, forWriting: true)
    #expect(tensor.rights == .readWrite)
    memory.open(tensor, forWriting: false)
    #expect(tensor.rights == .readWrite)
    try memory.closeAll()
    #expect(tensor.rights == .none)
  }

  @Test("constants are copied up to the limit, aligned only for their elements, and made read-only at the end")
  func constants() throws {
    let constants = CheckedConstants(options(arenaBytes: 12))
    let source = [UInt8](1...12)
    let copy = try source.withUnsafeBytes {
      try constants.copy(UnsafeRawBufferPointer(rebasing: $0[..<8]), elementWidth: 4)
    }
    #expect(copy.array == [1, 2, 3, 4, 5, 6, 7, 8])
    let pages = try #require(copy.owner as? GuardedPages)
    #expect(pages.rights == .readWrite && endsAtPage(pages))
    let rest = try source.withUnsafeBytes {
      try constants.copy(UnsafeRawBufferPointer(rebasing: $0[8...]), elementWidth: 1)
    }
    #expect(rest.array == [9, 10, 11, 12])
    let error = #expect(throws: RuntimeError.self) {
      try source.withUnsafeBytes { try constants.copy(UnsafeRawBufferPointer(rebasing: $0[..<1]), elementWidth: 1) }
    }
    #expect(error?.code == .limitExceeded)
    #expect(
      error?.message
        == "constants take more than the limit of bytes when checked mode copies them; raise RuntimeOptions.limits.arenaBytes if this is intended"
    )
    try constants.freeze()
    #expect(pages.rights == .read)
    let later = try #require(constants.pages(3))
    #expect(later.rights == .readWrite && later.bytes.count == 3)
  }

  @Test(
    "alignment is the largest power of two in a width",
    arguments: [(0, 1), (1, 1), (2, 2), (3, 1), (4, 4), (6, 2), (8, 8), (12, 4), (16, 16)] as [(Int, Int)])
  func alignment(width: Int, expected: Int) {
    #expect(CheckedConstants.alignment(ofElements: width) == expected && CheckedConstants.alignment == 64)
  }

  @Test("the constants of a graph and of the graphs that it calls are copied")
  func graphs() throws {
    func graph(_ bytes: [UInt8], callee: Graph? = nil) -> Graph {
      var values = ValueSet()
      values.specs = [
        TensorSpec(name: "", elementType: .int8, shape: [2]), TensorSpec(name: "", elementType: .int8, shape: [2]),
      ]
      values.constants[1] = ByteRegion(bytes)
      var graph = Graph(values: values, nodes: [], inputs: [], outputs: [], initializationSubgraphs: [])
      if let callee { graph.callees[3] = callee }
      return graph
    }
    let copy = try CheckedConstants(options()).copied(graph([1, 2], callee: graph([3, 4])))
    let inner = try #require(copy.callees[3])
    for (constant, bytes) in [(copy.values.constants[1], [1, 2]), (inner.values.constants[1], [3, 4])]
      as [(ByteRegion?, [UInt8])]
    {
      #expect(constant?.array == bytes && constant?.owner is GuardedPages)
    }
    #expect(copy.values.constants[0] == nil)
  }

  // MARK: Steps

  @Test("a step can access the memory of its stage, or the requests of its node")
  func plans() throws {
    let slots = (0..<6).map(TensorSlot.init(index:))
    let memory = SlotAllocator()
    for value in 0..<4 { _ = memory.slot(of: value) }
    memory.beginNode()
    _ = try memory.scratch(bytes: 4)
    _ = memory.slot(of: 0)
    _ = memory.slot(of: 2)
    memory.requireWorkerScratch(bytes: 24)
    var values = ValueSet()
    for _ in 0..<4 { values.specs.append(TensorSpec(name: "", elementType: .int8, shape: [1])) }
    let node = Node(location: .init(), number: 1, operation: StubPlain(), inputs: [0, 1], outputs: [2, 3])
    let access = NodeAccess(node, steps: 0..<2, memory, ValueTable(values))
    let plain = PreparedOperator.Stage(tileCount: 1) { _, _ in }
    let plan = CheckedPlan(
      [plain, plain.touching(reads: [slots[1]], writes: [slots[3]])], accesses: [access], inputs: BitSet([0]),
      kept: BitSet([2]), slack: BitSet([5]))
    #expect(plan.steps.map(\.reads) == [[slots[0]], [slots[1]]])
    #expect(plan.steps.map(\.writes) == [[slots[2], slots[4]], [slots[3]]])
    #expect(plan.steps.map(\.fresh) == [[slots[2], slots[3], slots[4]], []])
    #expect(plan.steps.map(\.workerScratchBytes) == [24, 24])
    #expect(plan.inputs.elements == [0] && plan.kept.elements == [2] && plan.slack.elements == [5])
  }

  @Test("a step's outputs are overwritten before it runs, its inputs are not, and all become inaccessible after it")
  func steps() throws {
    let memory = CheckedMemory(turn: 0)
    let input = try memory.tensor(4, alignment: 4), output = try memory.tensor(4, alignment: 4)
    let state = try memory.tensor(4, alignment: 4)
    for (pages, byte) in [(input, 1), (output, 2), (state, 3)] as [(GuardedPages, UInt8)] {
      #expect(pages.allow(.readWrite))
      pages.bytes.initializeMemory(as: UInt8.self, repeating: byte)
    }
    let seen = Seen()
    let stage = PreparedOperator.Stage(tileCount: 3) { context, tile in
      seen.tiles.append(tile)
      if tile == seen.tiles[0] { seen.bytes = (0..<3).map { context.pointers[$0].load(as: UInt8.self) } }
      seen.bytes.append(context.workerScratch.load(as: UInt8.self))
      context.workerScratch.storeBytes(of: 9, as: UInt8.self)
    }
    let scratch = try memory.scratch(16)
    let step = CheckedStep(
      stage: stage, location: .init(operatorIndex: 12, operatorName: "NEG"), reads: [input], writes: [output, state],
      fresh: [output], workerScratch: scratch)
    var pointers = [input, output, state].compactMap(\.bytes.baseAddress)
    var looks = 0
    try pointers.withUnsafeMutableBufferPointer { table in
      let start = UnsafePointer(try #require(table.baseAddress))
      try step.run(start, nowhere: table[0], seed: 5) { looks += 1 }
    }
    // Worker scratch is overwritten before every tile.
    #expect(seen.bytes == [1, 0x7F, 3, 0x7F, 0x7F, 0x7F] && seen.tiles.sorted() == [0, 1, 2] && looks == 3)
    #expect([input, output, state, scratch].allSatisfy { $0.rights == .none })
  }

  private final class Seen: @unchecked Sendable {
    var tiles: [Int] = []
    var bytes: [UInt8] = []
  }

  // MARK: Reports

  /// Runs in a process of its own, because other runs in checked mode write the same text.
  @Test("a report names the operator in printable characters, or none between operators")
  func report() async {
    await #expect(processExitsWith: .success) {
      func text() -> String { String(cString: CheckedReport.text) }
      precondition(text().isEmpty)
      CheckedReport.begin(.init(operatorIndex: 12, operatorName: "CONV~2D é\u{1B}\u{7F}"))
      precondition(text() == "operator 12 CONV~2D ????")
      CheckedReport.begin(.init())
      precondition(text() == "operator  unknown")
      CheckedReport.begin(.init(operatorIndex: 1, operatorName: String(repeating: "x", count: 500)))
      precondition(text() == "operator 1 " + String(repeating: "x", count: 148))
      CheckedReport.end()
      precondition(text().isEmpty)
    }
  }

  @Test("tile orders are reproducible for a seed, and shuffled")
  func orders() {
    #expect(
      CheckedStep.order(of: 1, seed: 3) == [0]
        && CheckedStep.order(of: 50, seed: 3) == CheckedStep.order(of: 50, seed: 3))
    #expect(Set((0..<40).map { CheckedStep.order(of: 2, seed: $0) }) == [[0, 1], [1, 0]])
    let firsts = Set((0..<200).map { CheckedStep.order(of: 5, seed: $0)[0] })
    let lasts = Set((0..<200).map { CheckedStep.order(of: 5, seed: $0)[4] })
    #expect(firsts == [0, 1, 2, 3, 4] && lasts == [0, 1, 2, 3, 4])
  }

  @Test("blocks are found among many released blocks")
  func manyBlocks() throws {
    let memory = CheckedMemory(turn: 0)
    let kept = try memory.scratch(8)
    for _ in 0..<600 { _ = try memory.scratch(8) }
    let last = try memory.scratch(8), loose = try #require(memory.pages(8))
    for block in [kept, last, loose] {
      #expect(memory.block(at: try #require(block.bytes.baseAddress)) === block)
    }
    try memory.closeAll()
    #expect(loose.rights == .none)
  }
}
