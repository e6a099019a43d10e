import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// CONV_2D: every output channel is a weighted sum over a window of the input.
///
/// - Shapes: input `[batch, height, width, channels]`, filter `[filters, height, width, channels / groups]`, bias
///   `[filters]`; output `[batch, outHeight, outWidth, filters]`.
/// - Types: float32; float32 with integer weights; uint8; int8 and int16 with int8 or int4 weights.
/// - Throws: `RuntimeError.invalidModel` if the sizes don't match.
/// - Source: operator 3 of the model format.
struct Convolution2DOperator: FusingConvolution {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .conv2D, versions: 1...8, floatError: 1e-6,
      types: .one(.float32, [.float32, .int8, .uint8, TypeSet(.int4)], .float32, to: .float32)
        + .one(.uint8, .uint8, .int32, to: .uint8)
        + .one(.int8, [.int8, TypeSet(.int4)], .int32, to: .int8)
        + .one(.int16, [.int8, TypeSet(.int4)], [.int32, .int64], to: .int16))
  }

  /// Whether the options specify a 32-bit bias for 16-bit tensors, which implies 32-bit sums.
  private var hasNarrowSums: Bool
  private var window: WindowOptions
  var epilogue: [EpilogueStep] = []
  var takesEpilogueOfDynamicRange: Bool { true }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...3)
    window = WindowOptions(
      padding: try WindowPadding(node, field: Conv2DOptions.padding),
      strides: (try node.options[Conv2DOptions.strideHeight], try node.options[Conv2DOptions.strideWidth]),
      dilations: (try node.options[Conv2DOptions.dilationHeight], try node.options[Conv2DOptions.dilationWidth]),
      activation: try FusedActivation(node, field: Conv2DOptions.fusedActivation))
    hasNarrowSums = try node.options.code(of: Conv2DOptions.quantizedBiasType) == Int(ElementType.int32.rawValue)
  }

  func clamping(_ quantized: ClosedRange<Int32>) -> Self {
    var clamped = self
    clamped.window = window.clamping(quantized)
    return clamped
  }

  private init?(_ original: Self, _ window: WindowOptions?) {
    guard let window else { return nil }
    self = original
    self.window = window
  }

  func fusing(_ activation: FusedActivation) -> Self? { Self(self, window.fusing(activation)) }

  func folding(_ padding: ExplicitPadding) -> Self? { Self(self, window.folding(padding)) }

  func dilating(height: Int, width: Int, padding: ExplicitPadding, _ node: NodeView) throws -> Self? {
    guard try !WinogradConvolution.takes(filter: node.input(1)) else { return nil }
    return Self(self, window.dilating(height: height, width: width, padding: padding))
  }

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
    let (whole, filters) = try geometry(node)
    guard try node.output(0).shape.elementCount > 0 else { return .empty }
    context.usesWindow(height: whole.height.windowSize, width: whole.width.windowSize)
    let groupChannels = try node.input(1).shape[3], geometry = whole.cropped
    return PreparedOperator(
      stages: try stages(context, route(context, geometry, filters), geometry, filters),
      multiplyAdds: whole.batch &* whole.pixels &* whole.taps &* groupChannels &* filters)
  }

  /// Returns the route, according to the table in `ConvolutionRoute`.
  private func route(
    _ context: PrepareContext, _ geometry: WindowGeometry, _ filters: Int
  ) throws -> ConvolutionRoute {
    let node = context.node
    switch (try node.input(0).elementType, try node.input(1).elementType) {
    case (.float32, .float32) where geometry.filterPart != nil:
      return .float(try layout(context, geometry, filters, findsInterior: true))
    case (.float32, .float32):
      // Also in reduced precision: bfloat16 products are twice as fast, but a quarter of the products is even faster.
      if let winograd = try WinogradConvolution(context, geometry, filters: filters, activation: window.activation) {
        return .winograd(winograd)
      }
      if let sums = try LowChannelCountConvolution(context, geometry, filters: filters, activation: window.activation) {
        return .fewFilters(sums)
      }
      let layout = try layout(context, geometry, filters, findsInterior: true)
      if let product = try bfloat16Rows(context, layout, geometry) { return .bfloat16Rows(product) }
      return .float(layout)
    case (.float32, .int8), (.float32, .uint8): return .dynamicRange
    case (.uint8, _): return .uint8
    case (.int8, _): return .int8
    case (.int16, _):
      return .int16(hasNarrowSums: hasNarrowSums || node.optionalInput(2)?.elementType == .int32)
    default: throw node.invalid("cannot convolve \(try node.input(0)) with \(try node.input(1))")
    }
  }

  private func stages(
    _ context: PrepareContext, _ route: ConvolutionRoute, _ geometry: WindowGeometry, _ filters: Int
  ) throws -> [PreparedOperator.Stage] {
    switch route {
    case .winograd(let winograd): return try winograd.stages(context, epilogue: epilogue)
    case .fewFilters(let sums): return try sums.stages(context, epilogue: epilogue)
    case .bfloat16Rows(let product):
      return try product.stages(
        context, weights: 1, bias: context.node.hasInput(2) ? 2 : nil, output: context.outputSlot(0),
        epilogue: epilogue
      ).all
    case .float(let layout): return try floatStages(context, layout)
    case .dynamicRange: return try dynamicRangeStages(context, geometry, filters)
    case .uint8: return try byteStages(context, geometry, filters, UInt8.self)
    case .int8: return try byteStages(context, geometry, filters, Int8.self)
    case .int16(let hasNarrowSums):
      let layout = try layout(context, geometry, filters)
      return hasNarrowSums
        ? try int16Stages(context, layout, filters, Int32.self) : try int16Stages(context, layout, filters, Int64.self)
    }
  }

  private func layout(
    _ context: PrepareContext, _ geometry: WindowGeometry, _ filters: Int, findsInterior: Bool = false
  ) throws -> GemmLayout {
    try GemmLayout(
      geometry, groupChannels: context.node.input(1).shape[3], outputChannels: filters, findsInterior: findsInterior,
      context)
  }

  private func floatStages(
    _ context: PrepareContext, _ layout: GemmLayout
  ) throws -> [PreparedOperator.Stage] {
    let node = context.node
    return try FloatGemm.stages(
      context, [layout], input: context.inputSlot(0), count: node.input(0).shape.elementCount, weights: 1,
      bias: node.hasInput(2) ? 2 : nil, output: context.outputSlot(0), activation: window.activation,
      epilogue: epilogue)
  }

  /// Returns the reduced-precision stages that read windows from rows that are rounded together with their padding;
  /// `nil` for other windows, and in full precision.
  private func bfloat16Rows(
    _ context: PrepareContext, _ layout: GemmLayout, _ geometry: WindowGeometry
  ) throws -> BFloat16Gemm? {
    guard layout.windows != nil,
      let kernels = BFloat16Gemm.kernels(context, weights: 1, bias: context.node.hasInput(2) ? 2 : nil),
      let rows = BFloat16RowBuffer(
        geometry, groupChannels: try context.node.input(1).shape[3],
        rowBlock: BFloat16Gemm.tiling(layout, kernels).rowBlock)
    else { return nil }
    let products = rows.products(context, layout)
    guard BFloat16Gemm.pays(products, kernels) else { return nil }
    return try BFloat16Gemm(
      context, products, kernels, input: .images(context.inputSlot(0), rows), activation: window.activation)
  }

  private func byteStages<Quantized: QuantizedValue>(
    _ context: PrepareContext, _ geometry: WindowGeometry, _ filters: Int, _ type: Quantized.Type
  ) throws -> [PreparedOperator.Stage] {
    let quantization = try GemmQuantization(
      context.node, columns: filters, axis: 0, isSymmetric: Quantized.isSigned,
      (Quantized.self, Quantized.self, Quantized.self))
    let factors = Quantized.isSigned ? quantization.factors : quantization.roundedFactors
    let groupChannels = try context.node.input(1).shape[3]
    let padded = try PaddedImages(context, geometry, groupChannels: groupChannels)
    let layout = try GemmLayout(
      padded?.geometry ?? geometry, groupChannels: groupChannels, outputChannels: filters, context)
    let operands = quantization.operands(Quantized.self, Quantized.self)
    let flipsSigns = padded != nil && operands.inputIsSigned && context.kernels.quantizedGemm.prefersUnsigned
    let product = try Int8Gemm(
      context, layout, flipsSigns ? operands.unsigned : operands,
      rescaling: IntegerRescaling(
        factors: .fixedPoint(factors.map { QuantizedMultiplier($0) }),
        range: window.outputRange(quantization.output, Quantized.self),
        singlePrecision: quantization.singlePrecisionFactors,
        largestSum: context.largestSum(weights: 1, columns: filters, bias: 2)),
      output: Quantized.self)
    let input = try context.inputSlot(0), zero = UInt8(truncatingIfNeeded: quantization.input.zeroPoint)
    let multiplying = try product.stages(
      context, input: padded?.slot ?? input, weights: 1, bias: context.node.hasInput(2) ? 2 : nil,
      output: context.outputSlot(0))
    return (padded.map { [$0.stage(input, flipsSigns: flipsSigns) { _, _ in zero }] } ?? []) + multiplying.all
  }

  private func int16Stages<Sum: ProductSum>(
    _ context: PrepareContext, _ layout: GemmLayout, _ filters: Int, _ type: Sum.Type
  ) throws -> [PreparedOperator.Stage] {
    let quantization = try GemmQuantization(
      context.node, columns: filters, axis: 0, isSymmetric: true, (Int16.self, Int8.self, Int16.self))
    return try GemmLayout.int16Stages(
      [layout], context, input: context.inputSlot(0), count: context.node.input(0).shape.elementCount, weights: 1,
      bias: context.node.hasInput(2) ? 2 : nil, output: context.outputSlot(0),
      rescaling: IntegerRescaling(
        factors: .fixedPoint(quantization.factors.map { QuantizedMultiplier($0) }),
        range: window.outputRange(quantization.output, Int16.self)), (Int8.self, Sum.self))
  }

  /// Images are quantized one by one. In XNNPACK's rule, pixels are quantized one by one if windows are single pixels.
  /// Old models store the quantized values of signed weights in tensors declared as uint8.
  private func dynamicRangeStages(
    _ context: PrepareContext, _ geometry: WindowGeometry, _ filters: Int
  ) throws -> [PreparedOperator.Stage] {
    let groupChannels = try context.node.input(1).shape[3]
    let hasGroups = geometry.channels != groupChannels
    let scales = try DynamicRangeScales(context, columns: filters, rule: nil, hasGroups: hasGroups)
    let isByPixel =
      scales.rule == .roundingToEven && geometry.readsPixels && geometry.filterPart == nil && !hasGroups
    let padded = try PaddedImages(context, geometry, groupChannels: groupChannels)
    let layout = try GemmLayout(
      padded?.geometry ?? geometry, groupChannels: groupChannels, outputChannels: filters, mergesImages: isByPixel,
      context)
    let quantization = try DynamicQuantization(
      context, slices: isByPixel ? layout.places.count * layout.rows : geometry.batch,
      length: isByPixel ? geometry.channels : geometry.imageElementCount, rule: scales.rule, isByRow: isByPixel,
      scaleFactor: scales.ofSlices, zeroRowLength: layout.windows?.readsPadding ?? false ? layout.byteTapDepth : 0)
    let product = try DynamicRangeGemm(
      context, layout, scales: scales.ofColumns, quantization: quantization,
      activation: window.activation
    ).stages(
      context, quantized: padded?.slot, weights: 1, bias: context.node.hasInput(2) ? 2 : nil,
      output: context.outputSlot(0), epilogue: epilogue)
    let padding = padded.map { padded in
      padded.stage(quantization.quantized) { run, image in
        UInt8(truncatingIfNeeded: run.pointer(quantization.zeroPoints, as: Int32.self)[image])
      }
    }
    return quantization.stages(try context.inputSlot(0)) + (padding.map { [$0] } ?? []) + product.all
  }
}

