import SwiftletEngine
import SwiftletSchema

/// MATRIX_SET_DIAG: matrices with other elements on their diagonals.
///
/// - Shapes: matrices `[…, rows, columns]`; diagonals `[…, min(rows, columns)]`.
/// - Types: every type of whole bytes.
/// - Source: operator 115 of the model format.
struct MatrixSetDiagOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.matrixSetDiag, versions: 1...1, types: .uniform(TypeSet.plain.types))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let matrices = try node.input(0)
    let diagonals = try node.input(1)
    let rank = matrices.shape.rank
    guard rank >= 2,
      diagonals.shape.dimensions
        == matrices.shape.dimensions.dropLast(2) + [min(matrices.shape[rank - 2], matrices.shape[rank - 1])]
    else { throw node.invalid("diagonals \(diagonals) do not fit the matrices \(matrices)") }
    return [matrices.shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let shape = try context.node.output(0).shape
    guard shape.elementCount > 0 else { return .empty }
    let (rows, columns) = (shape[shape.rank - 2], shape[shape.rank - 1])
    let elementBytes = try context.node.elementBytes(ofInput: 0)
    let matrices = try context.inputSlot(0)
    let diagonals = try context.inputSlot(1)
    let destination = try context.outputSlot(0)
    let rowBytes = columns * elementBytes
    let diagonalCount = min(rows, columns)
    return PreparedOperator(items: shape.elementCount / columns, cost: Double(rowBytes) * 0.05 + 5) { run, items in
      for item in items {
        let to = run.pointer(destination).advanced(by: item &* rowBytes)
        to.copyMemory(from: run.pointer(matrices).advanced(by: item &* rowBytes), byteCount: rowBytes)
        let (matrix, row) = item.quotientAndRemainder(dividingBy: rows)
        guard row < diagonalCount else { continue }
        moveBytes(
          elementBytes, from: run.pointer(diagonals).advanced(by: (matrix &* diagonalCount &+ row) &* elementBytes),
          to: to.advanced(by: row &* elementBytes))
      }
    }
  }
}
