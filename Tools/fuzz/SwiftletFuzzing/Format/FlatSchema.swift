package import SwiftletFlatBuffers
import SwiftletSchema
package import SwiftletTestSupport

/// The storage of a field in a FlatBuffers table.
package indirect enum FlatKind: Sendable {
  case bool, byte, int, uint, long, float, string, bytes, ints, longs, floats, bools, shorts, strings
  case table(FlatSchema)
  case tables(FlatSchema)
  /// A table whose kind is the number in field `tag`.
  case union(tag: Int, [Int: FlatSchema])
}

/// The fields of a table by ID: sufficient to parse a table into values, change them, and write it again.
package struct FlatSchema: Sendable {
  package var fields: [Int: FlatKind]

  package init(_ fields: [Int: FlatKind]) { self.fields = fields }

  /// Returns the values of a table. Unreadable and unknown fields are omitted, because the values are going to be
  /// corrupted anyway.
  package func read(_ table: FlatTable, budget: inout FlatBufferBudget) -> [Int: FlatValue] {
    var values: [Int: FlatValue] = [:]
    for (id, kind) in fields {
      let field = FlatField(id, "field \(id)")
      guard table.has(field) else { continue }
      do throws(FlatBufferError) {
        values[id] = try Self.value(kind, field, of: table, budget: &budget)
      } catch {
        continue
      }
    }
    return values
  }

  private static func value(
    _ kind: FlatKind, _ field: FlatField, of table: FlatTable, budget: inout FlatBufferBudget
  ) throws(FlatBufferError) -> FlatValue? {
    switch kind {
    case .bool: return .bool(try table.bool(field, default: false))
    case .byte: return .byte(try table.integer(field, default: Int8(0)))
    case .int: return .int(try table.integer(field, default: Int32(0)))
    case .uint: return .uint(try table.integer(field, default: UInt32(0)))
    case .long: return .long(try table.integer(field, default: Int64(0)))
    case .float: return .float(try table.float(field, default: 0))
    case .string: return try table.string(field, budget: &budget).map(FlatValue.string)
    case .bytes: return try table.bytes(field).map { .bytes([UInt8]($0.bytes)) }
    case .ints:
      return try table.integers(field, storedAs: Int32.self, budget: &budget).map {
        .ints($0.map(Int32.init(truncatingIfNeeded:)))
      }
    case .longs:
      return try table.integers(field, storedAs: Int64.self, budget: &budget).map { .longs($0.map(Int64.init)) }
    case .floats: return try table.floats(field, budget: &budget).map(FlatValue.floats)
    case .bools: return try table.bools(field, budget: &budget).map(FlatValue.bools)
    case .shorts:
      return try table.integers(field, storedAs: UInt16.self, budget: &budget).map {
        .shorts($0.map(UInt16.init(truncatingIfNeeded:)))
      }
    case .strings: return try table.strings(field, budget: &budget).map(FlatValue.strings)
    case .table(let schema):
      guard let child = try table.table(field, budget: &budget) else { return nil }
      return .table(schema.read(child, budget: &budget))
    case .tables(let schema):
      guard let children = try table.tables(field, budget: &budget) else { return nil }
      return .tables(children.map { schema.read($0, budget: &budget) })
    case .union(let tag, let members):
      let number = Int(try table.integer(FlatField(tag, "tag"), default: UInt8(0)))
      guard let schema = members[number], let child = try table.table(field, budget: &budget) else { return nil }
      return .table(schema.read(child, budget: &budget))
    }
  }
}

// MARK: - Tables of models

extension FlatSchema {
  /// Returns the schema of operator options by tag, in both unions as numbered by `OptionsTable`.
  package static func options(tag: Int) -> FlatSchema {
    let fields = OptionSchemas.fields(ofTable: tag).map { ($0.number, FlatKind($0.storage)) }
    return FlatSchema(Dictionary(uniqueKeysWithValues: fields))
  }

  /// Source of this and the next schema: the TFLite schema, revision 3d.
  package static let quantization = FlatSchema([
    0: .floats, 1: .floats, 2: .floats, 3: .longs, 4: .byte,
    5: .union(
      tag: 4,
      [
        1: FlatSchema([0: .bytes]), 2: FlatSchema([0: .int, 1: .int, 2: .int]),
        3: FlatSchema([0: .int, 1: .int, 2: .int, 3: .ints]),
      ]),
    6: .int,
  ])

  package static let sparsity: FlatSchema = {
    let vectors: [Int: FlatSchema] = [
      1: FlatSchema([0: .ints]), 2: FlatSchema([0: .shorts]), 3: FlatSchema([0: .bytes]),
    ]
    return FlatSchema([
      0: .ints, 1: .ints,
      2: .tables(
        FlatSchema([0: .byte, 1: .int, 2: .byte, 3: .union(tag: 2, vectors), 4: .byte, 5: .union(tag: 4, vectors)])),
    ])
  }()

  /// Source: the TFLite metadata schema, version 1.5.0.
  package static let metadata: FlatSchema = {
    let file = FlatSchema([0: .string, 1: .string, 2: .byte, 3: .string, 4: .string])
    let unit = FlatSchema([
      0: .byte,
      1: .union(
        tag: 0,
        [
          1: FlatSchema([0: .floats, 1: .floats]), 2: FlatSchema([0: .byte, 1: .float]), 3: FlatSchema([0: .float]),
        ]),
    ])
    let content = FlatSchema([
      0: .byte,
      1: .union(
        tag: 0,
        [
          1: FlatSchema([:]), 2: FlatSchema([0: .byte, 1: .table(FlatSchema([0: .uint, 1: .uint]))]),
          3: FlatSchema([0: .ints, 1: .byte, 2: .byte]), 4: FlatSchema([0: .uint, 1: .uint]),
        ]),
      2: .table(FlatSchema([0: .int, 1: .int])),
    ])
    let tensor = FlatSchema([
      0: .string, 1: .string, 2: .strings, 3: .table(content), 4: .tables(unit),
      5: .table(FlatSchema([0: .floats, 1: .floats])),
      6: .tables(file),
    ])
    let group = FlatSchema([0: .string, 1: .strings])
    let subgraph = FlatSchema([
      0: .string, 1: .string, 2: .tables(tensor), 3: .tables(tensor), 4: .tables(file), 5: .tables(unit),
      6: .tables(unit),
      7: .tables(group), 8: .tables(group), 9: .tables(FlatSchema([0: .string, 1: .bytes])),
    ])
    return FlatSchema([
      0: .string, 1: .string, 2: .string, 3: .tables(subgraph), 4: .string, 5: .string, 6: .tables(file), 7: .string,
    ])
  }()
}

extension FlatKind {
  /// Creates the kind for the storage of an operator option.
  fileprivate init(_ storage: OptionStorage) {
    switch storage {
    case .int, .intCode, .subgraph(isSigned: true): self = .int
    case .uintCode, .subgraph(isSigned: false): self = .uint
    case .long: self = .long
    case .float: self = .float
    case .bool: self = .bool
    case .string: self = .string
    case .ints, .subgraphs: self = .ints
    case .longs: self = .longs
    case .floats: self = .floats
    case .bools: self = .bools
    case .flexible: self = .bytes
    case .elementType, .biasType, .byteCode: self = .byte
    case .unused: self = .int
    }
  }
}
