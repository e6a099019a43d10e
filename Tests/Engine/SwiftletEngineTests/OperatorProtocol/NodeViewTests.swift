import SwiftletBase
import SwiftletKernels
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

/// A node with all kinds of values around it.
private struct Surroundings {
  var values = ValueSet()
  var inputs: [ValueID?] = []
  var outputs: [ValueID] = []
  var intermediates: [ValueID?] = []
  var runtimeData: [ValueID: [UInt8]] = [:]

  static let place = RuntimeError.Location(subgraph: 0, operatorIndex: 7, operatorName: "OP")

  mutating func value(
    _ type: ElementType, _ shape: Shape = [1], bytes: [UInt8]? = nil, quantization: QuantizationParameters? = nil
  ) -> ValueID {
    let id = values.specs.count
    values.specs.append(TensorSpec(name: "v\(id)", elementType: type, shape: shape, quantization: quantization))
    if let bytes { values.constants[id] = ByteRegion(bytes) }
    return id
  }

  mutating func input(
    _ type: ElementType, _ shape: Shape = [1], bytes: [UInt8]? = nil, quantization: QuantizationParameters? = nil
  ) -> ValueID {
    let id = value(type, shape, bytes: bytes, quantization: quantization)
    inputs.append(id)
    return id
  }

  func table() -> ValueTable {
    let blocks = runtimeData.mapValues { ByteRegion($0) }
    return ValueTable(values) { blocks[$0]?.bytes }
  }

  func view(_ table: ValueTable? = nil) -> NodeView {
    NodeView(
      node: Node(
        location: Self.place, number: 1, operation: StubPlain(), inputs: inputs, outputs: outputs,
        intermediates: intermediates), values: table ?? self.table())
  }

  func error(_ body: (NodeView) throws -> Void) -> RuntimeError? { thrownError { try body(view()) } }
}

@Suite("Node access of operators")
struct NodeViewTests {
  @Test("inputs may be omitted, at the end or in between")
  func inputs() throws {
    var around = Surroundings()
    _ = around.input(.float32, [3])
    around.inputs.append(nil)
    _ = around.input(.int8, [4], bytes: [1, 2, 3, 4])
    around.outputs = [around.value(.bool, [5])]
    let view = around.view()
    #expect(view.inputCount == 3 && view.outputCount == 1)
    #expect((0..<4).map(view.hasInput) == [true, false, true, false])
    #expect((0..<4).map { view.optionalInput($0)?.shape } == [[3], nil, [4], nil])
    #expect((0..<4).map(view.isConstant) == [false, false, true, false])
    #expect((0..<4).map { view.constant($0)?.count } == [nil, nil, 4, nil])
    #expect(try view.input(2).elementType == .int8 && view.output(0).shape == [5])
    for index in [1, 3] {
      let error = around.error { _ = try $0.input(index) }
      #expect(error?.code == .invalidModel && error?.message == "input \(index) is missing")
      #expect(error?.location == Surroundings.place)
      #expect(around.error { _ = try $0.data(index) }?.message == "input \(index) is missing")
    }
    #expect(around.error { _ = try $0.output(1) }?.message == "output 1 is missing")
  }

