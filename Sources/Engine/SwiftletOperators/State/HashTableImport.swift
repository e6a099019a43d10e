import SwiftletEngine
import SwiftletSchema

/// HASHTABLE_IMPORT: fills a hash table, once; later imports do nothing.
///
/// - Shapes: keys and values of one shape.
/// - Types: int64 and string, or string and int64; strings are constant.
/// - Source: operator 138 of the model format. Of equal keys the first counts.
struct HashTableImportOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .hashtableImport, versions: 1...1,
      types: .one(.variableHandle, .int64, .string, to: []) + .one(.variableHandle, .string, .int64, to: []))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3, outputs: 0...0) }

  var isPure: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (keys, values) = (try node.input(1), try node.input(2))
    guard keys.shape == values.shape else {
      throw node.invalid("takes as many keys as values, got \(keys) and \(values)")
    }
    return []
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let (keys, values) = (try node.input(1), try node.input(2))
    // Strings of inputs are forgotten some runs later.
    guard node.isConstant(keys.elementType == .string ? 1 : 2) else {
      throw node.invalid("the strings of a hash table, \(keys) and \(values), must be constant")
    }
    let count = keys.shape.elementCount
    let table = try HashTable(
      context, HashTable.Types(key: keys.elementType, value: values.elementType), capacity: count)
    let (keySlot, valueSlot) = (try context.inputSlot(1), try context.inputSlot(2))
    return PreparedOperator(stages: table.filling(keys: keySlot, values: valueSlot, count: count))
  }
}
