import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("Option schemas")
struct OptionSchemasTests {
  @Test("are all members of the schema's unions, each with a distinct number")
  func numbers() {
    let second = OptionsTable.secondUnionBase
    let tags = OptionSchemas.all.map { $0.tag } + FieldlessOptions.allCases.map(\.rawValue)
    #expect(tags.sorted() == Array(1...126) + Array(second + 1...second + 23))
  }

  @Test("number their fields from 0, each with a distinct name", arguments: OptionSchemas.all.map { $0.tag })
  func fields(tag: Int) {
    let fields = OptionSchemas.fields(ofTable: tag)
    #expect(fields.map(\.number) == Array(fields.indices))
    #expect(Set(fields.map(\.name.description)).count == fields.count)
    #expect(fields.allSatisfy { !$0.name.description.isEmpty })
  }

  @Test("are read back field by field from a model file that has them all")
  func readsBack() throws {
    for table in OptionSchemas.all {
      let fields = table.fields.map { ($0.number, Self.sample($0.storage)) }
      let read = try Self.written(
        WrittenOptions(rawTag: table.tag, rawFields: Dictionary(uniqueKeysWithValues: fields)))
      #expect(read.options.tag == table.tag)
      let expected = table.fields.compactMap { field in
        Self.text(field.storage).map { "\(field.name)=\($0)" }
      }
      #expect(read.namedOptions.map { "\($0.name)=\($0.value)" } == expected, "\(table)")
    }
  }

  @Test("give each field the value that a writer names it for")
  func namedFields() throws {
    let convolution = try Self.written(
      Conv2DOptions.with {
        [
          $0.padding(.valid), $0.strideWidth(2), $0.strideHeight(3), $0.fusedActivation(.relu6), $0.dilationHeight(4),
          $0.quantizedBiasType(.int32),
        ]
      }
    ).options
    #expect(try convolution.code(of: Conv2DOptions.padding) == WindowPadding.valid.rawValue)
    #expect(try convolution[Conv2DOptions.strideWidth] == 2)
    #expect(try convolution[Conv2DOptions.strideHeight] == 3)
    #expect(try convolution.code(of: Conv2DOptions.fusedActivation) == FusedActivation.relu6.rawValue)
    #expect(try convolution[Conv2DOptions.dilationWidth] == 1)
    #expect(try convolution[Conv2DOptions.dilationHeight] == 4)
    #expect(try convolution.code(of: Conv2DOptions.quantizedBiasType) == Int(ElementType.int32.rawValue))
    let window = try Self.written(
      StableHLOReduceWindowOptions.with { [$0.windowDimensions([1 << 40, 2]), $0.bodySubgraphIndex(7)] }
    ).options
    #expect(try window[StableHLOReduceWindowOptions.windowDimensions] == [1 << 40, 2])
    #expect(try window[StableHLOReduceWindowOptions.bodySubgraphIndex] == 7)
    #expect(try window[StableHLOReduceWindowOptions.padding].isEmpty)
    let random = try Self.written(RandomOptions.with { [$0.seed(-1), $0.seed2(1 << 40)] }).options
    #expect(try random[RandomOptions.seed] == -1)
    #expect(try random[RandomOptions.seed2] == 1 << 40)
    let call = try Self.written(CallOptions.with { [$0.subgraph(UInt32.max)] }).options
    #expect(try call[CallOptions.subgraph] == Int(UInt32.max))
  }

  // MARK: Models

  /// Returns an operator with these options, read from a model file.
  private static func written(_ options: WrittenOptions) throws -> OperatorDescription {
    var graph = TestGraph()
    graph.add(.neg, [graph.input(.float32, [1])], [graph.output(.float32, [1])], options: options)
    return try ModelFile(ByteRegion(TestGraph.bytes([graph]))).subgraphs[0].operators[0]
  }

  /// Returns a value other than the default.
  private static func sample(_ storage: OptionStorage) -> FlatValue {
    switch storage {
    case .bool(let value): .bool(!value)
    case .int(let value): .int(Int32(value) + 7)
    case .long: .long(7)
    case .float: .float(0.5)
    case .string: .string("text")
    case .ints: .ints([7])
    case .longs: .longs([7])
    case .floats: .floats([0.5])
    case .bools: .bools([true])
    // A FlexBuffer null.
    case .flexible: .bytes([0, 0, 1])
    case .elementType, .biasType: .byte(ElementType.int64.rawValue)
    case .byteCode: .byte(1)
    case .intCode: .int(1)
    case .uintCode: .uint(1)
    case .subgraph(let isSigned): isSigned ? .int(7) : .uint(7)
    case .subgraphs: .ints([7])
    case .unused: .int(7)
    }
  }

  /// Returns the displayed text of the same value, or `nil` if it isn't displayed.
  private static func text(_ storage: OptionStorage) -> String? {
    switch storage {
    case .bool(let value): String(!value)
    case .int(let value): String(value + 7)
    case .long, .ints, .longs, .subgraph, .subgraphs: "7"
    case .float, .floats: "0.5"
    case .string: "text"
    case .bools: "true"
    case .flexible: "null"
    case .elementType, .biasType: "int64"
    case .byteCode(let names), .intCode(let names), .uintCode(let names):
      String(names.description.split(separator: " ")[1])
    case .unused: nil
    }
  }
}