  @Test("variables, blocks, and intermediates are found by index")
  func kinds() throws {
    var around = Surroundings()
    let plain = around.input(.float32), variable = around.input(.float32), blocks = around.input(.int8, [64])
    around.inputs.append(nil)
    around.values.variables[variable] = .tensor(subgraph: 0, index: 1)
    let scales = around.value(.float16, [2], bytes: [1, 2, 3, 4])
    around.values.blocks[blocks] = BlockQuantization(scales: scales, size: 32, axes: [1])
    around.intermediates = [nil, plain]
    let view = around.view()
    #expect((0..<5).map(view.isVariable) == [false, true, false, false, false])
    #expect((0..<3).map { view.intermediate($0)?.name } == [nil, "v0", nil])
    for index in [0, 1, 3, 4] { #expect(view.blocks(ofInput: index) == nil) }
    let found = try #require(view.blocks(ofInput: 2))
    #expect(found.quantization.size == 32 && found.quantization.axes == [1] && found.scales.shape == [2])
    #expect(found.constant?.count == 4)
    around.values.constants[scales] = nil
    #expect(around.view().blocks(ofInput: 2)?.constant == nil)
  }

  @Test("integers of every type are read up to the last one")
  func integers() throws {
    let cases: [(ElementType, [UInt8], [Int])] = [
      (.int8, [0xFF, 2], [-1, 2]), (.uint8, [0xFF, 2], [255, 2]), (.bool, [1, 0], [1, 0]),
      (.int16, [0xFE, 0xFF, 0, 1], [-2, 256]), (.uint16, [0xFE, 0xFF, 0, 1], [65_534, 256]),
      (.int32, [0xFD, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x7F], [-3, 0x7F00_0000]),
      (.uint32, [0xFD, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x7F], [0xFFFF_FFFD, 0x7F00_0000]),
      (.int64, [UInt8](repeating: 0xFF, count: 8) + [7, 0, 0, 0, 0, 0, 0, 0], [-1, 7]),
      (.uint64, [UInt8](repeating: 0xFF, count: 8) + [7, 0, 0, 0, 0, 0, 0, 0], [.max, 7]),
    ]
    for (type, bytes, expected) in cases {
      var around = Surroundings()
      _ = around.input(type, [2], bytes: bytes)
      #expect(try around.view().integers(0) == expected, "\(type.name)")
    }
    var floats = Surroundings()
    _ = floats.input(.float32, [1], bytes: [0, 0, 0, 0])
    #expect(floats.error { _ = try $0.integers(0) }?.message == "input 0 'v0' float32[1] must contain integers")
  }

  @Test("integers are read up to a limit, and a single one if required")
  func integerCounts() throws {
    var around = Surroundings()
    _ = around.input(.int8, [1024], bytes: [UInt8](repeating: 1, count: 1024))
    _ = around.input(.int8, [1025], bytes: [UInt8](repeating: 1, count: 1025))
    _ = around.input(.int8, [1, 1], bytes: [9])
    _ = around.input(.int8, [2], bytes: [1, 2])
    _ = around.input(.int8, [0], bytes: [])
    let view = around.view()
    #expect(try view.integers(0).count == 1024 && view.integers(1, atMost: 1025).count == 1025)
    #expect(
      around.error { _ = try $0.integers(1) }?.message
        == "input 1 'v1' int8[1025] must contain at most 1024 integers")
    #expect(around.error { _ = try $0.integers(3, atMost: 1) } != nil)
    #expect(try view.integer(2) == 9 && view.integers(4).isEmpty)
    for index in [3, 4] {
      #expect(around.error { _ = try $0.integer(index) }?.message.hasSuffix("must contain one element") == true)
    }
  }

  @Test("values known only at run time are read later")
  func runtimeValues() throws {
    var around = Surroundings()
    let known = around.input(.int8, [2]), variable = around.input(.int8, [2]), resource = around.input(.resource, [])
    _ = around.input(.int8, [2])
    around.runtimeData = [known: [4, 5], variable: [6, 7], resource: [8]]
    around.values.variables[variable] = .tensor(subgraph: 0, index: 1)
    around.values.resources[resource] = .numbered(3, types: [])
    let table = around.table(), view = around.view(table)
    #expect(try view.integers(0) == [4, 5] && view.integers(1) == [6, 7] && view.data(2).count == 1)
    #expect(throws: DataDependence.self) { try view.integers(3) }
    table.changedStates.set(.tensor(subgraph: 0, index: 1), to: true)
    #expect(throws: DataDependence.self) { try view.data(1) }
    #expect(try view.data(2).count == 1)
    table.changedStates.set(.numbered(3, types: []), to: true)
    #expect(throws: DataDependence.self) { try view.data(2) }
  }

