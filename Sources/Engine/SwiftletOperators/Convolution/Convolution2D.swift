import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// CONV_2D: every output channel is a weighted sum over a window of the input.
///
/// - Shapes: input `[batch, height, width, channels]`, filter `[filters, height, width, channels / groups]`, bias
///   `[filters]`; output `[batch, outHeight, outWidth, filters]`.
/// - Types: float32; float32 with integer weights; uint8; int8 and int16 with int8 or int4 weights.
/// - Throws: `RuntimeError.invalidModel` when sizes do not fit each other.
/// - Source: operator 3 of the model format.
struct Convolution2DOperator: FusingConvolution {
  static let identity = OperatorIdentity(
    .conv2D, versions: 1...8, floatError: 1e-6,
    types: .one(.float32, [.float32, .int8, .uint8, TypeSet(.int4)], .float32, to: .float32)
      + .one(.uint8, .uint8, .int32, to: .uint8)
      + .one(.int8, [.int8, TypeSet(.int4)], .int32, to: .int8)
      + .one(.int16, [.int8, TypeSet(.int4)], [.int32, .int64], to: .int16))

  /// The type of the bias that models with 16-bit tensors are written for; 32-bit sums go with a 32-bit bias.
  private var hasNarrowSums: Bool
  private var window: WindowOptions
  var followers: [Follower] = []

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...3)
    window = WindowOptions(
      padding: try WindowPadding(node, field: Conv2DOptions.padding),
      strides: (try node.options[Conv2DOptions.strideHeight], try node.options[Conv2DOptions.strideWidth]),
      dilations: (try node.options[Conv2DOptions.dilationHeight], try node.options[Conv2DOptions.dilationWidth]),
      activation: try FusedActivation(node, field: Conv2DOptions.fusedActivation))
    hasNarrowSums = try node.options.code(of: Conv2DOptions.quantizedBiasType) == Int(ElementType.int32.rawValue)
  }

  func clamping(_ codes: ClosedRange<Int32>) -> Self {
    var clamped = self
    clamped.window = window.clamping(codes)
    return clamped
  }

  private init?(_ original: Self, _ window: WindowOptions?) {
    guard let window else { return nil }
    self = original
    self.window = window
  }

  func fusing(_ activation: FusedActivation) -> Self? { Self(self, window.fusing(activation)) }

  func folding(_ padding: ExplicitPadding) -> Self? { Self(self, window.folding(padding)) }

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
        "cannot share the \(geometry.channels) channels of input \(input) out to groups of \(groupChannels), and the \(filters) filters of \(filter) to the groups"
      )
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
    let groupChannels = try node.input(1).shape[3]
    func layout() throws -> MatrixLayout {
      try MatrixLayout(geometry, groupChannels: groupChannels, outputChannels: filters, context)
    }
    let stages: [PreparedOperator.Stage]
    switch (try node.input(0).elementType, try node.input(1).elementType) {
    case (.float32, .float32):
      // In reduced precision too: shorter products are twice as fast, a quarter of them more than that.
      stages =
        try WinogradConvolution(context, geometry, filters: filters, activation: window.activation)?
        .stages(context, followers: followers) ?? floatStages(context, layout(), geometry)
    case (.float32, .int8), (.float32, .uint8):
      stages = try hybridStages(context, geometry, filters)
    case (.uint8, _): stages = try byteStages(context, geometry, filters, UInt8.self)
    case (.int8, _): stages = try byteStages(context, geometry, filters, Int8.self)
    case (.int16, _):
      stages =
        hasNarrowSums || node.optionalInput(2)?.elementType == .int32
        ? try wordStages(context, layout(), filters, Int32.self)
        : try wordStages(context, layout(), filters, Int64.self)
    default: throw node.invalid("cannot convolve \(try node.input(0)) with \(try node.input(1))")
    }
    return PreparedOperator(
      stages: stages, multiplyAdds: geometry.batch &* geometry.pixels &* geometry.taps &* groupChannels &* filters)
  }

  private func floatStages(
    _ context: PrepareContext, _ layout: MatrixLayout, _ geometry: WindowGeometry
  ) throws -> [PreparedOperator.Stage] {
    let node = context.node, bias = node.hasInput(2) ? 2 : nil
    if let stages = try reducedStages(context, layout, geometry, bias: bias) { return stages }
    var layout = layout
    if let windows = layout.windows, windows.readsPadding {
      layout.inner = InnerWindows(context, geometry, channels: try node.input(1).shape[3])
    }
    return try FloatMatrix.stages(
      context, [layout], input: context.inputSlot(0), count: node.input(0).shape.elementCount, weights: 1, bias: bias,
      output: context.outputSlot(0), activation: window.activation, followers: followers)
  }

  /// In reduced precision, where windows are read from lines that are rounded with their padding. `nil` for other
  /// windows, and in full precision.
  private func reducedStages(
    _ context: PrepareContext, _ layout: MatrixLayout, _ geometry: WindowGeometry, bias: Int?
  ) throws -> [PreparedOperator.Stage]? {
    guard layout.windows != nil, let kernels = ReducedMatrix.kernels(context, weights: 1, bias: bias),
      let lines = RoundedLines(
        geometry, groupChannels: try context.node.input(1).shape[3],
        rowBlock: ReducedMatrix.tiling(layout, kernels).rowBlock)
    else { return nil }
    let products = lines.products(context, layout)
    guard ReducedMatrix.pays(products) else { return nil }
    return try ReducedMatrix(
      context, products, kernels, input: .pictures(context.inputSlot(0), lines), activation: window.activation
    ).stages(context, weights: 1, bias: bias, output: context.outputSlot(0), followers: followers).all
  }

  private func byteStages<Code: QuantizedCode>(
    _ context: PrepareContext, _ geometry: WindowGeometry, _ filters: Int, _ type: Code.Type
  ) throws -> [PreparedOperator.Stage] {
    let quantization = try ProductQuantization(
      context.node, columns: filters, axis: 0, isSymmetric: Code.isSigned, (Code.self, Code.self, Code.self))
    let factors = Code.isSigned ? quantization.factors : quantization.roundedFactors
    let groupChannels = try context.node.input(1).shape[3]
    let padded = try PaddedPictures(context, geometry, groupChannels: groupChannels)
    let layout = try MatrixLayout(
      padded?.geometry ?? geometry, groupChannels: groupChannels, outputChannels: filters, context)
    let product = ByteMatrix(
      context, layout, quantization.codes(Code.self, Code.self),
      rescaling: IntegerRescaling(
        factors: .fixedPoint(factors.map { QuantizedMultiplier($0) }),
        range: window.outputRange(quantization.output, Code.self), singlePrecision: quantization.singlePrecisionFactors),
      output: Code.self)
    let input = try context.inputSlot(0), zero = UInt8(truncatingIfNeeded: quantization.input.zeroPoint)
    let multiplying = try product.stages(
      context, input: padded?.slot ?? input, weights: 1, bias: context.node.hasInput(2) ? 2 : nil,
      output: context.outputSlot(0))
    return (padded.map { [$0.stage(input) { _, _ in zero }] } ?? []) + multiplying.all
  }

  private func wordStages<Sum: ProductSum>(
    _ context: PrepareContext, _ layout: MatrixLayout, _ filters: Int, _ type: Sum.Type
  ) throws -> [PreparedOperator.Stage] {
    let quantization = try ProductQuantization(
      context.node, columns: filters, axis: 0, isSymmetric: true, (Int16.self, Int8.self, Int16.self))
    return try MatrixLayout.wordStages(
      [layout], context, input: context.inputSlot(0), count: context.node.input(0).shape.elementCount, weights: 1,
      bias: context.node.hasInput(2) ? 2 : nil, output: context.outputSlot(0),
      rescaling: IntegerRescaling(
        factors: .fixedPoint(quantization.factors.map { QuantizedMultiplier($0) }),
        range: window.outputRange(quantization.output, Int16.self)), Sum.self)
  }

  /// Pictures are quantised one by one, by XNNPACK's rule every pixel for itself where windows are pixels. Old models
  /// keep the codes of signed weights in tensors that say uint8.
  private func hybridStages(
    _ context: PrepareContext, _ geometry: WindowGeometry, _ filters: Int
  ) throws -> [PreparedOperator.Stage] {
    let groupChannels = try context.node.input(1).shape[3]
    let hasGroups = geometry.channels != groupChannels
    let scales = try HybridScales(context, columns: filters, rule: nil, hasGroups: hasGroups)
    let isByPixel = scales.rule == .roundingToEven && geometry.readsPixels && !hasGroups
    let padded = try PaddedPictures(context, geometry, groupChannels: groupChannels)
    let layout = try MatrixLayout(
      padded?.geometry ?? geometry, groupChannels: groupChannels, outputChannels: filters, mergesPictures: isByPixel,
      context)
    let quantization = try DynamicQuantization(
      context, slices: isByPixel ? layout.places.count * layout.rows : geometry.batch,
      length: isByPixel ? geometry.channels : geometry.pictureCount, rule: scales.rule, isByRow: isByPixel,
      scaleFactor: scales.ofSlices, zeroRowLength: layout.windows?.readsPadding ?? false ? layout.byteTapDepth : 0)
    let product = try HybridMatrix(
      context, layout, scales: scales.ofColumns, quantization: quantization,
      activation: window.activation
    ).stages(
      context, codes: padded?.slot, weights: 1, bias: context.node.hasInput(2) ? 2 : nil, output: context.outputSlot(0))
    let padding = padded.map { padded in
      padded.stage(quantization.codes) { run, picture in
        UInt8(truncatingIfNeeded: run.pointer(quantization.zeroPoints, as: Int32.self)[picture])
      }
    }
    return quantization.stages(try context.inputSlot(0)) + (padding.map { [$0] } ?? []) + product.all
  }
}
