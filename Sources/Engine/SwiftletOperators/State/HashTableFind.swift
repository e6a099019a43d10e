import SwiftletEngine
import SwiftletSchema

/// HASHTABLE_FIND: the values of keys, or a default.
///
/// - Shapes: keys of any shape, which is the output's; default of one element.
/// - Types: keys int64, default and output string; or keys string, default and output int64.
/// - Throws: `invalidInput` in a run when nothing was imported.
/// - Source: operator 137 of the model format.
struct HashTableFindOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .hashtableFind, versions: 1...1,
      types: .one(.variableHandle, .int64, .string, to: .string) + .one(.variableHandle, .string, .int64, to: .int64))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  /// What it finds depends on the table.
  var isPure: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    guard try node.input(2).shape.elementCount >= 1 else {
      throw node.invalid("takes a default value, got \(try node.input(2))")
    }
    return [try node.input(1).shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let keys = try context.node.input(1)
    let table = try HashTable(
      context, HashTable.Types(key: keys.elementType, value: try context.node.output(0).elementType))
    let (source, missing, destination) = (
      try context.inputSlot(1), try context.inputSlot(2), try context.outputSlot(0)
    )
    let count = keys.shape.elementCount
    return PreparedOperator(items: count, cost: 100) { run, items in
      let contents = try table.contents(run)
      let (keys, values) = (run.pointer(source, as: UInt64.self), run.pointer(destination, as: UInt64.self))
      let other = run.pointer(missing, as: UInt64.self).pointee
      for index in items { values[index] = contents.value(of: keys[index]) ?? other }
    }
  }
}
