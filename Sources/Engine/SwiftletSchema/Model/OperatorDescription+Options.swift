import SwiftletFlatBuffers

extension OperatorDescription {
  /// An option as it would be written down.
  package struct Option: Sendable, Hashable {
    /// The schema's name of the field, or the key in a custom operator's map.
    package var name: String
    package var value: String
    /// The subgraphs that the value names.
    package var subgraphs: [Int] = []
  }

  /// All options that the file stores for the operator, with the defaults of what is left out; nothing where it stores
  /// none. A field that cannot be read says so in its value.
  package var namedOptions: [Option] {
    var options: [Option] = []
    if self.options.table != nil {
      for (id, field) in OptionField.fields(ofTable: self.options.tag).enumerated() {
        do {
          options += try read(field, id)
        } catch {
          options.append(Option(name: "field \(id)", value: "cannot be read: \(error)"))
        }
      }
    }
    return options + customOptionList
  }

  private func read(_ field: OptionField, _ id: Int) throws(SchemaError) -> [Option] {
    func one(_ name: String, _ value: some CustomStringConvertible) -> [Option] {
      [Option(name: name, value: value.description)]
    }
    func list(_ name: String, _ values: [some CustomStringConvertible]) -> [Option] {
      [Option(name: name, value: values.map(\.description).joined(separator: ", "))]
    }
    func named(_ name: String, _ names: [String], _ value: Int) -> [Option] {
      one(name, names.indices.contains(value) ? names[value] : "unknown (\(value))")
    }
    switch field {
    case .int(let name, let fallback): return one(name, try options.int(id, default: fallback))
    case .uint(let name, let fallback): return one(name, try options.uint(id, default: fallback))
    case .long(let name, let fallback): return one(name, try options.long(id, default: fallback))
    case .float(let name): return one(name, try options.float(id))
    case .bool(let name, let fallback): return one(name, try options.bool(id, default: fallback))
    case .string(let name): return one(name, try options.string(id) ?? "")
    case .ints(let name): return list(name, try options.ints(id))
    case .longs(let name): return list(name, try options.longs(id))
    case .floats(let name): return list(name, try options.floats(id))
    case .bools(let name): return list(name, try options.bools(id))
    case .byte(let name, let names): return named(name, names, try options.byte(id))
    case .word(let name, let names): return named(name, names, try options.uint(id))
    case .type(let name, let fallback):
      return one(name, Self.typeName(try options.byte(id, default: Int(fallback.rawValue))))
    case .biasType:
      let value = try options.byte(id)
      return value == 0 ? [] : one("quantized_bias_type", Self.typeName(value))
    case .subgraph(let name):
      let value = try options.int(id)
      return [Option(name: name, value: String(value), subgraphs: [value])]
    case .subgraphs(let name):
      let values = try options.ints(id)
      return [Option(name: name, value: values.map(String.init).joined(separator: ", "), subgraphs: values)]
    case .flexible(let name):
      guard let bytes = try options.bytes(id), bytes.count > 0 else { return [] }
      let value = try reading { () throws(FlatBufferError) in try FlexBufferValue(bytes) }
      return Self.entries(value)?.map { Option(name: name + "." + $0.name, value: $0.value) }
        ?? one(name, Self.text(value))
    case .unused: return []
    }
  }

  private static func typeName(_ value: Int) -> String {
    Int8(exactly: value).flatMap(ElementType.init)?.name ?? "unknown (\(value))"
  }

  /// A custom operator's map, or how many bytes it keeps of its own.
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
