import SwiftletFlatBuffers

/// A reader that converts tables to values within one budget and reports errors as `SchemaError`.
protocol TableReader {
  var budget: FlatBufferBudget { get set }
}

extension TableReader {
  /// Runs `body` with the budget, and converts its error to a `SchemaError`.
  mutating func read<Value>(
    _ body: (inout FlatBufferBudget) throws(FlatBufferError) -> Value
  ) throws(SchemaError) -> Value {
    do {
      return try body(&budget)
    } catch {
      throw SchemaError(error)
    }
  }

  /// Returns the table in a field, or `nil` if it is absent.
  mutating func table(_ field: FlatField, of table: FlatTable) throws(SchemaError) -> FlatTable? {
    try read { (budget) throws(FlatBufferError) in try table.table(field, budget: &budget) }
  }

  /// Returns the tables of a vector; empty if it is absent.
  mutating func tables(_ field: FlatField, of table: FlatTable) throws(SchemaError) -> [FlatTable] {
    try read { (budget) throws(FlatBufferError) in try table.tables(field, budget: &budget) } ?? []
  }

  /// Returns one value per table of a vector, created by `element`. Errors name the element.
  mutating func values<Value>(
    _ field: FlatField, of table: FlatTable, _ element: (inout Self, FlatTable) throws(SchemaError) -> Value
  ) throws(SchemaError) -> [Value] {
    var values: [Value] = []
    for (index, table) in try tables(field, of: table).enumerated() {
      values.append(
        try locating("\(field.name)[\(index)]") { () throws(SchemaError) in try element(&self, table) })
    }
    return values
  }

  /// Returns the value that `make` creates from the table in a field, or `nil` if the field is absent. Errors name the
  /// field.
  mutating func value<Value>(
    _ field: FlatField, of table: FlatTable, _ make: (inout Self, FlatTable) throws(SchemaError) -> Value
  ) throws(SchemaError) -> Value? {
    guard let table = try self.table(field, of: table) else { return nil }
    return try locating(field.name) { () throws(SchemaError) in try make(&self, table) }
  }

  mutating func string(_ field: FlatField, of table: FlatTable) throws(SchemaError) -> String? {
    try read { (budget) throws(FlatBufferError) in try table.string(field, budget: &budget) }
  }

  /// Returns the elements of a vector of strings; empty if it is absent.
  mutating func strings(_ field: FlatField, of table: FlatTable) throws(SchemaError) -> [String] {
    try read { (budget) throws(FlatBufferError) in try table.strings(field, budget: &budget) } ?? []
  }

  /// Returns the elements of an `[int]` vector; `nil` if it is absent.
  mutating func ints(_ field: FlatField, of table: FlatTable) throws(SchemaError) -> [Int]? {
    try read { (budget) throws(FlatBufferError) in
      try table.integers(field, storedAs: Int32.self, budget: &budget)
    }
  }

  /// Returns the elements of a `[float]` vector; empty if it is absent.
  mutating func floats(_ field: FlatField, of table: FlatTable) throws(SchemaError) -> [Float] {
    try read { (budget) throws(FlatBufferError) in try table.floats(field, budget: &budget) } ?? []
  }

  mutating func integer<Value: FixedWidthInteger>(
    _ field: FlatField, of table: FlatTable, default defaultValue: Value
  ) throws(SchemaError) -> Value {
    let bits = try read { (_) throws(FlatBufferError) in try table.bits(of: field, byteCount: MemoryLayout<Value>.size)
    }
    return bits.map { Value(truncatingIfNeeded: $0) } ?? defaultValue
  }

  /// Returns a 32-bit signed field; 0 if it is absent.
  mutating func int(_ field: FlatField, of table: FlatTable) throws(SchemaError) -> Int {
    Int(try integer(field, of: table, default: Int32(0)))
  }

  /// Returns a 32-bit unsigned field; 0 if it is absent.
  mutating func uint(_ field: FlatField, of table: FlatTable) throws(SchemaError) -> Int {
    Int(try integer(field, of: table, default: UInt32(0)))
  }

  /// Returns a `float` field; 0 if it is absent.
  mutating func float(_ field: FlatField, of table: FlatTable) throws(SchemaError) -> Float {
    try read { (_) throws(FlatBufferError) in try table.float(field, default: 0) }
  }

  /// Returns a `bool` field; false if it is absent.
  mutating func bool(_ field: FlatField, of table: FlatTable) throws(SchemaError) -> Bool {
    try read { (_) throws(FlatBufferError) in try table.bool(field, default: false) }
  }

  /// Returns an enumeration field that is stored in one byte. Unknown values become `unknown`.
  mutating func enumeration<Value: RawRepresentable<Int8>>(
    _ field: FlatField, of table: FlatTable, unknown: Value
  ) throws(SchemaError) -> Value {
    Value(rawValue: try integer(field, of: table, default: Int8(0))) ?? unknown
  }
}