/// The implementations of CONV_2D. The first row whose condition is true applies:
///
/// | input, filter | condition | route |
/// |---|---|---|
/// | float32, float32 | a part of the filter is outside the image at every output pixel (`WindowGeometry.cropped`) | `float` |
/// | | `WinogradConvolution` applies and is faster: fast numerics, 3×3 windows of stride 1, one group, a constant filter, twelve channels or more | `winograd` |
/// | | `LowChannelCountConvolution` applies and is faster: fast numerics, one group, at most a third as many filters as the window has taps, more than a few thousand products per filter, and taps too short for dot products | `fewFilters` |
/// | | reduced precision on a CPU with bfloat16 products, if rounding whole rows is worthwhile | `bfloat16Rows` |
/// | | otherwise | `float` |
/// | float32, int8 or uint8 | | `dynamicRange` |
/// | uint8, uint8 | | `uint8` |
/// | int8, int8 or int4 | | `int8` |
/// | int16, int8 or int4 | 32-bit sums if the model or its bias requests them; otherwise, 64-bit sums | `int16` |
///
/// All but the first two are matrix products with a row per output pixel and a column per filter. They differ in the
/// source of a row's elements (three taps of C channels):
///
///     window of a pixel   row r = pixel r of the input, at a constant stride; no table
///                         | C |
///     indirect            row r = the positions of its taps in an indirection buffer; −1 for a zero row
///                         r → [tap 0 | tap 1 | … | tap 8], each C elements anywhere
///     interior windows    few channels: the taps of a window row are adjacent and form one of 3·C elements;
///                         the ends of image rows stay indirect
///                         r → [row 0: C C C | row 1: C C C | row 2: C C C]
///     padded images       int8 and uint8: a copy padded with zero points, where all rows of all windows are contiguous
///     bfloat16 rows       the input rows of a tile, rounded and padded in a buffer, read as interior windows
///
/// Winograd has 36 products instead, one per frequency, whose rows are tiles of 4×4 output pixels:
///
///     6×6 inputs → 36 frequencies × C  ·  36 × C × filters  → 36 × filters → 4×4 outputs
///
/// With few filters, most of a vector of columns would be empty. `FloatGemm` then multiplies rows and columns a vector of
/// the depth at a time if taps are long, and `LowChannelCountConvolution` sums vectors of channels if they are short.
enum ConvolutionRoute {
  case winograd(WinogradConvolution)
  case fewFilters(LowChannelCountConvolution)
  case bfloat16Rows(BFloat16Gemm)
  case float(GemmLayout)
  case dynamicRange
  case uint8
  case int8
  case int16(hasNarrowSums: Bool)
}
