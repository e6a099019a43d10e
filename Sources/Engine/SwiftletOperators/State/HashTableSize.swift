import SwiftletEngine
import SwiftletSchema

/// HASHTABLE_SIZE: how many keys a hash table has.
///
/// - Shapes: output `[1]`.
/// - Types: int64.
/// - Throws: `invalidInput` in a run when nothing was imported.
/// - Source: operator 139 of the model format.
struct HashTableSizeOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.hashtableSize, versions: 1...1, types: .one(.variableHandle, to: .int64))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 1...1) }

  /// It depends on the table.
  var isPure: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [[1]] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let table = try HashTable(context, nil)
    let destination = try context.outputSlot(0)
    return PreparedOperator { run, _ in
      run.pointer(destination, as: Int64.self).pointee = Int64(try table.contents(run).count)
    }
  }
}