  @Test("reading many values is work")
  func readingWork() throws {
    var around = Surroundings()
    _ = around.input(.int8, [1 << 16], bytes: [UInt8](repeating: 0, count: 1 << 16))
    _ = around.input(.int8, [1 << 16 + 1], bytes: [UInt8](repeating: 0, count: 1 << 16 + 1))
    let table = around.table()
    table.budget = RunBudget(.load, limit: .nanoseconds(1 << 16))
    let view = around.view(table)
    for _ in 0..<3 { _ = try view.data(0) }
    let error: RuntimeError? = thrownError { try view.data(1) }
    #expect(error?.code == .limitExceeded && error?.location == Surroundings.place)
    table.budget = RunBudget(.load, limit: .nanoseconds(1 << 16 + 1))
    _ = try view.data(1)
  }

  @Test("one scale and zero point are required, finite and positive")
  func quantization() throws {
    var around = Surroundings()
    _ = around.input(.int8, quantization: QuantizationParameters(scale: 0.5, zeroPoint: -4))
    _ = around.input(.int8)
    _ = around.input(.int8, quantization: QuantizationParameters(scales: [1, 2], zeroPoints: [0, 0]))
    for scale in [0, -1, Float.infinity, .nan] {
      _ = around.input(.int8, quantization: QuantizationParameters(scale: scale, zeroPoint: 0))
    }
    _ = around.input(.int8, quantization: QuantizationParameters(scales: [], zeroPoints: []))
    around.outputs = [around.value(.int8, quantization: QuantizationParameters(scale: 2, zeroPoint: 3)), 1]
    let view = around.view()
    #expect(try view.inputQuantization(0) == (0.5, -4) && view.outputQuantization(0) == (2, 3))
    func message(_ index: Int) -> String? { around.error { _ = try $0.inputQuantization(index) }?.message }
    #expect(message(1) == "input 1 'v1' int8[1] has no quantization parameters" && message(7) != nil)
    #expect(message(2) == "input 2 'v2' int8[1] is quantized per channel, but the operator requires one scale")
    #expect(message(3) == "input 3 'v3' int8[1] has scale 0.0; it must be positive")
    for index in 4...6 { #expect(message(index)?.hasSuffix("it must be positive") == true) }
    #expect(
      around.error { _ = try $0.outputQuantization(1) }?.message
        == "output 1 'v1' int8[1] has no quantization parameters")
  }

  @Test("outputs must have the shapes that the current values give")
  func requiredOutputs() throws {
    var around = Surroundings()
    around.outputs = [around.value(.int8, [2]), around.value(.int8, [3])]
    try around.view().requireOutputs([[2], [3]])
    let error = around.error { try $0.requireOutputs([[2], [4]]) }
    #expect(error?.message == "returns [4] for output 1 'v1' int8[3], because values of its inputs have changed")
    #expect(around.error { try $0.requireOutputs([[1], [3]]) } != nil)
    #expect(around.error { try $0.requireOutputs([[2], [3], [1]]) }?.message == "output 2 is missing")
  }

  // MARK: Preparing

