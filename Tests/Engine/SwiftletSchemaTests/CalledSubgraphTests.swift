import SwiftletBase
import SwiftletFlatBuffers
import SwiftletTestSupport
import Testing

@testable import SwiftletSchema

@Suite("Subgraphs called by operators")
struct CalledSubgraphTests {
  /// Returns an operator with options as read from a file, without further checks.
  private func operation(_ kind: BuiltinOperator, _ options: WrittenOptions) throws -> OperatorDescription {
    var model = RawModel.addition
    model.subgraphs[0].operators[0].fields = options.operatorFields
    var description = try model.parsed().subgraphs[0].operators[0]
    description.code.kind = .builtin(kind)
    return description
  }

  private static let calls: [(BuiltinOperator, WrittenOptions, [Int])] = [
    (.ifElse, IfOptions.with { [$0.thenSubgraphIndex(3), $0.elseSubgraphIndex(5)] }, [3, 5]),
    (.whileLoop, WhileOptions.with { [$0.conditionSubgraphIndex(3), $0.bodySubgraphIndex(5)] }, [3, 5]),
    (.stablehloWhile, StableHLOWhileOptions.with { [$0.conditionSubgraphIndex(3), $0.bodySubgraphIndex(5)] }, [3, 5]),
    (.callOnce, CallOnceOptions.with { [$0.initializationSubgraphIndex(3)] }, [3]),
    (.stablehloComposite, StableHLOCompositeOptions.with { [$0.decompositionSubgraphIndex(3)] }, [3]),
    (.stablehloReduce, StableHLOReduceOptions.with { [$0.bodySubgraphIndex(3)] }, [3]),
    (.stablehloScatter, StableHLOScatterOptions.with { [$0.updateComputationSubgraphIndex(3)] }, [3]),
    (.stablehloReduceWindow, StableHLOReduceWindowOptions.with { [$0.bodySubgraphIndex(3)] }, [3]),
    (.stablehloSort, StableHLOSortOptions.with { [$0.comparatorSubgraphIndex(3)] }, [3]),
    (.stablehloCase, StableHLOCaseOptions.with { [$0.branchSubgraphIndices([3, 5, 4])] }, [3, 5, 4]),
    (.add, AddOptions.empty, []),
  ]

  @Test("are those that its options list, in order", arguments: calls.indices)
  func called(index: Int) throws {
    let (kind, options, expected) = Self.calls[index]
    #expect(try operation(kind, options).calledSubgraphs() == expected)
  }

  @Test("a custom operator calls none")
  func custom() throws {
    var description = try operation(.ifElse, IfOptions.with { [$0.thenSubgraphIndex(3)] })
    description.code.kind = .custom("IF")
    #expect(try description.calledSubgraphs().isEmpty)
  }

  /// Returns the call graph in which subgraph `i` calls `calls[i]`, two at a time.
  private func graph(_ calls: [[Int]], limit: Int = 64) throws(SchemaError) -> SubgraphCallGraph {
    let description: (Int) -> OperatorDescription? = { callee in
      try? operation(.callOnce, CallOnceOptions.with { [$0.initializationSubgraphIndex(callee)] })
    }
    return try SubgraphCallGraph(
      calls.map { Subgraph(tensors: [], inputs: [], outputs: [], operators: $0.compactMap(description)) },
      depthLimit: limit)
  }

  @Test("are reached from entries, directly and through others")
  func reachable() throws {
    let graph = try graph([[1], [2], [], [4, 2], [], []])
    #expect(graph.reachable(from: [0]) == [true, true, true, false, false, false])
    #expect(graph.reachable(from: [3]) == [false, false, true, true, true, false])
    #expect(graph.reachable(from: [5, 1, 1]) == [false, true, true, false, false, true])
    #expect(graph.reachable(from: [-1, 6]) == [Bool](repeating: false, count: 6))
  }

