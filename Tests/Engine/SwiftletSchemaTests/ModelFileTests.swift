import SwiftletBase
import SwiftletFlatBuffers
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("ModelFile")
struct ModelFileTests {
  @Test("parses a file into values")
  func readsAddition() throws {
    var description = RawModel.addition
    description.fields[3] = .string("adds")
    description.metadata = [("min_runtime_version", Array("1.5.0".utf8)), ("empty", [])]
    let model = try description.parsed()
    #expect(model.version == 3)
    #expect(model.description == "adds")
    #expect(model.operatorCodes == [OperatorCode(kind: .builtin(.add), version: 1)])
    #expect(model.metadata.map(\.name) == ["min_runtime_version", "empty"])
    #expect(model.metadata.first?.data.text == "1.5.0")
    let subgraph = try #require(model.subgraphs.first)
    #expect(subgraph.name == "main")
    #expect(subgraph.inputs == [0])
    #expect(subgraph.outputs == [2])
    #expect(subgraph.tensors.map(\.name) == ["input", "constant", "sum"])
    #expect(subgraph.tensors.map(\.shape) == [[1, 4], [4], [1, 4]])
    #expect(subgraph.tensors.map(\.type) == [.float32, .float32, .float32])
    #expect(subgraph.tensors.map { $0.data?.array } == [nil, [UInt8](0..<16), nil])
    #expect(subgraph.tensors.map(\.bufferIndex) == [0, 1, 0])
    let addition = try #require(subgraph.operators.first)
    #expect(addition.code.kind == .builtin(.add))
    #expect(addition.inputs == [0, 1])
    #expect(addition.outputs == [2])
    #expect(addition.options.tag == AddOptions.tag)
    #expect(try addition.options.code(of: AddOptions.fusedActivation) == FusedActivation.relu.rawValue)
    #expect(try addition.options[AddOptions.powerOfTwoScaleInt16])
    #expect(addition.customOptions.count == 0)
  }

  @Test("reads tensor fields that are usually omitted")
  func readsRareTensorFields() throws {
    var description = RawModel.addition
    description.subgraphs[0].tensors[0].fields = [7: .ints([-1, 4]), 8: .bool(true)]
    description.subgraphs[0].tensors[2].fields = [7: .ints([])]
    description.subgraphs[0].tensors.append(.init("state", shape: [2], fields: [5: .bool(true)]))
    let tensors = try description.parsed().subgraphs[0].tensors
    #expect(tensors.map(\.shapeSignature) == [[-1, 4], nil, nil, nil])
    #expect(tensors.map(\.hasRank) == [true, false, false, false])
    #expect(tensors.map(\.isVariable) == [false, false, false, true])
  }

  @Test("reads operator fields that are usually omitted")
  func readsRareOperatorFields() throws {
    var description = RawModel.addition
    description.subgraphs[0].operators[0].inputs = [0, -1, 1]
    description.subgraphs[0].operators[0].fields = [5: .bytes([1, 2]), 7: .bools([true, false]), 8: .ints([-1, 2])]
    let addition = try description.parsed().subgraphs[0].operators[0]
    #expect(addition.inputs == [0, nil, 1])
    #expect(addition.customOptions.array == [1, 2])
    #expect(addition.mutatingVariableInputs == [true, false])
    #expect(addition.intermediates == [-1, 2])
    #expect(addition.options.tag == 0)
    #expect(try addition.options[AddOptions.powerOfTwoScaleInt16])
  }

  @Test("treats an omitted list of inputs or outputs as empty")
  func readsAbsentLists() throws {
    var description = RawModel.addition
    description.fields[2] = .tables([
      [0: .tables([[0: .ints([1])]]), 1: .ints([0]), 2: .ints([0]), 3: .tables([[:]])]
    ])
    let node = try #require(try description.parsed().subgraphs.first?.operators.first)
    #expect(node.inputs.isEmpty && node.outputs.isEmpty)
  }

