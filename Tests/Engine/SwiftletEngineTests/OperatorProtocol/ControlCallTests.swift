import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

@Suite("Calls of control operators")
struct ControlCallTests {
  private let place = RuntimeError.Location(operatorIndex: 6, operatorName: "WHILE")

  private func view(_ type: ElementType, _ shape: Shape, _ bytes: [UInt8]) -> TensorView {
    let block = AlignedBytes(copying: bytes)
    return TensorView(spec: TensorSpec(name: "v", elementType: type, shape: shape), memory: block.bytes, owner: block)
  }

  private func call(
    inputs: [TensorView?] = [], outputs: [TensorSpec] = [], work: Duration = .seconds(1), memory: Int = 10_000,
    strings: StringPool = StringPool(byteLimit: 1000), limits: (inout RuntimeOptions.Limits) -> Void = { _ in }
  ) -> ControlCall {
    var options = RuntimeOptions.Limits()
    limits(&options)
    return ControlCall(
      inputs: inputs, outputs: outputs, location: place, limits: options,
      memory: SessionMemory(MemoryBudget(limit: memory)), budget: RunBudget(.run, limit: work), strings: strings
    ) { _, _, _ in [] }
  }

  @Test("a condition is one boolean")
  func condition() throws {
    #expect(try view(.bool, [1], [1]).condition(place) && view(.bool, [], [2]).condition(place))
    #expect(try !view(.bool, [1, 1], [0]).condition(place))
    for wrong in [view(.int8, [1], [1]), view(.bool, [2], [1, 1]), view(.bool, [1], []), view(.bool, [0], [1])] {
      let error: RuntimeError? = thrownError { try wrong.condition(place) }
      #expect(error?.code == .invalidModel && error?.location == place)
      #expect(error?.message == "requires one boolean as its condition, got \(wrong.spec)")
    }
  }

  @Test("arguments are all inputs, none of which can be omitted")
  func arguments() throws {
    let x = view(.int8, [1], [3])
    #expect(try call(inputs: [x, x]).arguments().count == 2)
    let error: RuntimeError? = thrownError { try call(inputs: [x, nil]).arguments() }
    #expect(error?.code == .invalidModel && error?.message == "leaves out an input" && error?.location == place)
    let specs = [x.spec, x.spec, x.spec]
    #expect(call(outputs: specs).outputCount == 3)
  }

  @Test("work, memory, and deadlines count for the run, and errors name the operator")
  func budgets() throws {
    let limited = call(work: .nanoseconds(100), memory: 50)
    try limited.spend(100)
    let work: RuntimeError? = thrownError { try limited.spend(1) }
    #expect(work?.code == .limitExceeded && work?.location == place)
    let block = try limited.allocate(50, for: "values")
    let memory: RuntimeError? = thrownError { try limited.allocate(1, for: "more values") }
    #expect(memory?.message.hasPrefix("more values take 1 more bytes") == true && memory?.location == place)
    withExtendedLifetime(block) {}
    try limited.check()
    limited.budget.begin(deadline: Deadline(after: .zero - .seconds(1)))
    #expect(throws: RuntimeError.self) { try limited.check() }
  }

  @Test("results have their output's name and type, and the given shape and elements")
  func results() throws {
    let output = TensorSpec(name: "o", elementType: .int32, shape: [1])
    let call = call(outputs: [output, output]) { $0.tensorBytes = 12 }
    let result = try call.result(1, shape: [3], [Int32(4), -5, 6])
    #expect(result.spec.name == "o" && result.spec.shape == [3] && result.spec.elementType == .int32)
    #expect(result.memory.count == 12 && result.memory.load(fromByteOffset: 4, as: Int32.self) == -5)
    #expect(result.owner != nil && result.resource == nil)
    let error: RuntimeError? = thrownError { try call.result(0, shape: [4], [Int32(1), 2, 3, 4]) }
    #expect(error?.code == .limitExceeded && error?.location == place)
  }

  @Test("strings are looked up by ID, and count their size")
  func strings() throws {
    let pool = StringPool(byteLimit: 1000)
    let call = call(work: .nanoseconds(Int64(201.5 * 2)), strings: pool) { $0.stringBytes = 24 }
    let first = try call.number(of: Array("ab".utf8)), second = try call.number(of: Array("c".utf8))
    #expect(first == 1 && second == 2)
    func tensor(_ numbers: [UInt64]) -> TensorView {
      view(.string, [numbers.count], numbers.withUnsafeBytes { Array($0) })
    }
    // 100 ns per string, and half a nanosecond per byte.
    #expect(try call.strings(tensor([second, first])) == [Array("c".utf8), Array("ab".utf8)])
    let work: RuntimeError? = thrownError { try call.strings(tensor([second, first, 0])) }
    #expect(work?.code == .limitExceeded && work?.message.contains("stringBytes") == true && work?.location == place)
    #expect(work?.message.hasPrefix("the strings of input 'v' string[3] take more than the limit of 24 bytes") == true)
    #expect(try call.firstString(tensor([first, 99])) == Array("ab".utf8) && call.firstString(tensor([])) == nil)
    let unknown: RuntimeError? = thrownError { try call.firstString(tensor([99])) }
    #expect(unknown?.code == .invalidModel && unknown?.location == place)
    let spent = Mirror(reflecting: call.budget).descendant("spent") as? Double
    #expect(spent == 201.5 + 101)
  }

