import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// CONV_3D_TRANSPOSE: every input position adds its filters to a box of the output.
///
/// - Shapes: output shape `[5]`, filter `[depth, height, width, filters, channels]`, input `[batch, depth, height,
///   width, channels]`, bias `[filters]`; output as input 0 says, `[batch, outDepth, outHeight, outWidth, filters]`.
/// - Types: float32.
/// - Throws: `RuntimeError.invalidModel` when sizes do not fit each other.
/// - Source: operator 141 of the model format. The padding is that of the convolution from the output to the input.
struct TransposeConvolution3DOperator: FusesActivation {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .conv3DTranspose, versions: 1...1, floatError: 1e-6, types: .one(.int32, .float32, to: .float32))
  }

  private var options: WindowOptions3D

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 3...4)
    options = try WindowOptions3D(parsing: node)
  }

  func fusing(_ activation: FusedActivation) -> Self? {
    guard options.activation == .none else { return nil }
    var fused = self
    fused.options.activation = activation
    return fused
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let shape = try node.integers(0)
    guard shape.count == 5, shape[1...3].allSatisfy({ $0 > 0 }) else {
      throw node.invalid("takes an output shape of 5 elements with positive sizes, got \(shape.excerpt)")
    }
    _ = try window(node, output: Shape(shape))
    return [Shape(shape)]
  }

  private func window(_ node: NodeView, output: Shape) throws -> TransposedWindow {
    let filter = try node.input(1), input = try node.input(2)
    guard input.shape.rank == 5, filter.shape.rank == 5, input.shape.dimensions[1...].allSatisfy({ $0 > 0 }),
      filter.shape.dimensions.allSatisfy({ $0 > 0 }), input.shape[4] == filter.shape[4]
    else {
      throw node.invalid(
        "takes an input and a filter of rank 5 with the same channels and without empty dimensions, got \(input) and \(filter)"
      )
    }
    guard output[0] == input.shape[0], output[4] == filter.shape[3] else {
      throw node.invalid("cannot give an output of shape \(output) from input \(input) and filter \(filter)")
    }
    if let bias = node.optionalInput(3), bias.shape.elementCount != filter.shape[3] {
      throw node.invalid("takes a bias of \(filter.shape[3]) elements, got \(bias)")
    }
    let axes = try (0..<3).map { index in
      // The convolution from the output to the input tells the padding.
      let forward = try options.axis(index, node, inputSize: output[index + 1], windowSize: filter.shape[index])
      return TransposedWindow.Axis(
        inputSize: input.shape[index + 1], outputSize: output[index + 1], windowSize: filter.shape[index],
        stride: options.strides[index], dilation: options.dilations[index], padding: forward.paddingBefore)
    }
    return TransposedWindow(
      batch: input.shape[0], depth: axes[0], height: axes[1], width: axes[2], inputChannels: input.shape[4],
      outputChannels: filter.shape[3], elementStride: filter.shape[3] * filter.shape[4], columnStride: filter.shape[4])
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let output = try context.node.output(0)
    guard output.shape.elementCount > 0 else { return .empty }
    let window = try window(context.node, output: output.shape)
    let layouts = try window.layouts(context, lanes: context.kernels.gemm.panelColumns / 2)
    let stages = try FloatGemm.stages(
      context, layouts, input: context.inputSlot(2), count: context.node.input(2).shape.elementCount, weights: 1,
      bias: context.node.hasInput(3) ? 3 : nil, output: context.outputSlot(0), activation: options.activation)
    return PreparedOperator(stages: stages, multiplyAdds: window.multiplyAdds)
  }
}
