import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// Attention: `softmax(β · (scale · Q · K + mask)) · V` of several matrices. The scale and the mask are optional.
///
/// The model format has no such operator: it takes the place of BATCH_MATMUL, SOFTMAX, BATCH_MATMUL, and the operators
/// between them. The scores, which are larger than the inputs, are computed a few rows at a time and stay in the cache. The
/// kernels and their order are those of the separate operators, so results don't change.
///
/// - Shapes: Q `[…, rows, depth]`, K `[…, depth, scores]`, V `[…, scores, columns]`, with the same number of matrices; mask:
///   any shape that broadcasts to `[leading…, rows, scores]`; result: `[resultLeading…, rows, columns]`.
struct AttentionOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.custom("Attention"), versions: 1...1, floatError: 1e-6, types: .uniform([.float32]))
  }

  /// Whether K and V are stored with rows and columns swapped.
  let areTransposed: (keys: Bool, values: Bool)
  let scale: Scale?
  let beta: Float
  /// The leading dimensions of the scores when the mask is added; `nil` if there is no mask.
  let leading: [Int]?
  let resultLeading: [Int]

  /// A number by which scores are multiplied or divided.
  struct Scale: Hashable {
    var number: Float
    var isDivisor = false
  }

  /// The number of scores that are computed together, which stay in the core's private cache.
  private static let blockElements = 1 << 15
  private static let mostBlockRows = 256

  init(
    areTransposed: (keys: Bool, values: Bool), scale: Scale?, beta: Float, leading: [Int]?, resultLeading: [Int]
  ) {
    self.areTransposed = areTransposed
    self.scale = scale
    self.beta = beta
    self.leading = leading
    self.resultLeading = resultLeading
  }

  init(parsing node: NodeReader) throws { throw node.invalid("is not an operator of the model format") }

  private struct Sizes {
    var matrices: Int
    var rows: Int
    var depth: Int
    var scores: Int
    var columns: Int
  }

  private func sizes(_ node: NodeView) throws -> Sizes {
    let shapes = try (0..<3).map { try node.input($0).shape }
    guard shapes.allSatisfy({ $0.rank >= 2 }) else {
      throw node.invalid("takes inputs of rank 2 or more, got \(shapes.map(\.description).joined(separator: ", "))")
    }
    let leadings: [[Int]] = leading.map { [resultLeading, $0] } ?? [resultLeading]
    let matrices: [Int] = shapes.map { $0.matrixCount } + leadings.map { Shape($0).elementCount }
    func matrix(_ shape: Shape, _ isTransposed: Bool) -> (rows: Int, columns: Int) {
      let rows = shape[shape.rank - 2], columns = shape[shape.rank - 1]
      return isTransposed ? (columns, rows) : (rows, columns)
    }
    let queries = matrix(shapes[0], false), keys = matrix(shapes[1], areTransposed.keys)
    let values = matrix(shapes[2], areTransposed.values)
    guard matrices.allSatisfy({ $0 == matrices[0] }), queries.columns == keys.rows, keys.columns == values.rows else {
      throw node.invalid("cannot multiply \(shapes.map(\.description).joined(separator: ", "))")
    }
    return Sizes(
      matrices: matrices[0], rows: queries.rows, depth: queries.columns, scores: keys.columns, columns: values.columns)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let sizes = try sizes(node)
    return [Shape(resultLeading + [sizes.rows, sizes.columns])]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let sizes = try sizes(context.node), kernels = context.kernels.elementwise
    guard [sizes.matrices, sizes.rows, sizes.depth, sizes.scores, sizes.columns].allSatisfy({ $0 > 0 }) else {
      return try .zeros(context)
    }
    context.uses("attention float32")
    let scoring = FloatGemm(
      context,
      try layout(
        sizes, columns: sizes.scores, depth: sizes.depth, isTransposed: areTransposed.keys, context))
    let mixing = FloatGemm(
      context,
      try layout(
        sizes, columns: sizes.columns, depth: sizes.scores, isTransposed: areTransposed.values, context))
    let keys = try scoring.packedWeights(context, weights: 1, bias: nil)
    let values = try mixing.packedWeights(context, weights: 2, bias: nil)
    let queries = try context.inputSlot(0), output = try context.outputSlot(0)
    let mask = try leading.map { try Mask(context, leading: $0, sizes.rows, sizes.scores) }
    let tileRows = context.kernels.gemm.tileRows
    let blockRows = min(
      sizes.rows, max(1, min(Self.mostBlockRows, Self.blockElements / sizes.scores) / tileRows) * tileRows)
    let blocks = (sizes.rows + blockRows - 1) / blockRows
    context.requireWorkerScratch(bytes: blockRows * sizes.scores * MemoryLayout<Float>.stride)
    let scale = scale, beta = beta
    let products = Double(sizes.depth + sizes.columns) * 0.03 + 1
    let stage = PreparedOperator.Stage(
      tileCount: sizes.matrices * blocks,
      work: Double(sizes.matrices) * Double(sizes.rows) * Double(sizes.scores) * products
    ) { run, tile in
      let (matrix, block) = tile.quotientAndRemainder(dividingBy: blocks)
      let rows = PreparedOperator.Stage.part(block, of: sizes.rows, parts: blocks)
      let scores = run.workerScratch.assumingMemoryBound(to: Float.self), count = rows.count &* sizes.scores
      let first = matrix &* sizes.rows &+ rows.lowerBound
      scoring.multiply(
        rows: 0..<rows.count, columns: 0..<sizes.scores, run, keys, matrix: matrix,
        input: UnsafePointer(run.pointer(queries, as: Float.self)) + first &* sizes.depth, into: scores,
        distance: sizes.scores)
      if let scale {
        withUnsafePointer(to: scale.number) {
          kernels.combine(
            scale.isDivisor ? .divide : .multiply, form: .rightScalar, rows: 1, columns: count, left: scores,
            leftStride: 0, right: $0,
            rightStride: 0, output: scores, outputStride: 0)
        }
      }
      mask?.add(to: scores, matrix: matrix, rows: rows, run, kernels)
      kernels.softmax(rows: rows.count, columns: sizes.scores, input: scores, beta: beta, output: scores)
      mixing.multiply(
        rows: 0..<rows.count, columns: 0..<sizes.columns, run, values, matrix: matrix, input: scores,
        into: run.pointer(output, as: Float.self) + first &* sizes.columns, distance: sizes.columns)
    }
    let packing = keys.stages + values.stages
    return PreparedOperator(
      stages: (packing.isEmpty ? [] : [.joined(packing)]) + [stage],
      multiplyAdds: sizes.matrices &* sizes.rows &* sizes.scores &* (sizes.depth &+ sizes.columns))
  }

  /// Returns the layout of products with one of the weight matrices, of rows that are passed to `FloatGemm.multiply`.
  private func layout(
    _ sizes: Sizes, columns: Int, depth: Int, isTransposed: Bool, _ context: PrepareContext
  ) throws -> GemmLayout {
    try GemmLayout.require(places: sizes.matrices, context)
    return GemmLayout(
      rows: sizes.rows, columns: columns, tapDepth: depth, inputDistance: depth, outputDistance: columns,
      weights: .init(
        count: sizes.matrices, columnStride: isTransposed ? depth : 1, depthStride: isTransposed ? 1 : columns,
        matrixStride: columns * depth))
  }
}

