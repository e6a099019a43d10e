import SwiftletSchema

/// CONV_2D: every output channel is a weighted sum over a window of the input.
///
/// - Shapes: input `[batch, height, width, channels]`, filter `[filters, height, width, channels / groups]`, bias `[filters]`;
///   output `[batch, outHeight, outWidth, filters]`.
/// - Types: float32; float32 with integer weights; uint8; int8 and int16 with int8 or int4 weights.
/// - Throws: `RuntimeError.invalidModel` when sizes do not fit each other.
/// - Source: operator 3 of the model format.
struct Convolution2DOperator: FusesActivation, FoldsPadding {
  static let identity = OperatorIdentity(
    .conv2D, versions: 1...8,
    types: .one(.float32, .float32, .float32, to: .float32))

  private var window: WindowOptions

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...3)
    window = WindowOptions(
      padding: try WindowPadding(node, field: 0), strides: (try node.options.int(2), try node.options.int(1)),
      dilations: (try node.options.int(5, default: 1), try node.options.int(4, default: 1)),
      activation: try FusedActivation(node, field: 3))
  }

  private init(_ window: WindowOptions) { self.window = window }

  func fusing(_ activation: FusedActivation) -> Self? { window.fusing(activation).map(Self.init) }

  func folding(_ padding: ExplicitPadding) -> Self? { window.folding(padding).map(Self.init) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (geometry, filters) = try geometry(node)
    return [[geometry.batch, geometry.height.outputSize, geometry.width.outputSize, filters]]
  }

  private func geometry(_ node: NodeView) throws -> (WindowGeometry, filters: Int) {
    let input = try node.input(0), filter = try node.input(1)
    guard filter.shape.rank == 4, filter.shape.dimensions.allSatisfy({ $0 > 0 }) else {
      throw node.invalid("takes a filter of rank 4 without empty dimensions, got \(filter)")
    }
    let filters = filter.shape[0], groupChannels = filter.shape[3]
    let geometry = try window.geometry(node, input: input, windowHeight: filter.shape[1], windowWidth: filter.shape[2])
    guard geometry.channels % groupChannels == 0, filters % (geometry.channels / groupChannels) == 0 else {
      throw node.invalid(
        "cannot share the \(geometry.channels) channels of input \(input) out to groups of \(groupChannels), and the \(filters) filters of \(filter) to the groups")
    }
    if let bias = node.optionalInput(2), bias.shape.elementCount != filters {
      throw node.invalid("takes a bias of \(filters) elements, got \(bias)")
    }
    return (geometry, filters)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let (geometry, filters) = try geometry(node)
    guard try node.output(0).shape.elementCount > 0 else { return .empty }
    let layout = try MatrixLayout(
      geometry, groupChannels: node.input(1).shape[3], outputChannels: filters, node)
    let matrix = FloatMatrix(layout, kernels: context.kernels.gemm, activation: window.activation)
    let stages = try matrix.stages(
      context, input: context.inputSlot(0), weights: 1, bias: node.hasInput(2) ? 2 : nil, output: context.outputSlot(0))
    return PreparedOperator(stages: stages, multiplyAdds: layout.multiplyAdds)
  }
}