  @Test("roles other than control compute, and calls have the documented defaults")
  func defaults() throws {
    let call = SubgraphCall(subgraph: 4)
    #expect(call.subgraph == 4 && call.firstArgument == 0 && call.givesOutputs)
    #expect(OperatorRole.computes.control == nil && OperatorRole.standsFor(subgraph: 1).control == nil)
    let operation = Choosing()
    #expect(operation.role.control != nil && !operation.isPure && operation.calls.isEmpty)
    var graph = PassGraph()
    let value = graph.value()
    graph.add("choose", operation, [value], [value])
    let node = NodeView(node: graph.nodes[0], values: ValueTable(graph.values))
    #expect(throws: DataDependence.self) { try operation.inferShapes(node) }
    let context = PrepareContext(
      node: node, options: RuntimeOptions(), kernels: .current, memory: SlotAllocator(),
      packing: PackingBatch(PackedConstants(byteLimit: 0)))
    let error: RuntimeError? = thrownError { try operation.prepare(context) }
    #expect(error?.message == "is evaluated between programs, not prepared for one")
    let plain = StubHostless()
    #expect(plain.isPure && plain.readsInputValues && plain.role.control == nil)
  }

  private struct Choosing: ControlOperator {
    static var identity: OperatorIdentity { StubPlain.identity }
    init() {}
    init(parsing node: NodeReader) throws { throw node.invalid("is a stub") }
    func evaluate(_ call: ControlCall) throws -> [TensorView] { [] }
  }

  /// An operator without any optional behavior.
  private struct StubHostless: StubOperator {}
}

@Suite("Comparisons at subgraph boundaries")
struct BorderComparisonTests {
  private let place = RuntimeError.Location(operatorIndex: 3, operatorName: "CALL")

  private func spec(
    _ type: ElementType = .float32, _ shape: Shape = [2], signature: [Int]? = nil, scale: Float? = nil,
    zeroPoint: Int32 = 0
  ) -> TensorSpec {
    var spec = TensorSpec(
      name: "x", elementType: type, shape: shape, shapeSignature: signature,
      quantization: scale.map { QuantizationParameters(scale: $0, zeroPoint: zeroPoint) })
    spec.setType(type)
    return spec
  }

  private func refusal(_ given: TensorSpec, _ expected: TensorSpec, keepsShape: Bool = false) -> String? {
    let border = SubgraphBoundary(subgraph: 7, location: place)
    let error: RuntimeError? = thrownError {
      try border.checkArgument(given, for: expected, keepsShape: keepsShape)
    }
    let other: RuntimeError? = thrownError {
      try border.checkResult(given, for: expected, keepsShape: keepsShape)
    }
    #expect((error == nil) == (other == nil))
    if let error { #expect(error.code == .invalidModel && error.location == place) }
    return error?.message
  }

  @Test("types must be the same in the run and in the model")
  func types() {
    #expect(refusal(spec(.int8), spec(.int8)) == nil)
    #expect(
      refusal(spec(.int8), spec(.int16))
        == "gives 'x' int8[2] for input 'x' int16[2] of subgraph 7, which has another type")
    #expect(refusal(spec(.int4), spec(.int8))?.hasSuffix("which has another type") == true)
    #expect(refusal(spec(.int4), spec(.int4)) == nil)
    let border = SubgraphBoundary(subgraph: nil, location: place)
    let error: RuntimeError? = thrownError {
      try border.checkResult(spec(.int8), for: spec(.bool))
    }
    #expect(error?.message == "takes 'x' int8[2] for output 'x' bool[2], which has another type")
  }

  @Test("shapes are compared only if they are kept, known, and not scalar")
  func shapes() {
    #expect(refusal(spec(.int8, [2]), spec(.int8, [3])) == nil)
    #expect(refusal(spec(.int8, [2]), spec(.int8, [3]), keepsShape: true)?.hasSuffix("which has another shape") == true)
    for (given, expected) in [
      (spec(.int8, [2]), spec(.int8, [2])), (spec(.int8, [2], signature: [-1]), spec(.int8, [3])),
      (spec(.int8, [2]), spec(.int8, [3], signature: [-1])), (spec(.int8, []), spec(.int8, [3])),
      (spec(.int8, [2]), spec(.int8, [])),
    ] {
      #expect(refusal(given, expected, keepsShape: true) == nil)
    }
  }

  @Test("quantized values have the same meaning if both sides are quantized", arguments: ElementType.allCases)
  func quantization(type: ElementType) {
    let isQuantized = [.int2, .int4, .uint4, .int8, .uint8, .int16, .uint16, .int32].contains(type)
    #expect(refusal(spec(type, scale: 1), spec(type, scale: 1)) == nil)
    #expect(refusal(spec(type, scale: 1), spec(type)) == nil && refusal(spec(type), spec(type, scale: 1)) == nil)
    for other in [spec(type, scale: 2), spec(type, scale: 1, zeroPoint: 1)] {
      #expect((refusal(spec(type, scale: 1), other) != nil) == isQuantized)
    }
  }

  @Test("numbers of arguments and results must be equal")
  func counts() {
    let border = SubgraphBoundary(subgraph: 7, location: place)
    func refusal(_ arguments: Int, _ results: Int) -> String? {
      let error: RuntimeError? = thrownError {
        try border.checkCounts(arguments: arguments, results: results, parameters: 2, outputs: 1)
      }
      return error?.message
    }
    #expect(refusal(2, 1) == nil && refusal(1, 1) != nil && refusal(3, 1) != nil && refusal(2, 2) != nil)
    #expect(
      refusal(2, 0) == "calls a subgraph (7), which has 2 inputs and 1 outputs, with 2 and 0")
  }
}
