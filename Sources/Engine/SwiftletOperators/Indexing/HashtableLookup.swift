import SwiftletEngine
import SwiftletSchema

/// HASHTABLE_LOOKUP: rows of a table by sorted keys, and whether they were found; rows that are not are zero.
///
/// - Shapes: queries `[n]`; keys `[rows]`, ascending; table `[rows, …]`; outputs `[n, …]` and `[n]`.
/// - Types: queries and keys int32; table of every type of fixed size, and strings; hits uint8.
/// - Source: operator 10 of the model format.
struct HashtableLookupOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .hashtableLookup, versions: 1...1,
      types: TypeSet.movable.types.map {
        TypeCombination(inputs: [.int32, .int32, TypeSet($0)], outputs: [TypeSet($0), .uint8])
      })
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3, outputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (queries, keys, table) = (try node.input(0), try node.input(1), try node.input(2))
    guard queries.shape.rank == 1, keys.shape.rank == 1, table.shape.dimensions.first == keys.shape[0] else {
      throw node.invalid(
        "queries \(queries) and keys \(keys) must be vectors, with one key for each row of table \(table)")
    }
    return [Shape([queries.shape[0]] + table.shape.dimensions.dropFirst()), queries.shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let table = try context.node.input(2).shape
    let keyCount = table[0]
    let bytes = table.elementCount(1..<table.rank) &* (try context.node.elementBytes(ofInput: 2))
    let (queries, keys, rows) = (try context.inputSlot(0), try context.inputSlot(1), try context.inputSlot(2))
    let (output, hits) = (try context.outputSlot(0), try context.outputSlot(1))
    let zero = ElementFill(0, elementBytes: 1)
    let cost = Double(bytes) * 0.05 + 30
    return PreparedOperator(items: try context.node.input(0).shape[0], cost: cost) { run, items in
      let keys = run.pointer(keys, as: Int32.self)
      for item in items {
        let query = run.pointer(queries, as: Int32.self)[item]
        var (low, high) = (0, keyCount)
        while low < high {
          let middle = (low &+ high) / 2
          if keys[middle] < query { low = middle &+ 1 } else { high = middle }
        }
        let isHit = low < keyCount && keys[low] == query
        run.pointer(hits, as: UInt8.self)[item] = isHit ? 1 : 0
        let to = run.pointer(output).advanced(by: item &* bytes)
        if isHit {
          to.copyMemory(from: run.pointer(rows).advanced(by: low &* bytes), byteCount: bytes)
        } else {
          zero.fill(to, byteCount: bytes)
        }
      }
    }
  }
}
