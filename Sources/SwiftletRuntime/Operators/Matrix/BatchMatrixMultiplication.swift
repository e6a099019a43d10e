import SwiftletSchema

/// BATCH_MATMUL: products of matrices, the leading dimensions broadcast against each other.
///
/// - Shapes: `[…, rows, depth]` by `[…, depth, columns]` gives `[…, rows, columns]`; either factor may be stored transposed.
/// - Types: float32.
/// - Throws: `RuntimeError.invalidModel` when sizes do not fit each other.
/// - Source: operator 126 of the model format.
struct BatchMatrixMultiplicationOperator: Operator {
  static let identity = OperatorIdentity(
    .batchMatMul, versions: 1...4,
    types: .one(.float32, .float32, to: .float32))

  /// Whether the factors are stored with rows and columns swapped.
  private let isTransposed: (left: Bool, right: Bool)
  private let asymmetricInputs: Bool

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    isTransposed = (try node.options.bool(0), try node.options.bool(1))
    asymmetricInputs = try node.options.bool(2)
  }

  /// The sizes of the products.
  private struct Sizes {
    var rows: Int
    var columns: Int
    var depth: Int
    /// Leading dimensions of the factors, brought to one rank, and of the output.
    var leftBatch: [Int]
    var rightBatch: [Int]
    var batch: [Int]
  }

  private func sizes(_ node: NodeView) throws -> Sizes {
    let left = try node.input(0), right = try node.input(1)
    guard left.shape.rank >= 2, right.shape.rank >= 2 else {
      throw node.invalid("takes factors of rank 2 or more, got \(left) and \(right)")
    }
    func sizes(_ shape: Shape, _ isTransposed: Bool) -> (rows: Int, columns: Int) {
      let rows = shape[shape.rank - 2], columns = shape[shape.rank - 1]
      return isTransposed ? (columns, rows) : (rows, columns)
    }
    let (rows, depth) = sizes(left.shape, isTransposed.left)
    let (rightDepth, columns) = sizes(right.shape, isTransposed.right)
    guard depth == rightDepth else {
      throw node.invalid("cannot multiply \(left) by \(right): rows have \(depth) elements, columns \(rightDepth)")
    }
    let rank = max(left.shape.rank, right.shape.rank) - 2
    func extended(_ shape: Shape) -> [Int] {
      Array(repeating: 1, count: rank + 2 - shape.rank) + shape.dimensions.dropLast(2)
    }
    let leftBatch = extended(left.shape), rightBatch = extended(right.shape)
    let batch = try zip(leftBatch, rightBatch).map { first, second in
      guard first == second || first == 1 || second == 1 else {
        throw node.invalid("cannot broadcast the leading dimensions of \(left) and \(right)")
      }
      return first == 1 ? second : first
    }
    return Sizes(
      rows: rows, columns: columns, depth: depth, leftBatch: leftBatch, rightBatch: rightBatch, batch: batch)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let sizes = try sizes(node)
    return [Shape(sizes.batch + [sizes.rows, sizes.columns])]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let sizes = try sizes(node)
    guard try node.output(0).shape.elementCount > 0 else { return .empty }
    guard sizes.depth > 0 else { return try .zeros(context) }
    let layout = try layout(sizes, node)
    var stages: [PreparedOperator.Stage] = []
    var input = try context.inputSlot(0)
    if isTransposed.left {
      let left = try node.input(0)
      let transposed = try context.scratch(bytes: left.byteCount ?? 0)
      stages.append(
        .transposing(
          input, of: Float.self, matrices: Shape(sizes.leftBatch).elementCount, rows: sizes.depth, columns: sizes.rows,
          into: transposed))
      input = transposed
    }
    let matrix = FloatMatrix(layout, kernels: context.kernels.gemm)
    stages += try matrix.stages(context, input: input, weights: 1, output: context.outputSlot(0))
    return PreparedOperator(stages: stages, multiplyAdds: layout.multiplyAdds)
  }

  /// The products as the left factor's rows by the right factor's columns.
  private func layout(_ sizes: Sizes, _ node: NodeView) throws -> MatrixLayout {
    let (rows, columns, depth) = (sizes.rows, sizes.columns, sizes.depth)
    let rightCount = Shape(sizes.rightBatch).elementCount
    var layout = MatrixLayout(
      rows: rows, columns: columns, tapDepth: depth, inputDistance: depth, outputDistance: columns,
      weights: .init(
        count: rightCount, columnStride: isTransposed.right ? depth : 1, depthStride: isTransposed.right ? 1 : columns,
        matrixStride: columns * depth))
    let count = Shape(sizes.batch).elementCount
    if rightCount == 1 {
      // All rows of the left factor meet the same matrix.
      layout.rows = count * rows
      return layout
    }
    try MatrixLayout.require(places: count, node)
    let left = Self.matrices(of: sizes.leftBatch, in: sizes.batch, count: count)
    let right = Self.matrices(of: sizes.rightBatch, in: sizes.batch, count: count)
    layout.places = (0..<count).map {
      MatrixLayout.Place(input: left[$0] * rows * depth, weights: right[$0], output: $0 * rows * columns)
    }
    return layout
  }

  /// For every position of `batch`, which matrix of a factor with the leading dimensions `own` stands there.
  private static func matrices(of own: [Int], in batch: [Int], count: Int) -> [Int] {
    let strides = Shape(own).strides
    return (0..<count).map { position in
      var rest = position, matrix = 0
      for axis in batch.indices.reversed() {
        if own[axis] > 1 { matrix += rest % batch[axis] * strides[axis] }
        rest /= batch[axis]
      }
      return matrix
    }
  }
}