  @Test("slots, resources, and constants are requested by input, and missing ones are rejected")
  func prepareContext() throws {
    var around = Surroundings()
    _ = around.input(.float32)
    around.inputs.append(nil)
    let handle = around.input(.resource, [])
    _ = around.input(.int8, [3], bytes: [7, 8, 9])
    around.values.resources[handle] = .resource(container: "c", name: "n")
    around.outputs = [around.value(.float32)]
    let memory = SlotAllocator(), packed = PackedConstants(byteLimit: 1000)
    let context = PrepareContext(
      node: around.view(), options: RuntimeOptions(threads: 3), kernels: .current, memory: memory,
      packing: PackingBatch(packed))
    #expect(try context.inputSlot(0).index == 0 && context.outputSlot(0).index == 1 && context.inputSlot(2).index == 2)
    #expect(context.optionalInputSlot(1) == nil && context.optionalInputSlot(4) == nil && context.options.threads == 3)
    #expect(try context.resource(ofInput: 2) == .resource(container: "c", name: "n"))
    func message(_ body: () throws -> Void) -> String? { (thrownError(body) as RuntimeError?)?.message }
    #expect(message { _ = try context.inputSlot(1) } == "input 1 is missing")
    #expect(message { _ = try context.outputSlot(1) } == "output 1 is missing")
    for index in [0, 1, 4] {
      #expect(
        message { _ = try context.resource(ofInput: index) }
          == "input \(index) does not come from a VAR_HANDLE operator of the same subgraph")
      #expect(
        message { _ = try context.packed(input: index, layout: PackedLayout("x")) { _ in AlignedBytes(zeroed: 1) } }
          == "input \(index) must be constant")
    }
    var calls = 0
    for _ in 0..<2 {
      let block = try context.packed(input: 3, layout: PackedLayout("turned", [3])) { source in
        calls += 1
        return AlignedBytes(copying: source.reversed())
      }
      #expect(block.bytes.map { $0 } == [9, 8, 7])
    }
    #expect(calls == 1)
    context.requireSlack(behind: try context.inputSlot(3))
    #expect(memory.slack.elements == [3])
    context.requireWorkerScratch(bytes: 12)
    #expect(memory.workerScratchBytes == 12 && context.takeTable(bytes: 5, atMost: 5))
    #expect(!context.takeTable(bytes: 1, atMost: 5))
    context.usesWindow(height: 2, width: 3)
    context.uses("sum", .none)
    #expect("\(memory.currentImplementation)" == "sum 2×3")
  }
}

@Suite("Node access of operator parsers")
struct NodeReaderTests {
  private let place = RuntimeError.Location(subgraph: 1, operatorIndex: 2, operatorName: "REDUCE")

  private func tensor(_ type: ElementType) -> TensorDescription { TensorDescription(name: "t", type: type, shape: [1]) }

  private func description(
    inputs: [Int?], outputs: [Int], options: OptionsTable = .absent, kind: BuiltinOperator = .add, version: Int = 1
  ) -> OperatorDescription {
    OperatorDescription(
      code: OperatorCode(kind: .builtin(kind), version: version), inputs: inputs, outputs: outputs, options: options)
  }

  private func message(_ body: () throws -> Void) -> String? {
    let error: RuntimeError? = thrownError(body)
    if let error { #expect(error.code == .invalidModel && error.location == place) }
    return error?.message
  }

  @Test("the number of inputs and outputs is checked at both ends")
  func counts() throws {
    func reader(_ inputs: Int, _ outputs: Int) -> NodeReader {
      NodeReader(
        location: place,
        description: description(
          inputs: [Int?](repeating: nil, count: inputs), outputs: [Int](repeating: 0, count: outputs), version: 5))
    }
    #expect(reader(2, 1).version == 5 && reader(2, 1).inputCount == 2 && reader(2, 3).outputCount == 3)
    for count in 2...3 { try reader(count, 1).require(inputs: 2...3) }
    try reader(1, 4).require(inputs: 1...1, outputs: 4...5)
    #expect(message { try reader(1, 1).require(inputs: 2...3) } == "takes 2 to 3 inputs, but the model has 1")
    #expect(message { try reader(4, 1).require(inputs: 2...3) } == "takes 2 to 3 inputs, but the model has 4")
    #expect(message { try reader(4, 1).require(inputs: 2...2) } == "takes 2 inputs, but the model has 4")
    #expect(message { try reader(2, 2).require(inputs: 2...2) } == "has 1 outputs, but the model has 2")
    #expect(message { try reader(2, 0).require(inputs: 2...2) } == "has 1 outputs, but the model has 0")
    #expect(
      message { try reader(2, 6).require(inputs: 2...2, outputs: 4...5) } == "has 4 to 5 outputs, but the model has 6")
  }

  // MARK: Reducer subgraphs

  /// Returns a reader in subgraph 1 of a model whose subgraph 0 is `reducer`.
  private func reader(_ reducer: Subgraph, inputType: ElementType = .float32) -> NodeReader {
    let own = Subgraph(tensors: [tensor(inputType)], inputs: [0], outputs: [0], operators: [])
    return NodeReader(
      location: place, description: description(inputs: [0], outputs: [0]), subgraphs: [reducer, own])
  }

