package import SwiftletFlatBuffers

/// An operator's option table, not yet interpreted: the operator that owns the fields reads them by field id.
///
/// An absent table or field gives the default. A field whose bytes lie outside the file throws.
///
/// - Thread safety: callable concurrently.
package struct OptionsTable: Sendable {
  /// The union tag under which the table was stored; 0 when there is none. Members of the second options union have
  /// their tag plus `secondUnionBase`.
  package var tag: Int
  /// `nil` when the table is absent, or of a kind that this reader does not know.
  package var table: FlatTable?

  package static let secondUnionBase = 1000
  package static let absent = OptionsTable(tag: 0)

  package init(tag: Int, table: FlatTable? = nil) {
    self.tag = tag
    self.table = table
  }

  // Vectors in options are dimension lists and the like. Offsets may share one long vector among many operators, so
  // they get a limit of their own instead of a share of the file's budget.
  private static let longestIntegerVector = 1024
  private static let longestFloatVector = 65_536
  private static let longestText = 65_536

  /// Whether the field is stored, rather than left to its default.
  package func has(_ field: Int) -> Bool { table?.has(Self.field(field)) ?? false }

  /// A `bool` field.
  package func bool(_ field: Int, default defaultValue: Bool = false) throws(SchemaError) -> Bool {
    try scalar(field, storedAs: UInt8.self).map { $0 != 0 } ?? defaultValue
  }

  /// An `int` (32-bit) field.
  package func int(_ field: Int, default defaultValue: Int = 0) throws(SchemaError) -> Int {
    try scalar(field, storedAs: Int32.self).map { Int($0) } ?? defaultValue
  }

  /// A `uint` (32-bit) field.
  package func uint(_ field: Int, default defaultValue: Int = 0) throws(SchemaError) -> Int {
    try scalar(field, storedAs: UInt32.self).map { Int($0) } ?? defaultValue
  }

  /// A `long` (64-bit) field.
  package func long(_ field: Int, default defaultValue: Int = 0) throws(SchemaError) -> Int {
    try scalar(field, storedAs: Int64.self).map { Int($0) } ?? defaultValue
  }

  /// A `float` field.
  package func float(_ field: Int, default defaultValue: Float = 0) throws(SchemaError) -> Float {
    try scalar(field, storedAs: UInt32.self).map { Float(bitPattern: $0) } ?? defaultValue
  }

  /// A field of an enumeration stored in one byte.
  package func byte(_ field: Int, default defaultValue: Int = 0) throws(SchemaError) -> Int {
    try scalar(field, storedAs: Int8.self).map { Int($0) } ?? defaultValue
  }

  /// A text field, or `nil` when it is absent.
  package func string(_ field: Int) throws(SchemaError) -> String? {
    try vector(field, longest: Self.longestText) { (table, field, budget) throws(FlatBufferError) in
      try table.string(field, budget: &budget)
    }
  }

  /// An `[int]` field (32-bit elements); empty when it is absent.
  package func ints(_ field: Int) throws(SchemaError) -> [Int] {
    try vector(field, longest: Self.longestIntegerVector) { (table, field, budget) throws(FlatBufferError) in
      try table.integers(field, storedAs: Int32.self, budget: &budget)
    } ?? []
  }

  /// A `[long]` field (64-bit elements); empty when it is absent.
  package func longs(_ field: Int) throws(SchemaError) -> [Int] {
    try vector(field, longest: Self.longestIntegerVector) { (table, field, budget) throws(FlatBufferError) in
      try table.integers(field, storedAs: Int64.self, budget: &budget)
    } ?? []
  }

  /// A `[float]` field; empty when it is absent.
  package func floats(_ field: Int) throws(SchemaError) -> [Float] {
    try vector(field, longest: Self.longestFloatVector) { (table, field, budget) throws(FlatBufferError) in
      try table.floats(field, budget: &budget)
    } ?? []
  }

  /// A `[bool]` field; empty when it is absent.
  package func bools(_ field: Int) throws(SchemaError) -> [Bool] {
    try vector(field, longest: Self.longestIntegerVector) { (table, field, budget) throws(FlatBufferError) in
      try table.bools(field, budget: &budget)
    } ?? []
  }

  /// A `[ubyte]` field, not copied; `nil` when it is absent.
  package func bytes(_ field: Int) throws(SchemaError) -> ByteRegion? {
    guard let table else { return nil }
    return try reading { () throws(FlatBufferError) in try table.bytes(Self.field(field)) }
  }

  /// Made once: loading reads some fields of every operator.
  private static let commonFields = (0..<24).map { FlatField($0, "options field \($0)") }

  static func field(_ id: Int) -> FlatField {
    commonFields.indices.contains(id) ? commonFields[id] : FlatField(id, "options field \(id)")
  }

  private func scalar<Value: FixedWidthInteger>(_ field: Int, storedAs: Value.Type) throws(SchemaError) -> Value? {
    guard let table else { return nil }
    let bits = try reading { () throws(FlatBufferError) in
      try table.bits(of: Self.field(field), byteCount: MemoryLayout<Value>.size)
    }
    return bits.map { Value(truncatingIfNeeded: $0) }
  }

  private func vector<Value>(
    _ field: Int, longest: Int,
    _ read: (FlatTable, FlatField, inout FlatBufferBudget) throws(FlatBufferError) -> Value?
  ) throws(SchemaError) -> Value? {
    guard let table else { return nil }
    var budget = FlatBufferBudget(limits: FlatBufferLimits(elements: longest), byteCount: table.region.count)
    return try reading { () throws(FlatBufferError) in try read(table, Self.field(field), &budget) }
  }
}
