import SwiftletEngine
import SwiftletSchema

/// MATRIX_DIAG: square matrices with the input's vectors on their diagonals and zeros elsewhere.
///
/// - Shapes: input `[…, n]`; output `[…, n, n]`.
/// - Types: every type of whole bytes.
/// - Source: operator 113 of the model format.
struct MatrixDiagOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.matrixDiag, versions: 1...1, types: .uniform(TypeSet.plain.types))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 1...1) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    guard let size = input.shape.dimensions.last else {
      throw node.invalid("input \(input) must have at least one axis")
    }
    return [Shape(input.shape.dimensions + [size])]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let output = try context.node.output(0).shape
    guard output.elementCount > 0 else { return .empty }
    let size = output.innermost
    let elementBytes = try context.node.elementBytes(ofInput: 0)
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let rowBytes = size * elementBytes
    let zero = ElementFill(0, elementBytes: elementBytes)
    return PreparedOperator(items: output.elementCount / size, cost: Double(rowBytes) * 0.05 + 5) { run, rows in
      for row in rows {
        let to = run.pointer(destination).advanced(by: row &* rowBytes)
        zero.fill(to, byteCount: rowBytes)
        moveBytes(
          elementBytes, from: run.pointer(source).advanced(by: row &* elementBytes),
          to: to.advanced(by: row % size &* elementBytes))
      }
    }
  }
}

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
