import SwiftletBase
import SwiftletEngine

extension PreparedOperator {
  /// Output 0, of int32 or int64, with these values.
  ///
  /// - Throws: for a value that int32 cannot hold.
  static func storing(_ values: [Int], _ context: PrepareContext) throws -> PreparedOperator {
    let output = try context.outputSlot(0)
    if try context.node.output(0).elementType == .int64 {
      return PreparedOperator { run, _ in
        let elements = run.pointer(output, as: Int64.self)
        for (index, value) in values.enumerated() { elements[index] = Int64(value) }
      }
    }
    let narrow = values.compactMap { Int32(exactly: $0) }
    guard narrow.count == values.count else { throw context.node.invalid("\(values.excerpt) do not fit into int32") }
    return PreparedOperator { run, _ in
      let elements = run.pointer(output, as: Int32.self)
      for (index, value) in narrow.enumerated() { elements[index] = value }
    }
  }
}
