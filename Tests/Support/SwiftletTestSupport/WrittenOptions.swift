package import SwiftletSchema

/// The options of an operator that a test or a tool writes, by the names that readers use:
///
///     Conv2DOptions.with { [$0.padding(.valid), $0.strideWidth(2), $0.strideHeight(2)] }
///     .fieldless(.transpose)
package struct WrittenOptions: Sendable {
  /// The table's number in `OptionsTable.tag`.
  package var tag: Int
  /// The fields by number.
  package var fields: [Int: FlatValue]

  /// Creates options from raw numbers, for values that no table of the schema allows.
  package init(rawTag tag: Int, rawFields fields: [Int: FlatValue]) {
    self.tag = tag
    self.fields = fields
  }

  /// Returns the options with another value of a field.
  package func replacing(_ field: WrittenOptionField) -> WrittenOptions {
    var options = self
    options.fields[field.number] = field.value
    return options
  }

  /// The fields of the operator's own table that contain the options: the union's tag and the table, by number.
  package var operatorFields: [Int: FlatValue] {
    if tag >= OptionsTable.secondUnionBase {
      [11: .byte(Int8(truncatingIfNeeded: tag - OptionsTable.secondUnionBase)), 12: .table(fields)]
    } else if tag > 0 {
      [3: .byte(Int8(truncatingIfNeeded: tag)), 4: .table(fields)]
    } else {
      [:]
    }
  }
}

extension OptionSchema {
  /// Returns the table with these fields; all others are omitted.
  package static func with(_ fields: (Self.Type) -> [WrittenOptionField]) -> WrittenOptions {
    let pairs = fields(Self.self).map { ($0.number, $0.value) }
    return WrittenOptions(rawTag: tag, rawFields: Dictionary(uniqueKeysWithValues: pairs))
  }

  /// The table without any fields, so that all have their defaults.
  package static var empty: WrittenOptions { WrittenOptions(rawTag: tag, rawFields: [:]) }
}

/// A field of options with its value.
package struct WrittenOptionField: Sendable {
  fileprivate let number: Int
  fileprivate let value: FlatValue

  fileprivate init(_ definition: OptionDefinition, _ value: FlatValue) {
    number = definition.number
    self.value = value
  }
}

// MARK: - Fields with values

extension OptionField {
  /// Returns the field with a value that can be invalid for its type.
  package func callAsFunction(raw value: FlatValue) -> WrittenOptionField { WrittenOptionField(definition, value) }
}

extension OptionField where Value == Bool {
  package func callAsFunction(_ value: Bool) -> WrittenOptionField { WrittenOptionField(definition, .bool(value)) }
}

extension OptionField where Value == Int {
  package func callAsFunction(_ value: some BinaryInteger) -> WrittenOptionField {
    WrittenOptionField(definition, .number(value, definition.storage))
  }
}

extension OptionField where Value == Float {
  package func callAsFunction(_ value: Float) -> WrittenOptionField { WrittenOptionField(definition, .float(value)) }
}

extension OptionField where Value == String {
  package func callAsFunction(_ value: String) -> WrittenOptionField { WrittenOptionField(definition, .string(value)) }
}

extension OptionField where Value == [Int] {
  package func callAsFunction(_ values: [some BinaryInteger]) -> WrittenOptionField { self(values.map { Int($0) }) }

  package func callAsFunction(_ values: [Int]) -> WrittenOptionField {
    let isLong = if case .longs = definition.storage { true } else { false }
    return WrittenOptionField(definition, isLong ? .longs(values.map { Int64($0) }) : .ints(values.map { Int32($0) }))
  }
}

extension OptionField where Value == [Float] {
  package func callAsFunction(_ values: [Float]) -> WrittenOptionField {
    WrittenOptionField(definition, .floats(values))
  }
}

extension OptionField where Value: RawRepresentable, Value.RawValue: BinaryInteger {
  package func callAsFunction(_ member: Value) -> WrittenOptionField { self(code: member.rawValue) }

  /// Returns the field with the number of a member, or with a number that the enumeration doesn't have.
  package func callAsFunction(code: some BinaryInteger) -> WrittenOptionField {
    WrittenOptionField(definition, .number(code, definition.storage))
  }
}

extension FlatValue {
  fileprivate static func number(_ value: some BinaryInteger, _ storage: OptionStorage) -> FlatValue {
    switch storage {
    case .byteCode, .elementType, .biasType: .byte(Int8(value))
    case .uintCode, .subgraph(isSigned: false): .uint(UInt32(value))
    case .long: .long(Int64(value))
    default: .int(Int32(value))
    }
  }
}
