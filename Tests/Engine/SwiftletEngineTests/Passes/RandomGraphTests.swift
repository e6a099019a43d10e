import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

@Suite("Passes over random graphs")
struct RandomGraphTests {
  private func results(_ model: Model, _ inputs: [Tensor], _ options: RuntimeOptions) throws -> ([Tensor], Int) {
    let compiled = try CompiledModel(model, options: options)
    return (try Session(compiled).run(inputs), compiled.operatorNames.count)
  }

  /// Returns the results with and without passes, and the number of nodes that run.
  private func bothResults(seed: Int, numerics: Numerics) throws -> (
    with: [Tensor], without: [Tensor], nodes: (with: Int, without: Int)
  ) {
    var graph = try RandomGraph(seed: seed, nodes: 5 + seed * 7 % 36, rounds: numerics == .bitExact)
    let model = try graph.model()
    var options = RuntimeOptions(threads: 1 + seed % 2, numerics: numerics)
    let with = try results(model, graph.inputs, options)
    options.runsPasses = false
    let without = try results(model, graph.inputs, options)
    return (with.0, without.0, (with.1, without.1))
  }

  @Test("keep every bit of the results in bit-exact numerics", arguments: 0..<24)
  func bitExact(seed: Int) throws {
    let (with, without, nodes) = try bothResults(seed: seed, numerics: .bitExact)
    #expect(with.count == without.count && nodes.with <= nodes.without)
    for (result, expected) in zip(with, without) {
      #expect(result.shape == expected.shape)
      guard result.elementType == .float32 else {
        #expect(result == expected)
        continue
      }
      // The sign of zeros can differ.
      #expect(try result.values(as: Float.self) == expected.values(as: Float.self))
    }
  }

  @Test("keep the results up to rounding in fast numerics", arguments: 100..<124)
  func fast(seed: Int) throws {
    let (with, without, nodes) = try bothResults(seed: seed, numerics: .fast)
    #expect(with.count == without.count && nodes.with <= nodes.without)
    for (result, expected) in zip(with, without) {
      #expect(result.shape == expected.shape)
      guard result.elementType == .float32 else {
        #expect(result == expected)
        continue
      }
      let values = try (result.values(as: Float.self), expected.values(as: Float.self))
      let largest = values.1.reduce(1) { max($0, abs($1)) }
      let error = zip(values.0, values.1).reduce(0) { max($0, abs($1.0 - $1.1)) }
      #expect(error <= 1e-4 * largest)
    }
  }

  @Test("apply often")
  func doMuch() throws {
    let nodes = try (200..<212).map { try bothResults(seed: $0, numerics: .fast).nodes }
    let (with, without) = (nodes.reduce(0) { $0 + $1.with }, nodes.reduce(0) { $0 + $1.without })
    #expect(with < without * 3 / 4)
  }

  @Test("give the same results in checked mode and with any number of threads", arguments: 300..<308)
  func checked(seed: Int) throws {
    var graph = try RandomGraph(seed: seed, nodes: 6 + seed % 5 * 4, rounds: true)
    let model = try graph.model(), inputs = graph.inputs
    let expected = try results(model, inputs, RuntimeOptions()).0
    for turn in 0..<2 {
      var options = RuntimeOptions(threads: 1 + turn, isChecked: true)
      options.checkedTurn = turn
      #expect(try results(model, inputs, options).0 == expected)
    }
    #expect(try results(model, inputs, RuntimeOptions(threads: 3)).0 == expected)
  }

  @Test("steps that access the same bytes depend on each other, directly or transitively", arguments: 400..<412)
  func dependencies(seed: Int) throws {
    var graph = try RandomGraph(seed: seed, nodes: 12 + seed % 20, rounds: true)
    // The plan of checked mode lists the tensors that each step accesses.
    let program = try CompiledModel(try graph.model(), options: RuntimeOptions(isChecked: true)).program
    let plan = try #require(program.checked)
    #expect(program.memoryPlan.firstOverlap(among: program.memoryRequests) == nil)
    func bytes(_ slots: [TensorSlot]) -> [Range<Int>] {
      slots.compactMap { slot in
        guard case .arena(let offset) = program.locations[slot.index], let block = program.blockOfSlot[slot.index]
        else {
          return nil
        }
        return offset..<offset + program.memoryRequests[block].bytes
      }
    }
    var reached: [Set<Int>] = []
    for (index, step) in program.steps.enumerated() {
      reached.append(step.dependencies.reduce(into: Set(step.dependencies)) { $0.formUnion(reached[$1]) })
      let own = (reads: bytes(plan.steps[index].reads), writes: bytes(plan.steps[index].writes))
      for other in 0..<index {
        let reads = bytes(plan.steps[other].reads), writes = bytes(plan.steps[other].writes)
        let isShared =
          own.writes.contains { range in (reads + writes).contains { $0.overlaps(range) } }
          || own.reads.contains { range in writes.contains { $0.overlaps(range) } }
        #expect(!isShared || reached[index].contains(other), "step \(index) after \(other)")
      }
      #expect(step.dependencies.allSatisfy { !reached[$0].contains(index) && $0 < index })
    }
  }
}
