import SwiftletSchema

/// FULLY_CONNECTED: every output is a weighted sum over a row of the input.
///
/// - Shapes: input of any shape, read as rows of `depth` elements; weights `[units, depth]`, bias `[units]`; output `[rows, units]`, or the
///   input's shape with `units` last when dimensions are kept.
/// - Types: float32; float32 with integer weights; uint8; int8 and int16 with integer weights of up to 8 bits; int16 with int16 weights.
/// - Throws: `RuntimeError.invalidModel` when sizes do not fit each other.
/// - Source: operator 9 of the model format.
struct FullyConnectedOperator: FusesActivation {
  static let identity = OperatorIdentity(
    .fullyConnected, versions: 1...14,
    types: .one(.float32, .float32, .float32, to: .float32))

  private var activation: FusedActivation
  private let keepsDimensions: Bool
  private let asymmetricInputs: Bool

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...3)
    activation = try FusedActivation(node, field: 0)
    let format = try node.options.byte(1)
    guard format == 0 else { throw node.invalid("has weights format \(format), only the default format (0) is known") }
    keepsDimensions = try node.options.bool(2)
    asymmetricInputs = try node.options.bool(3)
  }

  func fusing(_ activation: FusedActivation) -> Self? {
    guard self.activation == .none else { return nil }
    var fused = self
    fused.activation = activation
    return fused
  }

  /// The sizes of the product.
  private struct Sizes {
    var rows: Int
    var units: Int
    var depth: Int
  }

  private func sizes(_ node: NodeView) throws -> Sizes {
    let input = try node.input(0), weights = try node.input(1)
    guard weights.shape.rank == 2 else { throw node.invalid("takes weights of rank 2, got \(weights)") }
    let units = weights.shape[0], depth = weights.shape[1]
    if let bias = node.optionalInput(2), bias.shape.elementCount != units {
      throw node.invalid("takes a bias of \(units) elements, got \(bias)")
    }
    guard !keepsDimensions || (input.shape.rank > 0 && input.shape.innermost == depth) else {
      throw node.invalid("takes an input with \(depth) elements in the last dimension, as the weights \(weights), got \(input)")
    }
    guard depth > 0 else {
      return Sizes(rows: Shape(Array(input.shape.dimensions.dropLast())).elementCount, units: units, depth: 0)
    }
    let count = input.shape.elementCount
    guard count % depth == 0 else {
      throw node.invalid("cannot read input \(input), of \(count) elements, as rows of \(depth) for the weights \(weights)")
    }
    return Sizes(rows: count / depth, units: units, depth: depth)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let sizes = try sizes(node)
    guard keepsDimensions else { return [[sizes.rows, sizes.units]] }
    var shape = try node.input(0).shape
    shape[shape.rank - 1] = sizes.units
    return [shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let sizes = try sizes(node)
    let output = try node.output(0)
    guard output.shape.elementCount > 0 else { return .empty }
    // The reference leaves the bias out of products without terms.
    guard sizes.depth > 0 else { return try .zeros(context) }
    let layout = MatrixLayout(rows: sizes.rows, units: sizes.units, depth: sizes.depth)
    let matrix = FloatMatrix(layout, kernels: context.kernels.gemm, activation: activation)
    let stages = try matrix.stages(
      context, input: context.inputSlot(0), weights: 1, bias: node.hasInput(2) ? 2 : nil, output: context.outputSlot(0))
    return PreparedOperator(stages: stages, multiplyAdds: layout.multiplyAdds)
  }
}
