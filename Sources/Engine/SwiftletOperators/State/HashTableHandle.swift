import SwiftletEngine
import SwiftletSchema

/// HASHTABLE: names the hash table that the other operators work on.
///
/// - Throws: for other types than numbers for strings and strings for numbers.
/// - Source: operator 136 of the model format. Handles of the same number are the same table, in every subgraph.
struct HashTableHandleOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.hashtable, versions: 1...1, types: .one([], to: .variableHandle))
  }

  private let key: StateKey
  var role: OperatorRole { .names(key) }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 0...0)
    func type(_ field: OptionField<ElementType>) throws -> ElementType {
      let code = try node.options.code(of: field)
      guard let code = Int8(exactly: code), let type = ElementType(rawValue: code) else {
        throw node.invalid("has keys or values of type \(code), which the format does not define")
      }
      return type
    }
    let types = HashTable.Types(
      key: try type(HashtableOptions.keyDataType), value: try type(HashtableOptions.valueDataType))
    guard types.isSupported else {
      throw node.invalid(
        "maps \(types.key.name) to \(types.value.name); only int64 to string and string to int64 are defined")
    }
    key = .numbered(try node.options[HashtableOptions.tableID], types: [types.key, types.value])
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [[1]] }
  func prepare(_ context: PrepareContext) throws -> PreparedOperator { .empty }
}