  @Test("call up to the depth limit and no deeper, in any order", arguments: [false, true])
  func depth(isReversed: Bool) throws {
    func calls(_ count: Int) -> [[Int]] {
      (0..<count).map { isReversed ? ($0 == 0 ? [] : [$0 - 1]) : ($0 == count - 1 ? [] : [$0 + 1]) }
    }
    _ = try graph(calls(5), limit: 5)
    let error: SchemaError? = thrownError { try graph(calls(6), limit: 5) }
    #expect(error?.code == .limitExceeded && error?.message == "subgraphs call one another more than 5 levels deep")
    // The deepest of several branches counts, even if it isn't the last one.
    _ = try graph([[1, 3], [2], [], []], limit: 3)
    #expect(throws: SchemaError.self) { try graph([[1, 3], [2], [], []], limit: 2) }
  }
}

@Suite("Edge cases of quantization and strings in files")
struct FileEdgeTests {
  private func error(type: Int8, zeroPoint: Int64, scale: Float = 1) -> SchemaError? {
    var model = RawModel.addition
    model.subgraphs[0].tensors[0] = .init(
      "input", type: type, shape: [2], fields: [4: .table([2: .floats([scale]), 3: .longs([zeroPoint])])])
    return thrownError { try model.parsed() }
  }

  @Test(
    "zero points of each type are accepted over its full range",
    arguments: [
      (19, -2, 1), (17, -8, 7), (20, 0, 15), (9, -128, 127), (3, 0, 255), (7, -32_768, 32_767), (16, 0, 65_535),
      (2, -2_147_483_648, 2_147_483_647), (0, -2_147_483_648, 2_147_483_647),
    ] as [(Int8, Int64, Int64)])
  func zeroPoints(type: Int8, lowest: Int64, highest: Int64) {
    #expect(error(type: type, zeroPoint: lowest) == nil && error(type: type, zeroPoint: highest) == nil)
    for outside in [lowest - 1, highest + 1] {
      let error = error(type: type, zeroPoint: outside)
      #expect(error?.code == .invalid)
      #expect(error?.message.hasSuffix("must be in \(lowest) ... \(highest), got \(outside)") == true)
    }
  }