/// Terms of the scores.
private struct Mask: Sendable {
  private let slot: TensorSlot
  private let columns: Int
  /// The distance between two rows; 0 if all rows are the same.
  private let rowStride: Int
  /// The leading dimensions of the scores, and the mask's distances along them.
  private let leading: [Int]
  private let strides: [Int]

  init(_ context: PrepareContext, leading: [Int], _ rows: Int, _ columns: Int) throws {
    let shape = try context.node.input(3).shape
    let dimensions = Array(repeating: 1, count: max(0, leading.count + 2 - shape.rank)) + shape.dimensions
    guard dimensions.count == leading.count + 2, dimensions[leading.count + 1] == columns,
      zip(dimensions, leading + [rows]).allSatisfy({ $0 == 1 || $0 == $1 })
    else {
      throw context.node.invalid("cannot add \(try context.node.input(3)) to scores \(leading + [rows, columns])")
    }
    slot = try context.inputSlot(3)
    self.columns = columns
    self.leading = leading
    rowStride = dimensions[leading.count] == 1 ? 0 : columns
    let distances = Shape(dimensions).strides
    strides = leading.indices.map { dimensions[$0] == 1 ? 0 : distances[$0] }
  }

  func add(
    to scores: UnsafeMutablePointer<Float>, matrix: Int, rows: Range<Int>, _ run: RunContext,
    _ kernels: ElementwiseKernels
  ) {
    var rest = matrix, first = rows.lowerBound &* rowStride
    for axis in leading.indices.reversed() {
      first &+= rest % leading[axis] &* strides[axis]
      rest /= leading[axis]
    }
    kernels.combine(
      .add, form: .vectors, rows: rows.count, columns: columns, left: scores, leftStride: columns,
      right: UnsafePointer(run.pointer(slot, as: Float.self)) + first, rightStride: rowStride, output: scores,
      outputStride: columns)
  }
}

extension Shape {
  /// The number of matrices, which the last two dimensions are.
  var matrixCount: Int { Shape(Array(dimensions.dropLast(2))).elementCount }
}
