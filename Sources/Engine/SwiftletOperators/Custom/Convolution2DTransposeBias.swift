import SwiftletEngine
import SwiftletSchema

/// Convolution2DTransposeBias: a transposed convolution whose output size is derived from the input.
///
/// - Shapes: input `[batch, height, width, channels]`, filter `[filters, height, width, channels]`, bias `[filters]`;
///   output `[batch, outHeight, outWidth, filters]`.
/// - Types: float32.
/// - Throws: `RuntimeError.invalidModel` if the sizes or options don't match.
/// - Source: the MediaPipe operator of this name. Its options are a C structure: padding (1 same, 2 valid), stride
///   width, stride height, each 32 bits. The rest isn't used.
struct Convolution2DTransposeBiasOperator: FusesActivation {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .custom("Convolution2DTransposeBias"), versions: 1...1, floatError: 1e-6, types: .uniform([.float32]))
  }

  private let isPadded: Bool
  private let strides: (height: Int, width: Int)
  private var activation = FusedActivation.none

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...3)
    let options = node.description.customOptions.bytes
    guard options.count >= 12 else {
      throw node.invalid("takes options of at least 12 bytes, got \(options.count)")
    }
    func field(_ index: Int) -> Int {
      Int(Int32(littleEndian: options.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)))
    }
    guard (1...2).contains(field(0)) else {
      throw node.invalid("has padding \(field(0)); it must be 1 (same) or 2 (valid)")
    }
    isPadded = field(0) == 1
    strides = (field(2), field(1))
    let sizes = 1...Int(Int16.max)
    guard sizes.contains(strides.height), sizes.contains(strides.width) else {
      throw node.invalid("has strides of \(strides.height)×\(strides.width); they must be positive and fit 16 bits")
    }
  }

  func fusing(_ activation: FusedActivation) -> Self? {
    guard self.activation == .none else { return nil }
    var fused = self
    fused.activation = activation
    return fused
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let window = try window(node)
    return [[window.batch, window.height.outputSize, window.width.outputSize, window.outputChannels]]
  }

  private func window(_ node: NodeView) throws -> TransposedWindow {
    let input = try node.input(0), filter = try node.input(1)
    guard input.shape.rank == 4, filter.shape.rank == 4, input.shape.dimensions[1...].allSatisfy({ $0 > 0 }),
      filter.shape.dimensions.allSatisfy({ $0 > 0 }), input.shape[3] == filter.shape[3]
    else {
      throw node.invalid(
        "takes an input and a filter of rank 4 with the same channels and without empty dimensions, got \(input) and \(filter)"
      )
    }
    if let bias = node.optionalInput(2), bias.shape.elementCount != filter.shape[0] {
      throw node.invalid("takes a bias of \(filter.shape[0]) elements, got \(bias)")
    }
    func axis(_ index: Int, stride: Int) throws -> TransposedWindow.Axis {
      let size = input.shape[index], window = filter.shape[index]
      guard size <= Int(Int32.max), window <= Int(Int32.max) else {
        throw node.invalid("takes sizes that fit 32 bits, got \(input) and \(filter)")
      }
      let padding = isPadded ? max(0, window - (size - 1) % stride - 1) : 0
      return TransposedWindow.Axis(
        inputSize: size, outputSize: stride * (size - 1) + window - padding, windowSize: window, stride: stride,
        padding: padding / 2)
    }
    return TransposedWindow(
      batch: input.shape[0], height: try axis(1, stride: strides.height), width: try axis(2, stride: strides.width),
      inputChannels: input.shape[3], outputChannels: filter.shape[0], elementStride: input.shape[3],
      columnStride: filter.shape.elementCount(1...3))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    guard try context.node.output(0).shape.elementCount > 0 else { return .empty }
    let window = try window(context.node)
    let layouts = try window.layouts(context, lanes: context.kernels.gemm.panelColumns / 2)
    let stages = try FloatGemm.stages(
      context, layouts, input: context.inputSlot(0), count: context.node.input(0).shape.elementCount, weights: 1,
      bias: context.node.hasInput(2) ? 2 : nil, output: context.outputSlot(0), activation: activation)
    return PreparedOperator(stages: stages, multiplyAdds: window.multiplyAdds)
  }
}
