import SwiftletEngine
import SwiftletSchema

/// SPARSE_TO_DENSE: a default value everywhere, and given values where index vectors point.
///
/// - Shapes: indices scalar, `[n]` or `[n, rank]`; the output's shape `[rank]`; values scalar or `[n]`; default one
///   element.
/// - Types: indices and shape int32 or int64; values of every type of whole bytes.
/// - Throws: in a run, when an index is outside of its axis.
/// - Source: operator 68 of the model format.
struct SparseToDenseOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .sparseToDense, versions: 1...3,
      types: TypeSet.plain.types.map {
        TypeCombination(
          inputs: [[.int32, .int64], [.int32, .int64], TypeSet($0), TypeSet($0)], outputs: [TypeSet($0)])
      })
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 4...4) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let indices = try node.input(0)
    let values = try node.input(2)
    let shape = try node.integers(1)
    let depth = indices.shape.rank == 2 ? indices.shape[1] : 1
    guard indices.shape.rank <= 2, depth > 0, depth == shape.count, shape.allSatisfy({ $0 >= 0 }) else {
      throw node.invalid("indices \(indices) do not fit the shape \(shape)")
    }
    guard values.shape.rank == 0 || values.shape == [Self.count(indices.shape)],
      try node.input(3).shape.elementCount == 1
    else {
      throw node.invalid(
        "values \(values) must be one, or one for each of indices \(indices), and the default one element")
    }
    return [Shape(shape)]
  }

  private static func count(_ indices: Shape) -> Int { indices.rank == 0 ? 1 : indices[0] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let output = try node.output(0).shape
    let indices = try node.input(0).shape
    let elementBytes = try node.elementBytes(ofInput: 2)
    let vectors = try IndexVectors(input: 0, data: output, depth: output.rank, elementBytes: elementBytes, context)
    let count = Self.count(indices)
    let valueStride = try node.input(2).shape.rank == 0 ? 0 : elementBytes
    let values = try context.inputSlot(2)
    let absent = try context.inputSlot(3)
    let destination = try context.outputSlot(0)
    let fill = PreparedOperator.Stage(items: output.elementCount, cost: Double(elementBytes) * 0.05) { run, range in
      ElementFill(run.pointer(absent), elementBytes: elementBytes).fill(
        run.pointer(destination).advanced(by: range.lowerBound &* elementBytes), byteCount: range.count &* elementBytes)
    }
    // In order: the last of several values for one place counts.
    let scatter = PreparedOperator.Stage.inOrder(items: count, cost: Double(3 * vectors.depth + 4)) { run, _, items in
      for vector in items {
        moveBytes(
          elementBytes, from: run.pointer(values).advanced(by: vector &* valueStride),
          to: run.pointer(destination).advanced(by: try vectors.offset(of: vector, run)))
      }
    }
    return PreparedOperator(stages: [fill] + scatter)
  }
}
