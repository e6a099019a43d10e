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

  private let padding: WindowPadding
  private let strides: (height: Int, width: Int)
  private let dilations: (height: Int, width: Int)
  private var activation: FusedActivation
  /// Padding taken over from a padding node.
  private var explicitPadding = ExplicitPadding(top: 0, bottom: 0, left: 0, right: 0)

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...3)
    padding = try WindowPadding(node, field: 0)
    strides = (try node.options.int(2), try node.options.int(1))
    activation = try FusedActivation(node, field: 3)
    dilations = (try node.options.int(5, default: 1), try node.options.int(4, default: 1))
  }

  func fusing(_ activation: FusedActivation) -> Self? {
    guard self.activation == .none else { return nil }
    var fused = self
    fused.activation = activation
    return fused
  }

  func folding(_ padding: ExplicitPadding) -> Self? {
    guard self.padding == .valid, explicitPadding == ExplicitPadding(top: 0, bottom: 0, left: 0, right: 0) else { return nil }
    var folded = self
    folded.explicitPadding = padding
    return folded
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (geometry, filters) = try geometry(node)
    return [[geometry.batch, geometry.height.outputSize, geometry.width.outputSize, filters]]
  }

  private func geometry(_ node: NodeView) throws -> (WindowGeometry, filters: Int) {
    let input = try node.input(0), filter = try node.input(1)
    guard input.shape.rank == 4, filter.shape.rank == 4 else {
      throw node.invalid("takes an input and a filter of rank 4, got \(input) and \(filter)")
    }
    let channels = input.shape[3], groupChannels = filter.shape[3], filters = filter.shape[0]
    guard input.shape.dimensions[1...].allSatisfy({ $0 > 0 }), filter.shape.dimensions.allSatisfy({ $0 > 0 }) else {
      throw node.invalid("takes an input and a filter without empty dimensions, got \(input) and \(filter)")
    }
    guard channels % groupChannels == 0, filters % (channels / groupChannels) == 0 else {
      throw node.invalid(
        "cannot share the \(channels) channels of input \(input) out to groups of \(groupChannels), and the \(filters) filters of \(filter) to the groups")
    }
    if let bias = node.optionalInput(2), bias.shape.elementCount != filters {
      throw node.invalid("takes a bias of \(filters) elements, got \(bias)")
    }
    let geometry = WindowGeometry(
      batch: input.shape[0],
      height: try WindowAxis(
        node, "height", inputSize: input.shape[1], windowSize: filter.shape[1], stride: strides.height,
        dilation: dilations.height, padding: padding, padded: (explicitPadding.top, explicitPadding.bottom)),
      width: try WindowAxis(
        node, "width", inputSize: input.shape[2], windowSize: filter.shape[2], stride: strides.width,
        dilation: dilations.width, padding: padding, padded: (explicitPadding.left, explicitPadding.right)),
      channels: channels)
    return (geometry, filters)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let (geometry, filters) = try geometry(node)
    guard try node.output(0).shape.elementCount > 0 else { return .empty }
    try geometry.requireTables(node)
    let layout = MatrixLayout(geometry, groupChannels: try node.input(1).shape[3], outputChannels: filters)
    let matrix = FloatMatrix(layout, kernels: context.kernels.gemm, activation: activation)
    let stages = try matrix.stages(
      context, input: context.inputSlot(0), weights: 1, bias: node.hasInput(2) ? 2 : nil, output: context.outputSlot(0))
    return PreparedOperator(stages: stages, multiplyAdds: layout.multiplyAdds)
  }
}