  private func reducer(
    _ operators: [(inputs: [Int?], outputs: [Int])], inputs: [Int] = [0, 1], outputs: [Int] = [2],
    types: [ElementType] = [.float32, .float32, .float32]
  ) -> Subgraph {
    Subgraph(
      tensors: types.map(tensor), inputs: inputs, outputs: outputs,
      operators: operators.map { description(inputs: $0.inputs, outputs: $0.outputs, kind: .maximum) })
  }

  @Test("a subgraph must exist")
  func subgraphs() throws {
    let reader = reader(reducer([]))
    #expect(try reader.subgraph(0) == 0 && reader.subgraph(1) == 1)
    #expect(message { _ = try reader.subgraph(2) } == "names subgraph 2, the model has 2")
    #expect(message { _ = try reader.subgraph(-1) } == "names subgraph -1, the model has 2")
  }

  @Test("a reducer is a single operator on the two inputs in any order, or returns the second input")
  func operations() throws {
    for order in [[0, 1], [1, 0]] as [[Int?]] {
      #expect(try reader(reducer([(order, [2])])).operation(ofSubgraph: 0) == .builtin(.maximum))
    }
    #expect(try reader(reducer([], outputs: [1])).operation(ofSubgraph: 0) == nil)
  }

  @Test("subgraphs that do anything else are rejected")
  func refusedOperations() {
    func refusal(_ subgraph: Subgraph, _ type: ElementType = .float32) -> String? {
      message { _ = try reader(subgraph, inputType: type).operation(ofSubgraph: 0) }
    }
    #expect(
      refusal(reducer([([0, 1], [2]), ([0, 1], [2])]))
        == "combines numbers by the 2 operators of subgraph 0, but it supports only one")
    let counts = "which has 3 inputs and 1 outputs; it must have two inputs and one output"
    #expect(refusal(reducer([([0, 1], [2])], inputs: [0, 1, 1]))?.hasSuffix(counts) == true)
    #expect(refusal(reducer([([0, 1], [2])], inputs: [0])) != nil)
    #expect(refusal(reducer([([0, 1], [2])], outputs: [2, 2])) != nil && refusal(reducer([], outputs: [])) != nil)
    #expect(
      refusal(reducer([], outputs: [0]))
        == "writes the results of subgraph 0, which returns a tensor other than its second input")
    let others = "combines numbers by subgraph 0, whose operator must read both inputs and write the output"
    for (inputs, outputs) in [([0, 0], [2]), ([0], [2]), ([0, 1, 1], [2]), ([0, 1], [1])] as [([Int?], [Int])] {
      #expect(refusal(reducer([(inputs, outputs)])) == others)
    }
    for place in 0..<3 {
      var types: [ElementType] = [.float32, .float32, .float32]
      types[place] = .int32
      #expect(
        refusal(reducer([([0, 1], [2])], types: types))
          == "combines numbers of type float32 by subgraph 0, which reads or returns int32")
    }
    #expect(
      refusal(reducer([([0, 1], [2])]), .int8)
        == "combines numbers of type int8 by subgraph 0, which reads or returns float32")
  }

  @Test("index types are int32 or int64 if there are options")
  func indexTypes() throws {
    func reader(_ code: Int?) throws -> NodeReader {
      var graph = TestGraph()
      let options = code.map { code in ArgMaxOptions.with { [$0.outputType(code: code)] } }
      graph.add(.argMax, [graph.input(.float32, [1])], [graph.output(.int32, [1])], options: options)
      let file = try ModelFile(ByteRegion(TestGraph.bytes([graph])))
      return NodeReader(location: place, description: file.subgraphs[0].operators[0])
    }
    for code in [2, 4, nil] { try reader(code).requireIndexType(field: ArgMaxOptions.outputType) }
    for code in [0, 3, 5, 77] {
      let words = message { try reader(code).requireIndexType(field: ArgMaxOptions.outputType) }
      #expect(words == "the option for the type of its output must be int32 (2) or int64 (4), got \(code)")
    }
  }
}
