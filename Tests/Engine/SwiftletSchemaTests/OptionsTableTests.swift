import SwiftletFlatBuffers
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("OptionsTable")
struct OptionsTableTests {
  private func options(_ fields: [Int: FlatValue]) throws -> OptionsTable {
    var model = RawModel.addition
    model.subgraphs[0].operators[0].fields = [3: .byte(1), 4: .table(fields)]
    return try model.parsed().subgraphs[0].operators[0].options
  }

  @Test("reads a field of each type by its id")
  func readsFields() throws {
    let options = try options([
      0: .bool(true), 1: .int(-7), 2: .uint(.max), 3: .long(1 << 40), 4: .float(0.5), 5: .byte(-1), 6: .string("name"),
      7: .ints([1, -1]), 8: .longs([1 << 40]), 9: .floats([1.5]), 10: .bools([true, false]), 11: .bytes([1, 2]),
    ])
    #expect(options.tag == 1)
    #expect(try options.bool(0))
    #expect(try options.int(1) == -7)
    #expect(try options.uint(2) == 4_294_967_295)
    #expect(try options.long(3) == 1 << 40)
    #expect(try options.float(4) == 0.5)
    #expect(try options.byte(5) == -1)
    #expect(try options.string(6) == "name")
    #expect(try options.ints(7) == [1, -1])
    #expect(try options.longs(8) == [1 << 40])
    #expect(try options.floats(9) == [1.5])
    #expect(try options.bools(10) == [true, false])
    #expect(try options.bytes(11)?.array == [1, 2])
    #expect(options.has(11))
    #expect(!options.has(12))
  }

  @Test("gives defaults where the field, or the whole table, is absent", arguments: [false, true])
  func givesDefaults(_ hasTable: Bool) throws {
    let options = hasTable ? try options([:]) : .absent
    #expect(try options.bool(0) == false)
    #expect(try options.bool(0, default: true))
    #expect(try options.int(0, default: 3) == 3)
    #expect(try options.uint(0) == 0)
    #expect(try options.long(0, default: -1) == -1)
    #expect(try options.float(0, default: 1) == 1)
    #expect(try options.byte(0, default: 2) == 2)
    #expect(try options.string(0) == nil)
    #expect(try options.ints(0).isEmpty)
    #expect(try options.longs(0).isEmpty)
    #expect(try options.floats(0).isEmpty)
    #expect(try options.bools(0).isEmpty)
    #expect(try options.bytes(0) == nil)
  }

  @Test("throws for fields whose bytes are damaged, naming the field")
  func throwsForDamage() throws {
    let options = try options([
      0: .lyingVector(count: .max, bytes: [0, 0, 0, 0]), 1: .byte(1), 2: .uint(0), 3: .uint(.max),
    ])
    for read in [
      { _ = try options.ints(0) }, { _ = try options.longs(0) }, { _ = try options.floats(0) },
      { _ = try options.bools(0) }, { _ = try options.bytes(0) }, { _ = try options.string(0) },
      { _ = try options.long(3) }, { _ = try options.string(2) }, { _ = try options.ints(3) },
    ] as [() throws -> Void] {
      let error = #expect(throws: SchemaError.self) { try read() }
      #expect(error?.location.hasPrefix("options field ") == true)
    }
  }

  @Test("does not copy vectors of absurd length")
  func limitsVectors() throws {
    let options = try options([
      0: .ints([Int32](repeating: 1, count: 1025)), 1: .ints([Int32](repeating: 1, count: 1024)),
    ])
    let error = #expect(throws: SchemaError.self) { try options.ints(0) }
    #expect(error?.code == .limitExceeded)
    #expect(try options.ints(1).count == 1024)
  }
}
