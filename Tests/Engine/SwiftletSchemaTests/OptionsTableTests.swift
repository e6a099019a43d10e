import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

/// A table with a field of each kind.
private enum Kinds: OptionSchema {
  static let tag = 1
  static let fields: [OptionDefinition] = []
  static let flag = OptionField<Bool>(0, "flag", .bool(default: false))
  static let int = OptionField<Int>(1, "int", .int(default: 0))
  static let unsigned = OptionField<Int>(2, "unsigned", .subgraph(isSigned: false))
  static let long = OptionField<Int>(3, "long", .long)
  static let float = OptionField<Float>(4, "float", .float)
  static let byte = OptionField<WindowPadding>(5, "byte", .byteCode("SAME VALID"))
  static let text = OptionField<String>(6, "text", .string)
  static let ints = OptionField<[Int]>(7, "ints", .ints)
  static let longs = OptionField<[Int]>(8, "longs", .longs)
  static let floats = OptionField<[Float]>(9, "floats", .floats)
  static let bools = OptionField<[Bool]>(10, "bools", .bools)
  static let bytes = OptionField<ByteRegion>(11, "bytes", .flexible)
  static let absent = OptionField<Int>(12, "absent", .int(default: 3))
  static let absentFlag = OptionField<Bool>(13, "absent_flag", .bool(default: true))
  static let absentType = OptionField<ElementType>(14, "absent_type", .elementType(default: .int32))
}

@Suite("OptionsTable")
struct OptionsTableTests {
  private func options(_ written: WrittenOptions) throws -> OptionsTable {
    var model = RawModel.addition
    model.subgraphs[0].operators[0].fields = written.operatorFields
    return try model.parsed().subgraphs[0].operators[0].options
  }

  @Test("reads a field of each kind")
  func readsFields() throws {
    let written = WrittenOptions(
      rawTag: Kinds.tag,
      rawFields: [
        0: .bool(true), 1: .int(-7), 2: .uint(.max), 3: .long(1 << 40), 4: .float(0.5), 5: .byte(-1),
        6: .string("name"), 7: .ints([1, -1]), 8: .longs([1 << 40]), 9: .floats([1.5]), 10: .bools([true, false]),
        11: .bytes([1, 2]),
      ])
    let options = try options(written)
    #expect(options.tag == 1)
    #expect(try options[Kinds.flag])
    #expect(try options[Kinds.int] == -7)
    #expect(try options[Kinds.unsigned] == 4_294_967_295)
    #expect(try options[Kinds.long] == 1 << 40)
    #expect(try options[Kinds.float] == 0.5)
    #expect(try options.code(of: Kinds.byte) == -1)
    #expect(try options[Kinds.text] == "name")
    #expect(try options[Kinds.ints] == [1, -1])
    #expect(try options[Kinds.longs] == [1 << 40])
    #expect(try options[Kinds.floats] == [1.5])
    #expect(try options[Kinds.bools] == [true, false])
    #expect(try options[Kinds.bytes]?.array == [1, 2])
    #expect(options.has(Kinds.bytes))
    #expect(!options.has(Kinds.absent))
  }

  @Test("returns defaults if the field, or the table, is absent", arguments: [false, true])
  func givesDefaults(_ hasTable: Bool) throws {
    let options = hasTable ? try options(Kinds.empty) : .absent
    #expect(try options[Kinds.flag] == false)
    #expect(try options[Kinds.absentFlag])
    #expect(try options[Kinds.absent] == 3)
    #expect(try options.code(of: Kinds.absentType) == Int(ElementType.int32.rawValue))
    #expect(try options[Kinds.unsigned] == 0)
    #expect(try options[Kinds.long] == 0)
    #expect(try options[Kinds.float] == 0)
    #expect(try options.code(of: Kinds.byte) == 0)
    #expect(try options[Kinds.text] == nil)
    #expect(try options[Kinds.ints].isEmpty)
    #expect(try options[Kinds.longs].isEmpty)
    #expect(try options[Kinds.floats].isEmpty)
    #expect(try options[Kinds.bools].isEmpty)
    #expect(try options[Kinds.bytes] == nil)
  }

  @Test("throws for fields whose bytes are damaged, naming the field")
  func throwsForDamage() throws {
    let lie = FlatValue.lyingVector(count: .max, bytes: [0, 0, 0, 0])
    let options = try options(
      Kinds.with {
        [
          $0.ints(raw: lie), $0.longs(raw: lie), $0.floats(raw: lie), $0.bools(raw: lie), $0.bytes(raw: lie),
          $0.text(raw: .uint(0)),
        ]
      })
    // Four bytes at the end of the table instead of the required eight.
    let short = try self.options(Kinds.with { [$0.long(raw: .uint(.max))] })
    for read in [
      { _ = try options[Kinds.ints] }, { _ = try options[Kinds.longs] }, { _ = try options[Kinds.floats] },
      { _ = try options[Kinds.bools] }, { _ = try options[Kinds.bytes] }, { _ = try options[Kinds.text] },
      { _ = try short[Kinds.long] },
    ] as [() throws -> Void] {
      let error = #expect(throws: SchemaError.self) { try read() }
      #expect(error?.location.hasPrefix("options field ") == true)
    }
  }

  @Test("does not copy vectors of excessive length")
  func limitsVectors() throws {
    let options = try options(
      Kinds.with { [$0.ints([Int](repeating: 1, count: 1025)), $0.longs([Int](repeating: 1, count: 1024))] })
    let error = #expect(throws: SchemaError.self) { try options[Kinds.ints] }
    #expect(error?.code == .limitExceeded)
    #expect(try options[Kinds.longs].count == 1024)
  }
}
