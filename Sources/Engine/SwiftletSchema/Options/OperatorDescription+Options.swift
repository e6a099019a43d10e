package import SwiftletFlatBuffers

extension OperatorDescription {
  /// An option formatted as text.
  package struct Option: Sendable, Hashable {
    /// The schema's field name, or the key in a custom operator's map.
    package var name: String
    package var value: String
    /// The subgraphs that the value refers to.
    package var subgraphs: [Int] = []
  }

  /// All options that the file stores for the operator, with default values for omitted fields; empty if it stores
  /// none. The value of an unreadable field is the error.
  package var namedOptions: [Option] {
    var options: [Option] = []
    if self.options.table != nil {
      for field in OptionSchemas.fields(ofTable: self.options.tag) {
        do {
          options += try read(field)
        } catch {
          options.append(Option(name: "field \(field.number)", value: "cannot be read: \(error)"))
        }
      }
    }
    return options + customOptionList
  }

  private func read(_ field: OptionDefinition) throws(SchemaError) -> [Option] {
    let name = field.name.description
    func one(_ value: some CustomStringConvertible) -> [Option] { [Option(name: name, value: value.description)] }
    func list(_ values: [some CustomStringConvertible]) -> [Option] {
      one(values.map(\.description).joined(separator: ", "))
    }
    switch field.storage {
    case .int, .long: return one(try options.integer(field))
    case .float: return one(try options.float(field))
    case .bool: return one(try options.bool(field))
    case .string: return one(try options.string(field) ?? "")
    case .ints, .longs: return list(try options.integers(field))
    case .floats: return list(try options.floats(field))
    case .bools: return list(try options.bools(field))
    case .byteCode(let names), .intCode(let names), .uintCode(let names):
      let value = try options.integer(field)
      let members = names.description.split(separator: " ")
      return one(members.indices.contains(value) ? String(members[value]) : "unknown (\(value))")
    case .elementType: return one(Self.typeName(try options.integer(field)))
    case .biasType:
      let value = try options.integer(field)
      return value == 0 ? [] : one(Self.typeName(value))
    case .subgraph:
      let value = try options.integer(field)
      return [Option(name: name, value: String(value), subgraphs: [value])]
    case .subgraphs:
      let values = try options.integers(field)
      return [Option(name: name, value: values.map(String.init).joined(separator: ", "), subgraphs: values)]
    case .flexible:
      guard let bytes = try options.bytes(field), bytes.count > 0 else { return [] }
      let value = try reading { () throws(FlatBufferError) in try FlexBufferValue(bytes) }
      return Self.entries(value)?.map { Option(name: name + "." + $0.name, value: $0.value) } ?? one(Self.text(value))
    case .unused: return []
    }
  }

  private static func typeName(_ value: Int) -> String {
    Int8(exactly: value).flatMap(ElementType.init)?.name ?? "unknown (\(value))"
  }

  /// The entries of a custom operator's map, or the size of its raw bytes.
  private var customOptionList: [Option] {
    guard customOptions.count > 0 else { return [] }
    if let value = try? customOptionValues(), let entries = Self.entries(value) { return entries }
    return [Option(name: "custom_options", value: "\(customOptions.count) bytes")]
  }

  private static func entries(_ value: FlexBufferValue) -> [Option]? {
    guard case .map(let entries) = value else { return nil }
    return entries.map { Option(name: $0.key, value: text($0.value)) }
  }

  private static func text(_ value: FlexBufferValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): String(value)
    case .int(let value): String(value)
    case .uint(let value): String(value)
    case .float(let value): value.description
    case .string(let value): value
    case .blob(let bytes): "\(bytes.count) bytes"
    case .vector(let elements), .typedVector(let elements): "[" + elements.map(text).joined(separator: ", ") + "]"
    case .map(let entries): "{" + entries.map { $0.key + ": " + text($0.value) }.joined(separator: ", ") + "}"
    }
  }
}

extension OperatorDescription {
  /// Returns the custom options as FlexBuffer values; `null` if there are none.
  ///
  /// Many custom operators store a map there. Others store bytes in a custom format, which must not be read as a
  /// FlexBuffer.
  ///
  /// - Throws: `SchemaError` if the bytes aren't a FlexBuffer.
  package func customOptionValues() throws(SchemaError) -> FlexBufferValue {
    guard customOptions.count > 0 else { return .null }
    return try locating("custom_options") { () throws(SchemaError) in
      try reading { () throws(FlatBufferError) in try FlexBufferValue(customOptions) }
    }
  }

  /// Returns the attributes of a `STABLEHLO_COMPOSITE` as FlexBuffer values; `null` if there are none.
  ///
  /// - Throws: `SchemaError` if the bytes aren't a FlexBuffer.
  package func compositeAttributes() throws(SchemaError) -> FlexBufferValue {
    guard code.kind == .builtin(.stablehloComposite),
      let bytes = try options[StableHLOCompositeOptions.compositeAttributes], bytes.count > 0
    else { return .null }
    return try locating("composite_attributes") { () throws(SchemaError) in
      try reading { () throws(FlatBufferError) in try FlexBufferValue(bytes) }
    }
  }
}
