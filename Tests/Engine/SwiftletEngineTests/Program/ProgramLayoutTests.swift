import SwiftletOperators
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

@Suite("Layout of a program")
struct ProgramLayoutTests {
  /// Adds a node with one output.
  private func add(_ kind: BuiltinOperator, _ inputs: [Int], _ shape: [Int] = [16], to graph: inout TestGraph) -> Int {
    let result = graph.tensor(.float32, shape)
    graph.add(kind, inputs, [result])
    return result
  }

  private func lifetimes(_ compiled: CompiledModel) -> [String: ClosedRange<Int>] {
    var lifetimes: [String: ClosedRange<Int>] = [:]
    for block in compiled.arenaOccupancy.blocks {
      lifetimes[block.values.map(compiled.valueName).sorted().joined(separator: " ")] = block.lifetime
    }
    return lifetimes
  }

  @Test("inputs live through the whole program, intermediate values while they are used, and results until the end")
  func lifetimes() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [16]), y = graph.input(.float32, [16])
    var value = x
    var chain: [Int] = []
    for _ in 0..<4 {
      value = add(.neg, [value], to: &graph)
      chain.append(value)
    }
    graph.name(x, "x")
    graph.name(y, "y")
    for (index, value) in chain.enumerated() { graph.name(value, "n\(index)") }
    graph.addOutput(chain[1])
    graph.addOutput(chain[3])
    let compiled = try CompiledModel(try graph.model())
    #expect(lifetimes(compiled) == ["x": 0...3, "y": 0...3, "n0": 0...1, "n1": 1...3, "n2": 2...3, "n3": 3...3])
    #expect(compiled.program.steps.map(\.dependencies) == [[], [0], [1], [2]])
  }

  @Test("a reshape shares the memory of its input, through any number of reshapes")
  func reshapes() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [16])
    func reshape(_ source: Int, _ shape: [Int]) -> Int {
      add(.reshape, [source, graph.constant(shape.map { Int32($0) })], shape, to: &graph)
    }
    let first = reshape(x, [4, 4]), second = reshape(first, [2, 8])
    let sum = add(.add, [second, second], [2, 8], to: &graph), third = reshape(sum, [8, 2])
    let last = add(.neg, [third], [8, 2], to: &graph)
    graph.addOutput(last)
    let compiled = try CompiledModel(try graph.model())
    #expect(compiled.operatorNames == ["ADD", "NEG"])
    #expect(Set(compiled.arenaOccupancy.blocks.map { Set($0.values) }) == [[x, first, second], [sum, third], [last]])
    let values = (0..<16).map { Float($0) }
    #expect(try Session(compiled).run([Tensor(values, shape: [16])])[0].values() == values.map { -2 * $0 })
  }

  @Test(
    "a result that reshapes a caller's input is a copy, and one that reshapes an intermediate value isn't",
    arguments: [true, false])
  func reshapedResults(isOfInput: Bool) throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [4])
    let source = isOfInput ? x : add(.neg, [x], [4], to: &graph)
    let first = add(.reshape, [source, graph.constant([Int32(2), 2])], [2, 2], to: &graph)
    let second = add(.reshape, [first, graph.constant([Int32(1), 4])], [1, 4], to: &graph)
    graph.addOutput(second)
    let compiled = try CompiledModel(try graph.model())
    #expect(compiled.operatorNames == [isOfInput ? "RESHAPE" : "NEG"])
    let session = try Session(compiled)
    try session.withInput(0, as: Float.self) { $0.update(repeating: 3) }
    try session.run()
    try session.withInput(0, as: Float.self) { $0.update(repeating: 0) }
    #expect(
      try session.withOutput(0, as: Float.self) { Array($0) } == [Float](repeating: isOfInput ? 3 : -3, count: 4))
  }

  @Test("a reshape of a variable is a copy, which later changes don't affect")
  func reshapedVariable() throws {
    var graph = TestGraph()
    let state = graph.variable(.float32, [4])
    let copy = add(.reshape, [state, graph.constant([Int32(2), 2])], [2, 2], to: &graph)
    graph.addOutput(copy)
    let compiled = try CompiledModel(try graph.model())
    #expect(compiled.operatorNames == ["RESHAPE"])
    #expect(try Session(compiled).run([])[0].values(as: Float.self) == [0, 0, 0, 0])
  }

  /// Returns a model of sums of two variables of a thousand floats each.
  private func sums(_ limit: Int?) throws -> CompiledModel {
    var graph = TestGraph()
    for _ in 0..<2 {
      let state = graph.variable(.float32, [1000])
      graph.add(
        .sum, [state, graph.constant([Int32(0)])], [graph.output(.float32, [1])],
        options: ReducerOptions.with { [$0.keepDimensions(true)] })
    }
    var options = RuntimeOptions()
    if let limit { options.limits.arenaBytes = limit }
    return try CompiledModel(try graph.model(), options: options)
  }

  @Test("variables take up to the limit together, and not a byte more")
  func variables() throws {
    #expect(try sums(8000).keepsState)
    let error = #expect(throws: RuntimeError.self) { try sums(7999) }
    #expect(error?.code == .limitExceeded)
    #expect(
      error?.message
        == "the model's variables take more bytes than the limit of 7999; raise RuntimeOptions.limits.arenaBytes if this is intended"
    )
  }

  @Test("quantized variables start at their zero point, and others at 0", arguments: [-5, 7] as [Int32])
  func initialBytes(zeroPoint: Int32) throws {
    for (type, first) in [(ElementType.int8, Int8(zeroPoint)), (.uint8, 0)] {
      var graph = TestGraph()
      let state = graph.variable(type, [3], scale: 0.5, zeroPoint: type == .int8 ? zeroPoint : 9)
      graph.add(
        .reshape, [state, graph.constant([Int32(3), 1])],
        [graph.output(type, [3, 1], scale: 0.5, zeroPoint: type == .int8 ? zeroPoint : 9)])
      let result = try graph.session().run([])[0]
      #expect(result.bytes == [UInt8](repeating: UInt8(bitPattern: first), count: 3))
    }
  }

  @Test("work beyond the limit is rejected at the node with the most work")
  func work() throws {
    var graph = TestGraph()
    let small = graph.input(.float32, [10]), large = graph.input(.float32, [1000])
    let first = add(.neg, [small], [10], to: &graph), second = add(.neg, [large], [1000], to: &graph)
    let third = add(.neg, [first], [10], to: &graph)
    graph.addOutput(second)
    graph.addOutput(third)
    let model = try graph.model()
    let whole = try CompiledModel(model).program
    #expect(whole.maximumWork?.operatorIndex == 1)
    #expect(whole.work == whole.nodes.reduce(0) { $0 + $1.work } && whole.work > whole.nodes[1].work)
    var options = RuntimeOptions()
    options.limits.runWork = .nanoseconds(Int64(whole.work.rounded(.up)))
    #expect(throws: Never.self) { try CompiledModel(model, options: options) }
    options.limits.runWork = .nanoseconds(Int64(whole.work.rounded(.down)) - 1)
    let error = #expect(throws: RuntimeError.self) { try CompiledModel(model, options: options) }
    #expect(error?.code == .limitExceeded && error?.location?.operatorIndex == 1)
    #expect(error?.message.hasPrefix("a run would take about 1 seconds") == true)
  }

  @Test("a program may have no steps, and inputs as outputs")
  func empty() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [2])
    graph.addOutput(x)
    let compiled = try CompiledModel(try graph.model())
    #expect(compiled.operatorNames.isEmpty && compiled.program.isComplete && compiled.program.maximumWork == nil)
    #expect(compiled.arenaOccupancy.blocks.isEmpty)
    #expect(try Session(compiled).run([Tensor([Float(1), 2], shape: [2])])[0].values(as: Float.self) == [1, 2])
  }

  @Test("an estimate is the declared work of a stage, or half a nanosecond per byte, plus the cost of a step")
  func estimates() throws {
    var values = ValueSet()
    for shape in [[100], [10], [50]] as [Shape] {
      values.specs.append(TensorSpec(name: "", elementType: .float32, shape: shape))
    }
    let node = Node(location: .init(), number: 1, operation: StubPlain(), inputs: [0, nil, 1], outputs: [2])
    func estimate(_ works: [Double?], multiplyAdds: Int = 0, scratch: Int = 0) throws -> WorkEstimate {
      let memory = SlotAllocator()
      memory.beginNode()
      if scratch > 0 { _ = try memory.scratch(bytes: scratch) }
      let stages = works.map { PreparedOperator.Stage(tileCount: 1, work: $0) { _, _ in } }
      return WorkEstimate(
        PreparedOperator(stages: stages, multiplyAdds: multiplyAdds), node, memory, ValueTable(values))
    }
    // The tensors have 640 bytes, for which 320 are counted, and a stage without an estimate counts 50.
    #expect(try estimate([nil]).stages == [370] && estimate([nil]).total == 370)
    #expect(try estimate([7, nil], scratch: 100).stages == [57, 420])
    #expect(try estimate([7, 8]).total == 115)
    #expect(try estimate([7], multiplyAdds: 100_000).total == 2000)
    #expect(try estimate([7], multiplyAdds: 1000).total == 57)
    #expect(try estimate([]).total == 0)
  }
}
