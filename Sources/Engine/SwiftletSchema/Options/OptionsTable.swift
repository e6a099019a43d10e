package import SwiftletBase
package import SwiftletFlatBuffers

/// An operator's option table. The operator that owns the fields reads them by name, as in
/// `options[Conv2DOptions.strideWidth]`.
///
/// An absent table or field reads as its default. Reading a field whose bytes are outside the file throws an error.
///
/// - Thread safety: callable concurrently.
package struct OptionsTable: Sendable {
  /// The union tag of the stored table; 0 if there is none. Members of the second options union have their tag plus
  /// `secondUnionBase`.
  package var tag: Int
  /// The table, or `nil` if it is absent or of a kind that this reader doesn't know.
  package var table: FlatTable?

  package static let secondUnionBase = 1000
  package static let absent = OptionsTable(tag: 0)

  package init(tag: Int, table: FlatTable? = nil) {
    self.tag = tag
    self.table = table
  }

  // Vectors in options are short, for example dimension lists. Many operators may share one long vector through
  // offsets, so vectors have their own limit instead of a share of the file's budget.
  private static let maximumIntegerVector = 1024
  private static let maximumFloatVector = 65_536
  private static let maximumText = 65_536

  /// Returns whether the field is stored. Otherwise it has its default value.
  package func has<Value>(_ field: OptionField<Value>) -> Bool { table?.has(Self.field(field.definition)) ?? false }

  // Overloads instead of one generic subscript, so that reading a field needs no run-time lookup of its type's
  // conformances.

  package subscript(field: OptionField<Bool>) -> Bool {
    get throws(SchemaError) { try bool(field.definition) }
  }

  package subscript(field: OptionField<Int>) -> Int {
    get throws(SchemaError) { try integer(field.definition) }
  }

  package subscript(field: OptionField<Float>) -> Float {
    get throws(SchemaError) { try float(field.definition) }
  }

  /// Returns the string, or `nil` if the field is absent.
  package subscript(field: OptionField<String>) -> String? {
    get throws(SchemaError) { try string(field.definition) }
  }

  /// Returns the integers; empty if the field is absent.
  package subscript(field: OptionField<[Int]>) -> [Int] {
    get throws(SchemaError) { try integers(field.definition) }
  }

  /// Returns the floats; empty if the field is absent.
  package subscript(field: OptionField<[Float]>) -> [Float] {
    get throws(SchemaError) { try floats(field.definition) }
  }

  /// Returns the Booleans; empty if the field is absent.
  package subscript(field: OptionField<[Bool]>) -> [Bool] {
    get throws(SchemaError) { try bools(field.definition) }
  }

  /// Returns the bytes in the file, without a copy; `nil` if the field is absent.
  package subscript(field: OptionField<ByteRegion>) -> ByteRegion? {
    get throws(SchemaError) { try bytes(field.definition) }
  }

  /// Returns the number stored for an enumeration member. It can be any number that fits, even if no member has it.
  package func code<Member: RawRepresentable>(of field: OptionField<Member>) throws(SchemaError) -> Int {
    try integer(field.definition)
  }

  // MARK: Fields of any table, by how they are stored

  func bool(_ field: OptionDefinition) throws(SchemaError) -> Bool {
    if let bits = try scalar(field, storedAs: UInt8.self) { return bits != 0 }
    if case .bool(let value) = field.storage { return value }
    return false
  }

  /// Returns a number, or the number stored for an enumeration member.
  func integer(_ field: OptionDefinition) throws(SchemaError) -> Int {
    switch field.storage {
    case .int(let value): try scalar(field, storedAs: Int32.self).map { Int($0) } ?? value
    case .intCode, .subgraph(isSigned: true), .unused: try scalar(field, storedAs: Int32.self).map { Int($0) } ?? 0
    case .uintCode, .subgraph(isSigned: false): try scalar(field, storedAs: UInt32.self).map { Int($0) } ?? 0
    case .long: try scalar(field, storedAs: Int64.self).map { Int($0) } ?? 0
    case .byteCode, .biasType: try scalar(field, storedAs: Int8.self).map { Int($0) } ?? 0
    case .elementType(let value): try scalar(field, storedAs: Int8.self).map { Int($0) } ?? Int(value.rawValue)
    // Numeric fields never have these storage kinds.
    case .bool, .float, .string, .ints, .longs, .floats, .bools, .flexible, .subgraphs: 0
    }
  }

  func float(_ field: OptionDefinition) throws(SchemaError) -> Float {
    try scalar(field, storedAs: UInt32.self).map { Float(bitPattern: $0) } ?? 0
  }

  func string(_ field: OptionDefinition) throws(SchemaError) -> String? {
    try vector(field, longest: Self.maximumText) { (table, field, budget) throws(FlatBufferError) in
      try table.string(field, budget: &budget)
    }
  }

  func integers(_ field: OptionDefinition) throws(SchemaError) -> [Int] {
    let isLong = if case .longs = field.storage { true } else { false }
    return try vector(field, longest: Self.maximumIntegerVector) { (table, field, budget) throws(FlatBufferError) in
      isLong
        ? try table.integers(field, storedAs: Int64.self, budget: &budget)
        : try table.integers(field, storedAs: Int32.self, budget: &budget)
    } ?? []
  }

  func floats(_ field: OptionDefinition) throws(SchemaError) -> [Float] {
    try vector(field, longest: Self.maximumFloatVector) { (table, field, budget) throws(FlatBufferError) in
      try table.floats(field, budget: &budget)
    } ?? []
  }

  func bools(_ field: OptionDefinition) throws(SchemaError) -> [Bool] {
    try vector(field, longest: Self.maximumIntegerVector) { (table, field, budget) throws(FlatBufferError) in
      try table.bools(field, budget: &budget)
    } ?? []
  }

  func bytes(_ field: OptionDefinition) throws(SchemaError) -> ByteRegion? {
    guard let table else { return nil }
    return try reading { () throws(FlatBufferError) in try table.bytes(Self.field(field)) }
  }

  /// Cached, because loading a model reads some fields of every operator.
  private static let commonFields = (0..<24).map { FlatField($0, "options field \($0)") }

  private static func field(_ field: OptionDefinition) -> FlatField {
    let number = field.number
    return commonFields.indices.contains(number) ? commonFields[number] : FlatField(number, "options field \(number)")
  }

  private func scalar<Value: FixedWidthInteger>(_ field: OptionDefinition, storedAs: Value.Type) throws(SchemaError)
    -> Value?
  {
    guard let table else { return nil }
    let bits = try reading { () throws(FlatBufferError) in
      try table.bits(of: Self.field(field), byteCount: MemoryLayout<Value>.size)
    }
    return bits.map { Value(truncatingIfNeeded: $0) }
  }

  private func vector<Value>(
    _ field: OptionDefinition, longest: Int,
    _ read: (FlatTable, FlatField, inout FlatBufferBudget) throws(FlatBufferError) -> Value?
  ) throws(SchemaError) -> Value? {
    guard let table else { return nil }
    var budget = FlatBufferBudget(limits: FlatBufferLimits(elements: longest), byteCount: table.region.count)
    return try reading { () throws(FlatBufferError) in try read(table, Self.field(field), &budget) }
  }
}