  @Test("uses the larger of the old and the new operator code")
  func resolvesOperatorCodes() throws {
    var description = RawModel.addition
    // A file from before the introduction of the wider field only has the one-byte field.
    description.fields[1] = .tables([[0: .byte(3), 2: .int(5)], [0: .byte(127), 3: .int(150)], [0: .byte(-4)]])
    #expect(
      try description.parsed().operatorCodes == [
        OperatorCode(kind: .builtin(.conv2D), version: 5), OperatorCode(kind: .builtin(.gelu), version: 1),
        OperatorCode(kind: .builtin(.add), version: 1),
      ])
  }

  @Test("keeps operators of an unknown kind, so that they can be named")
  func keepsUnknownOperators() throws {
    var description = RawModel.addition
    description.operatorCodes = [.init(213, version: 2)]
    description.subgraphs[0].operators[0].fields = [3: .byte(-6), 4: .table([4: .int(2)])]
    let unknown = try description.parsed().subgraphs[0].operators[0]
    #expect(unknown.code.kind == .custom("UNKNOWN_BUILTIN_213"))
    #expect(unknown.code.kind.name.hasPrefix(OperatorKind.unknownBuiltinPrefix))
    #expect(unknown.code.version == 2)
    #expect(unknown.options.tag == 250)
    #expect(try unknown.options[Conv2DOptions.dilationWidth] == 1)
  }

  @Test("reads options of the second union with separate tags")
  func readsSecondOptionsUnion() throws {
    var description = RawModel.addition
    description.operatorCodes = [.init(206)]
    description.subgraphs.append(.init(tensors: [], inputs: [], outputs: [], operators: []))
    let options = StableHLOCompositeOptions.with {
      [
        $0.name("odml.norm"), $0.decompositionSubgraphIndex(1), $0.compositeAttributes(raw: .bytes([0, 0, 1])),
      ]
    }
    description.subgraphs[0].operators[0].fields = options.operatorFields
    let composite = try description.parsed().subgraphs[0].operators[0]
    #expect(composite.options.tag == OptionsTable.secondUnionBase + 21)
    #expect(try composite.options[StableHLOCompositeOptions.name] == "odml.norm")
    #expect(try composite.calledSubgraphs() == [1])
    #expect(try composite.compositeAttributes().isNull)
  }

  @Test("reads custom options as FlexBuffer values if requested")
  func readsCustomOptions() throws {
    var description = RawModel.addition
    description.operatorCodes = [.init(32, customName: "Mine")]
    description.subgraphs[0].operators[0].fields = [5: .bytes([24, 252, 5, 2])]
    var custom = try description.parsed().subgraphs[0].operators[0]
    #expect(custom.code.kind == .custom("Mine"))
    #expect(try custom.customOptionValues().intValue == -1000)
    custom.customOptions = .empty
    #expect(try custom.customOptionValues().isNull)
    custom.customOptions = ByteRegion([1, 2])
    #expect(throws: SchemaError.self) { try custom.customOptionValues() }
  }

  @Test("reads signatures, and omits unusable ones")
  func readsSignatures() throws {
    var description = RawModel.addition
    func entries(_ name: String, _ tensor: UInt32) -> FlatValue { .tables([[0: .string(name), 1: .uint(tensor)]]) }
    description.fields[7] = .tables([
      [0: entries("x", 0), 1: entries("y", 2), 2: .string("serving_default")],
      [0: entries("x", 99), 1: entries("y", 2), 2: .string("bad tensor")],
      [0: entries("x", 0), 1: entries("y", 2), 2: .string("bad subgraph"), 4: .uint(1)],
      [0: entries("x", 0), 1: entries("y", 2)],
    ])
    #expect(
      try description.parsed().signatures == [
        Signature(
          key: "serving_default", subgraph: 0, inputs: [.init(name: "x", tensor: 0)],
          outputs: [.init(name: "y", tensor: 2)])
      ])
  }

  @Test("omits metadata entries without a name or a buffer")
  func leavesOutBrokenMetadata() throws {
    var description = RawModel.addition
    description.fields[6] = .tables([
      [0: .string("fine"), 1: .uint(1)], [1: .uint(1)], [0: .string("x"), 1: .uint(9)],
    ])
    #expect(try description.parsed().metadata.map(\.name) == ["fine"])
  }

  @Test("accepts files with bytes after the FlatBuffer")
  func acceptsTrailingBytes() throws {
    let bytes = RawModel.addition.bytes + [UInt8](repeating: 0xAB, count: 1000)
    #expect(try ModelFile(ByteRegion(bytes)).bytes.count == bytes.count)
  }
}

extension RawModel {
  /// Returns the model as parsed by the reader.
  func parsed(limits: ModelLimits = .default) throws(SchemaError) -> ModelFile {
    try ModelFile(ByteRegion(bytes), limits: limits)
  }

  /// Returns the error of the reader; records an issue if there is none.
  func error(_ sourceLocation: SourceLocation = #_sourceLocation) -> SchemaError? {
    #expect(throws: SchemaError.self, sourceLocation: sourceLocation) { try parsed() }
  }
}