  @Test("a scale of 0 is valid, negative and infinite scales are not")
  func scales() {
    #expect(
      error(type: 9, zeroPoint: 0, scale: 0) == nil
        && error(type: 9, zeroPoint: 0, scale: .greatestFiniteMagnitude) == nil)
    for scale in [-Float.leastNonzeroMagnitude, -1, .infinity, .nan] {
      #expect(
        error(type: 9, zeroPoint: 0, scale: scale)?.message.hasPrefix("a scale must be finite and not negative") == true
      )
    }
  }

  private func layout(_ words: [UInt32], _ text: String = "") throws(SchemaError) -> [String] {
    var bytes: [UInt8] = []
    for word in words { withUnsafeBytes(of: word.littleEndian) { bytes += Array($0) } }
    let layout = try StringTensorLayout(ByteRegion(bytes + Array(text.utf8)))
    return (0..<layout.count).map { layout.bytes($0).text }
  }

  @Test("string offsets ascend from the header to the end")
  func strings() throws {
    #expect(try layout([2, 16, 17, 19], "abc") == ["a", "bc"] && layout([0, 8]) == [])
    #expect(try layout([2, 16, 16, 16], "abc") == ["", ""] && layout([1, 12, 15], "abc") == ["abc"])
    for words in [
      [2, 15, 17, 19], [2, 17, 17, 19], [2, 16, 15, 19], [2, 16, 18, 17], [2, 16, 17, 20], [0, 9], [0, 7],
    ] as [[UInt32]] {
      let error: SchemaError? = thrownError { try layout(words, words[0] == 0 ? "" : "abc") }
      #expect(error?.code == .invalid && error?.message.hasPrefix("the offset of string ") == true)
    }
    let header: SchemaError? = thrownError { try layout([2, 16, 17]) }
    #expect(header?.message == "2 strings need 16 bytes of offsets, the payload has 12 bytes")
    let short: SchemaError? = thrownError { try StringTensorLayout(ByteRegion([1, 0, 0])) }
    #expect(short?.message == "the payload of a string tensor has at least 4 bytes, got 3")
  }

  @Test("up to sixteen values of a constant are listed, for every plain type")
  func fewValues() {
    func values(_ type: ElementType, _ bytes: [UInt8]) -> String? {
      TensorDescription(name: "", type: type, shape: [1], data: ByteRegion(bytes)).fewValues
    }
    #expect(values(.int8, [UInt8](repeating: 255, count: 16))?.hasSuffix("-1, -1") == true)
    #expect(values(.int8, [UInt8](repeating: 255, count: 17)) == nil && values(.int8, []) == nil)
    #expect(values(.uint8, [255, 0]) == "255, 0" && values(.bool, [0, 2]) == "false, true")
    #expect(values(.int16, [0, 128, 1, 0]) == "-32768, 1" && values(.int32, [255, 255, 255, 255]) == "-1")
    #expect(values(.int64, [7, 0, 0, 0, 0, 0, 0, 128]) == "-9223372036854775801")
    #expect(values(.float32, [0, 0, 0, 0xBF]) == "-0.5" && values(.float64, [0, 0, 0, 0, 0, 0, 0xF8, 0x3F]) == "1.5")
    #expect(values(.int16, [1, 0, 0]) == nil && values(.complex64, [UInt8](repeating: 0, count: 8)) == nil)
    #expect(values(.string, [2, 0, 0, 0, 16, 0, 0, 0, 17, 0, 0, 0, 18, 0, 0, 0, 65, 66]) == "\"A\", \"B\"")
    #expect(values(.string, [0, 0, 0, 0, 8, 0, 0, 0]) == nil && values(.string, [1]) == nil)
    #expect(TensorDescription(name: "", type: .int8, shape: [1]).fewValues == nil)
  }

  // MARK: Options

  private func options(_ code: Int32, _ written: WrittenOptions...) throws -> OperatorDescription {
    var model = RawModel.addition
    model.operatorCodes = [.init(code)]
    for options in written { model.subgraphs[0].operators[0].fields.merge(options.operatorFields) { $1 } }
    model.subgraphs.append(.init(tensors: [], inputs: [], outputs: [], operators: []))
    return try model.parsed().subgraphs[0].operators[0]
  }

  @Test("if both unions contain options, the operator's own union is used")
  func unions() throws {
    let first = AddOptions.empty, second = StableHLOIotaOptions.empty
    #expect(try options(0, first, second).options.tag == AddOptions.tag)
    // The last operator of the first union, and the first one of the second.
    #expect(try options(161, first, second).options.tag == AddOptions.tag)
    #expect(try options(162, first, second).options.tag == StableHLOIotaOptions.tag)
    var alone = RawModel.addition
    alone.subgraphs[0].operators[0].fields = second.operatorFields
    #expect(try alone.parsed().subgraphs[0].operators[0].options.tag == StableHLOIotaOptions.tag)
  }

  @Test("attributes of a composite are a FlexBuffer, and absent if there are no bytes")
  func compositeAttributes() throws {
    func composite(_ bytes: [UInt8]?) throws -> OperatorDescription {
      var written = StableHLOCompositeOptions.with { [$0.decompositionSubgraphIndex(1)] }
      if let bytes { written = written.replacing(StableHLOCompositeOptions.compositeAttributes(raw: .bytes(bytes))) }
      return try options(206, written)
    }
    #expect(try composite([24, 252, 5, 2]).compositeAttributes().intValue == -1000)
    #expect(try composite([]).compositeAttributes().isNull && composite(nil).compositeAttributes().isNull)
    let broken: SchemaError? = thrownError { try composite([1, 2]).compositeAttributes() }
    #expect(broken?.location == "composite_attributes")
    var other = try composite([24, 252, 5, 2])
    other.code.kind = .builtin(.add)
    #expect(try other.compositeAttributes().isNull)
  }
}
