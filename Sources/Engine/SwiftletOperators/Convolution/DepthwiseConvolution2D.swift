import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// DEPTHWISE_CONV_2D: every output channel is a weighted sum over a window of one input channel.
///
/// - Shapes: input `[batch, height, width, channels]`, filter `[1, height, width, channels × multiplier]`, bias
///   `[channels × multiplier]`; output `[batch, outHeight, outWidth, channels × multiplier]`.
/// - Types: float32; float32 with int8 weights; uint8; int8 and int16 with int8 or int4 weights.
/// - Throws: `RuntimeError.invalidModel` if the sizes don't match.
/// - Source: operator 4 of the model format. The multiplier is derived from the shapes, as in the reference.
struct DepthwiseConvolution2DOperator: FusingConvolution {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .depthwiseConv2D, versions: 1...7, floatError: 1e-6,
      types: .one(.float32, [.float32, .int8, TypeSet(.int4)], .float32, to: .float32)
        + .one(.uint8, .uint8, .int32, to: .uint8) + .one(.int8, [.int8, TypeSet(.int4)], .int32, to: .int8)
        + .one(.int16, [.int8, TypeSet(.int4)], .int64, to: .int16))
  }

  private var window: WindowOptions
  var epilogue: [EpilogueStep] = []

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...3)
    window = WindowOptions(
      padding: try WindowPadding(node, field: DepthwiseConv2DOptions.padding),
      strides: (
        try node.options[DepthwiseConv2DOptions.strideHeight], try node.options[DepthwiseConv2DOptions.strideWidth]
      ),
      dilations: (
        try node.options[DepthwiseConv2DOptions.dilationHeight], try node.options[DepthwiseConv2DOptions.dilationWidth]
      ),
      activation: try FusedActivation(node, field: DepthwiseConv2DOptions.fusedActivation))
  }

  private init(_ window: WindowOptions) { self.window = window }

  func fusing(_ activation: FusedActivation) -> Self? { window.fusing(activation).map(Self.init) }

  func folding(_ padding: ExplicitPadding) -> Self? { window.folding(padding).map(Self.init) }

  func dilating(height: Int, width: Int, padding: ExplicitPadding, _ node: NodeView) -> Self? {
    window.dilating(height: height, width: width, padding: padding).map(Self.init)
  }

  func clamping(_ quantized: ClosedRange<Int32>) -> Self { Self(window.clamping(quantized)) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (geometry, multiplier) = try geometry(node)
    return [[geometry.batch, geometry.height.outputSize, geometry.width.outputSize, geometry.channels * multiplier]]
  }

  private func geometry(_ node: NodeView) throws -> (WindowGeometry, multiplier: Int) {
    let input = try node.input(0), filter = try node.input(1)
    guard filter.shape.rank == 4, filter.shape[0] == 1, filter.shape.dimensions.allSatisfy({ $0 > 0 }) else {
      throw node.invalid("takes a filter of shape [1×height×width×channels] without empty dimensions, got \(filter)")
    }
    let geometry = try window.geometry(node, input: input, windowHeight: filter.shape[1], windowWidth: filter.shape[2])
    guard filter.shape[3] % geometry.channels == 0 else {
      throw node.invalid(
        "takes a filter with a multiple of the \(geometry.channels) channels of input \(input), got \(filter)")
    }
    if let bias = node.optionalInput(2), bias.shape.elementCount != filter.shape[3] {
      throw node.invalid("takes a bias of \(filter.shape[3]) elements, got \(bias)")
    }
    return (geometry, filter.shape[3] / geometry.channels)
  }

  /// Returns the stages. The first row whose condition is true determines the algorithm:
  ///
  /// | input, filter | condition | algorithm |
  /// |---|---|---|
  /// | float32, float32 | | the channels of a vector at a time, tap by tap, for one or several output rows |
  /// | float32, int8 | | images are quantized, then summed as int8 by row pairs |
  /// | uint8 or int8 | one output pixel per image, and constants that `SinglePixelDepthwise` takes | sums in a loop |
  /// | | fast numerics, and `InterleavedDepthwisePlan.takes` accepts the geometry: blocks of a vector of bytes or whole groups of four channels, windows of up to 4×4 | interleaved int8 |
  /// | | windows that the integer kernels support | int8 by row pairs |
  /// | | otherwise | sums in a loop |
  /// | int16 | windows that the integer kernels support | two int8 planes by row pairs, whose sums together are exact |
  /// | | otherwise | sums in a loop |
  ///
  /// Four rows of a window form a group of four bytes, which CPUs multiply and add in one instruction:
  ///
  ///     rows of a channel   a0 a1 a2 …   b0 b1 b2 …   c0 c1 c2 …   d0 d1 d2 …
  ///     interleaved         a0 b0 c0 d0   a1 b1 c1 d1   a2 b2 c2 d2 …   once for all outputs that read them
  ///     row pairs           the same groups, assembled in registers for two rows of output
  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let (geometry, multiplier) = try geometry(node)
    guard try node.output(0).shape.elementCount > 0 else { return .empty }
    let isDynamicRange = try node.input(0).elementType == .float32 && node.input(1).elementType != .float32
    let depthwise = try DepthwiseWindow(geometry, multiplier: multiplier, mergesImages: !isDynamicRange, node)
    context.usesWindow(height: geometry.height.windowSize, width: geometry.width.windowSize)
    let stages: [PreparedOperator.Stage]
    switch (try node.input(0).elementType, try node.input(1).elementType) {
    case (.float32, .float32):
      guard geometry.height.windowSize <= DepthwiseKernels.greatestHeight else {
        throw RuntimeError(
          .limitExceeded,
          "has a window \(geometry.height.windowSize) elements high; \(DepthwiseKernels.greatestHeight) are the most for float32",
          location: node.node.location)
      }
      stages = try depthwise.floatStages(
        context, activation: window.activation, epilogue: epilogue)
    case (.float32, .int8): stages = try depthwise.dynamicRangeStages(context, activation: window.activation)
    case (.uint8, _):
      let quantization = try quantization(context, depthwise, (UInt8.self, UInt8.self))
      stages = try depthwise.byteStages(
        context, quantization,
        rescaling(quantization, quantization.roundedFactors, UInt8.self, largestSum: largestSum(context, depthwise)),
        UInt8.self)
    case (.int8, _):
      let quantization = try quantization(context, depthwise, (Int8.self, Int8.self))
      stages = try depthwise.byteStages(
        context, quantization,
        rescaling(quantization, quantization.factors, Int8.self, largestSum: largestSum(context, depthwise)), Int8.self)
    case (.int16, _):
      let quantization = try quantization(context, depthwise, (Int16.self, Int8.self))
      stages = try depthwise.int16Stages(
        context, quantization, rescaling(quantization, quantization.factors, Int16.self))
    default: throw node.invalid("cannot convolve \(try node.input(0)) with \(try node.input(1))")
    }
    return PreparedOperator(stages: stages, multiplyAdds: depthwise.multiplyAdds)
  }

  private func quantization<Quantized: QuantizedValue, Weight: QuantizedValue>(
    _ context: PrepareContext, _ depthwise: DepthwiseWindow, _ types: (Quantized.Type, Weight.Type)
  ) throws -> GemmQuantization {
    try GemmQuantization(
      context.node, columns: depthwise.outputChannels, axis: 3, isSymmetric: Weight.isSigned,
      (Quantized.self, Weight.self, Quantized.self))
  }

  private func largestSum(_ context: PrepareContext, _ depthwise: DepthwiseWindow) throws -> Double {
    try context.largestSum(weights: 1, columns: depthwise.outputChannels, bias: 2)
  }

  private func rescaling<Quantized: QuantizedValue>(
    _ quantization: GemmQuantization, _ factors: [Double], _ type: Quantized.Type, largestSum: Double = .infinity
  ) -> IntegerRescaling {
    IntegerRescaling(
      factors: .fixedPoint(factors.map { QuantizedMultiplier($0) }),
      range: window.outputRange(quantization.output, type), singlePrecision: quantization.singlePrecisionFactors,
      largestSum: largestSum)
  }
}
