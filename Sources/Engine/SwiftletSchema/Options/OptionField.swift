/// A field of an operator's options: what its table calls it, how it is stored and what it is when it is left out.
///
/// `Value` is what the field says. For a member of an enumeration it is the enumeration, though a file may hold any
/// number there.
package struct OptionField<Value>: Sendable {
  package let definition: OptionDefinition

  package init(_ number: Int, _ name: StaticString, _ storage: OptionStorage) {
    definition = OptionDefinition(number: number, name: name, storage: storage)
  }
}

/// A field without the type of its values, for code that goes over all fields of a table.
///
/// All of it is constant, so that fields need neither memory nor an initialiser.
package struct OptionDefinition: Sendable {
  /// The field's number in its table.
  package let number: Int
  /// The schema's name.
  package let name: StaticString
  package let storage: OptionStorage
}

/// How a field is stored, with the default of those that have another than 0, `false` or nothing.
package enum OptionStorage: Sendable {
  case bool(default: Bool)
  /// 32 bits.
  case int(default: Int)
  /// 64 bits.
  case long
  case float
  case string
  case ints, longs, floats, bools
  /// FlexBuffer values.
  case flexible
  /// An element type in one byte.
  case elementType(default: ElementType)
  /// The element type of a bias in one byte; 0 means that the operator decides.
  case biasType
  /// A member of an enumeration, whose schema names stand here in the order of their numbers.
  case byteCode(StaticString), intCode(StaticString), uintCode(StaticString)
  /// The number of a subgraph, or of several.
  case subgraph(isSigned: Bool), subgraphs
  /// A field of the schema that readers ignore.
  case unused
}
