import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// BATCH_MATMUL: products of matrices, with broadcasting of the leading dimensions.
///
/// - Shapes: `[…, rows, depth]` times `[…, depth, columns]` results in `[…, rows, columns]`. Either factor may be
///   stored transposed.
/// - Types: float32; float32 with int8; int8 with int8 or int32 results; int16; int16 with int8.
/// - Throws: `RuntimeError.invalidModel` if the sizes don't match.
/// - Source: operator 126 of the model format.
struct BatchMatrixMultiplicationOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .batchMatMul, versions: 1...4, floatError: 1e-6,
      types: .one(.float32, [.float32, .int8], to: .float32) + .one(.int8, .int8, to: [.int8, .int32])
        + .one(.int16, [.int16, .int8], to: .int16))
  }

  /// Whether the factors are stored with rows and columns swapped.
  let isTransposed: (left: Bool, right: Bool)
  private let hasAsymmetricInputs: Bool

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    isTransposed = (try node.options[BatchMatMulOptions.adjointX], try node.options[BatchMatMulOptions.adjointY])
    hasAsymmetricInputs = try node.options[BatchMatMulOptions.asymmetricQuantizeInputs]
  }

  /// The sizes of the products.
  private struct Sizes {
    var rows: Int
    var columns: Int
    var depth: Int
    /// The leading dimensions of the factors, extended to the same rank, and of the output.
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
    let layout = try layout(sizes, context)
    let stages: [PreparedOperator.Stage]
    switch (try node.input(0).elementType, try node.input(1).elementType, try node.output(0).elementType) {
    case (.float32, .float32, _):
      let (input, before) = try left(context, sizes, Float.self)
      stages =
        try before
        + FloatGemm.stages(
          context, [layout], input: input, count: node.input(0).shape.elementCount, weights: 1,
          output: context.outputSlot(0))
    case (.float32, .int8, _): stages = try dynamicRangeStages(context, layout, sizes)
    case (.int8, _, .int32): stages = try sumStages(context, layout, sizes)
    case (.int8, _, _): stages = try byteStages(context, layout, sizes)
    case (.int16, .int16, _): stages = try integerStages(context, layout, sizes, Int16.self)
    case (.int16, .int8, _): stages = try integerStages(context, layout, sizes, Int8.self)
    default: throw node.invalid("cannot multiply \(try node.input(0)) by \(try node.input(1))")
    }
    return PreparedOperator(stages: stages, multiplyAdds: layout.multiplyAdds)
  }

  /// Returns the left factor in row order, and the stage that transposes it if necessary.
  private func left<Element: BitwiseCopyable & Sendable>(
    _ context: PrepareContext, _ sizes: Sizes, _ type: Element.Type
  ) throws -> (TensorSlot, [PreparedOperator.Stage]) {
    let input = try context.inputSlot(0)
    guard isTransposed.left else { return (input, []) }
    let ordered = try context.scratch(bytes: context.node.input(0).byteCount ?? 0)
    let stage = PreparedOperator.Stage.transposing(
      input, of: type, matrices: Shape(sizes.leftBatch).elementCount, rows: sizes.depth, columns: sizes.rows,
      into: ordered)
    return (ordered, [stage])
  }

  private func byteStages(
    _ context: PrepareContext, _ layout: GemmLayout, _ sizes: Sizes
  ) throws -> [PreparedOperator.Stage] {
    let left = try context.node.quantization(ofInput: 0, Int8.self)
    let right = try rightQuantization(context.node, Int8.self)
    let output = try context.node.quantization(ofOutput: 0, Int8.self)
    let matrix = Int8Gemm(
      context, layout,
      .init(
        inputIsSigned: true, inputZeroPoint: left.zeroPoint, weightsAreSigned: true, weightZeroPoint: right.zeroPoint),
      rescaling: rescaling(left, right, output, Int8.self), output: Int8.self)
    let (input, before) = try self.left(context, sizes, Int8.self)
    return try before + matrix.stages(context, input: input, weights: 1, output: context.outputSlot(0)).all
  }

  /// Returns the stages for sums of products of the quantized values, as in the reference for int32 results.
  private func sumStages(
    _ context: PrepareContext, _ layout: GemmLayout, _ sizes: Sizes
  ) throws -> [PreparedOperator.Stage] {
    let matrix = Int8Gemm(
      context, layout, .init(inputIsSigned: true, inputZeroPoint: 0, weightsAreSigned: true, weightZeroPoint: 0),
      rescaling: IntegerRescaling(factors: .none, range: OutputRange(zeroPoint: 0, Int32.range)), output: Int32.self)
    let (input, before) = try left(context, sizes, Int8.self)
    return try before + matrix.stages(context, input: input, weights: 1, output: context.outputSlot(0)).all
  }

  private func integerStages<Weight: QuantizedValue>(
    _ context: PrepareContext, _ layout: GemmLayout, _ sizes: Sizes, _ type: Weight.Type
  ) throws -> [PreparedOperator.Stage] {
    let left = try context.node.quantization(ofInput: 0, Int16.self)
    let right = try rightQuantization(context.node, Weight.self)
    let output = try context.node.quantization(ofOutput: 0, Int16.self)
    guard right.zeroPoint == 0 else {
      throw context.node.invalid("takes a right factor with zero point 0, got \(right.zeroPoint)")
    }
    let rescaling = rescaling(left, right, output, Int16.self)
    let (input, before) = try self.left(context, sizes, Int16.self)
    return try before
      + GemmLayout.int16Stages(
        [layout], context, input: input, count: context.node.input(0).shape.elementCount, weights: 1, bias: nil,
        output: context.outputSlot(0), rescaling: rescaling, (Weight.self, Int64.self))
  }

  /// Returns the quantization of the right factor. The reference reads one scale. If scales are per channel, it finds
  /// none, and every output is the zero point. Published models are verified with that behavior.
  private func rightQuantization<Quantized: QuantizedValue>(
    _ node: NodeView, _ type: Quantized.Type
  ) throws -> TensorQuantization {
    guard let quantization = try node.input(1).quantization, quantization.isPerChannel else {
      return try node.quantization(ofInput: 1, type)
    }
    return TensorQuantization(scale: 0, zeroPoint: 0)
  }

  private func rescaling<Quantized: QuantizedValue>(
    _ left: TensorQuantization, _ right: TensorQuantization, _ output: TensorQuantization, _ type: Quantized.Type
  ) -> IntegerRescaling {
    let factor = QuantizedMultiplier(Double(left.scale * right.scale) / Double(output.scale))
    return IntegerRescaling(factors: .fixedPoint([factor]), range: OutputRange(output, type))
  }

  /// Returns the stages for a dynamically quantized left factor, whose rows are quantized one by one.
  private func dynamicRangeStages(
    _ context: PrepareContext, _ layout: GemmLayout, _ sizes: Sizes
  ) throws -> [PreparedOperator.Stage] {
    let rank = try context.node.input(1).shape.rank
    let weights = try WeightScales(
      context.node, input: 1, columns: sizes.columns, axis: isTransposed.right ? rank - 2 : rank - 1)
    let (input, before) = try left(context, sizes, Float.self)
    let quantization = try DynamicQuantization(
      context, slices: Shape(sizes.leftBatch).elementCount * sizes.rows, length: sizes.depth,
      rule: hasAsymmetricInputs ? .asymmetric : .symmetric, isByRow: true)
    let matrix = DynamicRangeGemm(context, layout, scales: weights.scales, quantization: quantization)
    let product = try matrix.stages(context, weights: 1, output: context.outputSlot(0))
    return before + quantization.stages(input) + product.all
  }

  /// Returns the products of the left factor's rows and the right factor's columns.
  private func layout(_ sizes: Sizes, _ context: PrepareContext) throws -> GemmLayout {
    let (rows, columns, depth) = (sizes.rows, sizes.columns, sizes.depth)
    let rightCount = Shape(sizes.rightBatch).elementCount
    var layout = GemmLayout(
      rows: rows, columns: columns, tapDepth: depth, inputDistance: depth, outputDistance: columns,
      weights: .init(
        count: rightCount, columnStride: isTransposed.right ? depth : 1, depthStride: isTransposed.right ? 1 : columns,
        matrixStride: columns * depth))
    let count = Shape(sizes.batch).elementCount
    if rightCount == 1 {
      // All rows of the left factor are multiplied by the same matrix.
      layout.rows = count * rows
      return layout
    }
    try GemmLayout.require(places: count, context)
    let left = Self.matrices(of: sizes.leftBatch, in: sizes.batch, count: count)
    let right = Self.matrices(of: sizes.rightBatch, in: sizes.batch, count: count)
    layout.places = (0..<count).map {
      GemmLayout.Place(
        input: left[$0] * rows * depth, weights: right[$0], output: $0 * rows * columns, slice: left[$0] * rows)
    }
    return layout
  }

  /// Returns the matrix index of a factor, with leading dimensions `own`, for every position of `batch`.
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
