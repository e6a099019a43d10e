import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

@Suite("Compiled model")
struct CompiledModelTests {
  @Test("lists every unsupported operator in one error")
  func listsUnsupported() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [2])
    let first = graph.tensor(.float32, [2])
    let second = graph.tensor(.float32, [2])
    let third = graph.output(.string, [2])
    graph.add(custom: "Unheard", [x], [first], version: 3)
    graph.add(.add, [first, x], [second], version: 99)
    graph.add(.less, [second, first], [third])
    let model = try graph.model()
    let missing = model.support().unsupportedOperators
    #expect(missing.map(\.name) == ["Unheard", "ADD", "LESS"])
    #expect(missing.map(\.isCustom) == [true, false, false])
    #expect(missing.map(\.index) == [0, 1, 2])
    let error = #expect(throws: RuntimeError.self) { try CompiledModel(model) }
    #expect(error?.code == .unsupportedOperators)
    for part in ["Unheard version 3", "ADD version 99", "float32[2]", "'t0'"] {
      #expect(error?.message.contains(part) == true)
    }
  }

  @Test("folds constants at load and removes unused operators")
  func foldsConstants() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [2])
    let one = graph.constant([Float(1), 2])
    let two = graph.tensor(.float32, [2])
    let unused = graph.tensor(.float32, [2])
    let result = graph.output(.float32, [2])
    graph.add(.add, [one, one], [two])
    graph.add(.add, [x, one], [unused])
    graph.add(.add, [x, two], [result])
    let compiled = try CompiledModel(try graph.model())
    #expect(compiled.operatorNames == ["ADD"])
    let output = try Session(compiled).run([Tensor([Float(10), 20], shape: [2])])
    #expect(try output[0].values(as: Float.self) == [12, 24])
  }

  /// Returns a model that computes x + x, which is an output and the input of further outputs, 4x and 8x.
  private func chainOfOutputs() throws -> Model {
    var graph = TestGraph()
    let x = graph.input(.float32, [2])
    let double = graph.output(.float32, [2])
    let quadruple = graph.output(.float32, [2])
    let octuple = graph.output(.float32, [2])
    graph.add(.add, [x, x], [double])
    graph.add(.add, [double, double], [quadruple])
    graph.add(.add, [quadruple, quadruple], [octuple])
    return try graph.model()
  }

  @Test(
    "removes operators that only unread outputs need",
    arguments: [([], 3), ([2], 2), ([1], 3), ([0, 2], 2), ([1, 2, 7], 1), ([0, 1, 2], 0)] as [(Set<Int>, Int)])
  func skipsUnreadOutputs(unread: Set<Int>, operatorCount: Int) throws {
    let compiled = try CompiledModel(try chainOfOutputs(), unusedOutputs: unread)
    #expect(compiled.operatorNames.count == operatorCount)
    #expect(compiled.outputs.count == 3)
    let session = try Session(compiled)
    for size in [2, 5] {
      let input = try Tensor([Float](repeating: 1, count: size), shape: [size])
      let results = try session.run([input]).map { try $0.values(as: Float.self) }
      let read = [0, 1, 2].filter { !unread.contains($0) }
      #expect(results == read.map { [Float](repeating: [2, 4, 8][$0], count: size) })
    }
    for index in unread where index < 3 {
      let error = #expect(throws: RuntimeError.self) { try session.withOutput(index) { $0.count } }
      #expect(error?.message.contains("unusedOutputs") == true)
    }
  }

  @Test("reshapes share memory, except between a caller's input and a result")
  func sharesMemory() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [4])
    let shape = graph.constant([Int32(2), 2])
    let direct = graph.output(.float32, [2, 2])
    let sum = graph.tensor(.float32, [4])
    let indirect = graph.output(.float32, [2, 2])
    graph.add(.reshape, [x, shape], [direct])
    graph.add(.add, [x, x], [sum])
    graph.add(.reshape, [sum, shape], [indirect])
    let session = try graph.session()
    try session.withInput(0, as: Float.self) { $0.update(repeating: 3) }
    try session.run()
    try session.withInput(0, as: Float.self) { $0.update(repeating: 0) }
    #expect(try session.withOutput(0, as: Float.self) { Array($0) } == [3, 3, 3, 3])
    #expect(try session.withOutput(1, as: Float.self) { Array($0) } == [6, 6, 6, 6])
    #expect(session.model.operatorNames == ["RESHAPE", "ADD"])
  }

  @Test("memory of living tensors never overlaps")
  func plansWithoutOverlap() throws {
    var random = SplitMix64(state: 7)
    for _ in 0..<20 {
      var graph = TestGraph()
      var values = [graph.input(.float32, [16])]
      for _ in 0..<30 {
        let sum = graph.tensor(.float32, [16])
        graph.add(.add, [values.randomElement(using: &random), values.randomElement(using: &random)], [sum])
        values.append(sum)
      }
      graph.addOutput(values[30])
      let program = try CompiledModel(try graph.model()).program
      #expect(program.memoryPlan.firstOverlap(among: program.memoryRequests) == nil)
      for (index, step) in program.steps.enumerated() { #expect(step.dependencies.allSatisfy { $0 < index }) }
    }
  }

  @Test("reports the position and lifetime of tensors in the arena")
  func tellsOccupancy() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [16])
    let square = graph.tensor(.float32, [16])
    let shape = graph.constant([Int32(4), 4])
    let reshaped = graph.tensor(.float32, [4, 4])
    let result = graph.output(.float32, [4, 4])
    graph.add(.mul, [x, x], [square])
    graph.add(.reshape, [square, shape], [reshaped])
    graph.add(.floor, [reshaped], [result])
    let compiled = try CompiledModel(try graph.model())
    let (occupancy, program) = (compiled.arenaOccupancy, compiled.program)
    #expect(occupancy.byteCount == compiled.arenaByteCount && occupancy.deferredOperatorCount == 0)
    #expect(occupancy.operators.map(\.operatorIndex) == [0, 2])
    // The reshaped tensor shares the memory of its input, and the constant is in no block.
    #expect(Set(occupancy.blocks.map(\.values)) == [[x], [square, reshaped], [result]])
    #expect(compiled.valueName(square) == "t1")
    for block in occupancy.blocks {
      let planned = try #require(program.slots[block.values[0]].flatMap { program.blockOfSlot[$0.index] })
      #expect(
        block.offset == program.memoryPlan.offsets[planned] && block.byteCount == program.memoryRequests[planned].bytes)
      let steps = program.memoryRequests[planned].lifetime
      #expect(block.lifetime == program.steps[steps.lowerBound].node...program.steps[steps.upperBound].node)
    }
  }

  @Test("rejects tensors and arenas above the limits")
  func honorsLimits() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [1000])
    let result = graph.output(.float32, [1000])
    graph.add(.add, [x, x], [result])
    var options = RuntimeOptions()
    options.limits.tensorBytes = 3999
    let tensor = #expect(throws: RuntimeError.self) { try CompiledModel(try graph.model(), options: options) }
    #expect(tensor?.code == .limitExceeded)
    options = RuntimeOptions()
    options.limits.arenaBytes = 4100
    let arena = #expect(throws: RuntimeError.self) { try CompiledModel(try graph.model(), options: options) }
    #expect(arena?.code == .limitExceeded)
    options = RuntimeOptions()
    options.limits.operators = 0
    #expect(throws: RuntimeError.self) { try CompiledModel(try graph.model(), options: options) }
  }

  @Test("value-dependent shapes are inferred during the run, and again when the values change")
  func runtimeShapes() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [6])
    let shape = graph.input(.int32, [2])
    let static1 = graph.tensor(.float32, [6])
    let reshaped = graph.tensor(.float32, [1, 6])
    let result = graph.output(.float32, [1, 6])
    graph.add(.reshape, [x, shape], [reshaped])
    graph.add(.add, [x, x], [static1])
    graph.add(.add, [reshaped, reshaped], [result])
    graph.addOutput(static1)
    let session = try graph.session(options: RuntimeOptions(threads: 2))
    #expect(session.model.operatorNames == ["ADD"])
    let values = try Tensor((0..<6).map(Float.init), shape: [6])
    for dimensions in [[2, 3], [6, 1], [-1, 2], [2, 3]] as [[Int32]] {
      let outputs = try session.run([values, Tensor(dimensions, shape: [2])])
      let rows = dimensions[0] == -1 ? 3 : Int(dimensions[0])
      #expect(outputs[0].shape == [rows, 6 / rows])
      #expect(try outputs[0].values(as: Float.self) == (0..<6).map { 2 * Float($0) })
      #expect(outputs[1].shape == [6])
    }
    #expect(throws: RuntimeError.self) { try session.run([values, Tensor([Int32(4), 2], shape: [2])]) }
    #expect(throws: RuntimeError.self) { try session.run([values, Tensor([Int32(-1), -1], shape: [2])]) }
    // The session stays usable.
    #expect(try session.run([values, Tensor([Int32(3), 2], shape: [2])])[0].shape == [3, 2])
  }

  @Test("an unknown signature is rejected with a list of the existing names")
  func unknownSignature() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [1])
    graph.addOutput(x)
    let error = #expect(throws: RuntimeError.self) { try CompiledModel(try graph.model(), signature: "main") }
    #expect(error?.code == .invalidArgument)
  }
}
