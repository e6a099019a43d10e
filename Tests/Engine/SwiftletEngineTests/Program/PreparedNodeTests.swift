import SwiftletKernels
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

@Suite("Prepared nodes")
struct PreparedNodeTests {
  /// An operator with one tile that requests worker scratch.
  private struct Working: StubOperator {
    var scratch = 0
    var isPure = true

    func prepare(_ context: PrepareContext) throws -> PreparedOperator {
      context.requireWorkerScratch(bytes: scratch)
      return PreparedOperator(tiles: 3) { _, _ in }
    }
  }

  private func prepared(
    _ operation: any Operator, outputs: [Shape] = [[2]], isVariable: Bool = false, limit: Int = 1 << 20
  ) throws -> Int {
    var graph = PassGraph()
    let input = graph.value()
    if isVariable { graph.makeVariable(input) }
    let results = outputs.map { graph.value(.float32, $0) }
    graph.add("work", operation, [input, nil], results)
    var options = RuntimeOptions()
    options.limits.tensorBytes = limit
    let packed = PackedConstants(byteLimit: 0)
    let compiler = ProgramCompiler(
      options: options, kernels: .current, packed: packed, budget: RunBudget(.load, limit: .seconds(1)),
      memory: MemoryBudget(limit: .max))
    let table = ValueTable(graph.values)
    return try compiler.prepare(graph.nodes[0], table, SlotAllocator(), PackingBatch(packed)).stages.count
  }

  @Test("nothing runs for outputs without elements, unless a node has effects")
  func empty() throws {
    #expect(try prepared(Working()) == 1 && prepared(Working(), outputs: [[2], [0]]) == 1)
    #expect(try prepared(Working(), outputs: [[0]]) == 0 && prepared(Working(), outputs: [[0], [3, 0]]) == 0)
    #expect(try prepared(Working(isPure: false), outputs: [[0]]) == 1)
    #expect(try prepared(Working(), outputs: [[0]], isVariable: true) == 1)
    #expect(try prepared(Working(), outputs: []) == 1)
  }

  @Test("each worker may have the maximum size of a tensor, and not a byte more")
  func workerScratch() throws {
    #expect(try prepared(Working(scratch: 100), limit: 100) == 1)
    let error: RuntimeError? = thrownError { try prepared(Working(scratch: 101), limit: 100) }
    #expect(error?.code == .limitExceeded && error?.location?.operatorName == "work")
    #expect(
      error?.message
        == "every thread needs 101 bytes for it, above the limit of 100; raise RuntimeOptions.limits.tensorBytes if this is intended"
    )
  }

  @Test("errors of an operator name its node, unless they have their own location")
  func locations() {
    struct Broken: StubOperator {
      var place: RuntimeError.Location?
      func prepare(_ context: PrepareContext) throws -> PreparedOperator {
        throw RuntimeError(.invalidModel, "is broken", location: place)
      }
    }
    let own: RuntimeError? = thrownError { try prepared(Broken()) }
    #expect(own?.location == .init(subgraph: 0, operatorIndex: 0, operatorName: "work"))
    let other: RuntimeError? = thrownError { try prepared(Broken(place: .init(tensor: "t"))) }
    #expect(other?.location == .init(tensor: "t"))
  }
}
