import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// TRANSPOSE_CONV: every input pixel adds its filters to a window of the output.
///
/// - Shapes: output shape `[4]`, filter `[filters, height, width, channels]`, input `[batch, height, width, channels]`,
///   bias `[filters]`; the output has the shape in input 0, `[batch, outHeight, outWidth, filters]`.
/// - Types: float32; float32 with int8 weights; uint8; int8 and int16 with int8 weights.
/// - Throws: `RuntimeError.invalidModel` if the sizes don't match.
/// - Source: operator 67 of the model format. The padding is the padding of the convolution from the output to the
///   input.
struct TransposeConvolution2DOperator: FusesActivation {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .transposeConv, versions: 1...5, floatError: 1e-6,
      types: .one(.int32, [.float32, .int8], .float32, .float32, to: .float32)
        + .one(.int32, .uint8, .uint8, .int32, to: .uint8) + .one(.int32, .int8, .int8, .int32, to: .int8)
        + .one(.int32, .int8, .int16, [.int32, .int64], to: .int16))
  }

  private let padding: WindowPadding
  private let strides: (height: Int, width: Int)
  private var activation: FusedActivation
  /// Whether the options specify a 32-bit bias for 16-bit tensors, which implies 32-bit sums.
  private let hasNarrowSums: Bool

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 3...4)
    padding = try WindowPadding(node, field: TransposeConvOptions.padding)
    strides = (try node.options[TransposeConvOptions.strideHeight], try node.options[TransposeConvOptions.strideWidth])
    activation = try FusedActivation(node, field: TransposeConvOptions.fusedActivation)
    hasNarrowSums = try node.options.code(of: TransposeConvOptions.quantizedBiasType) == Int(ElementType.int32.rawValue)
  }

  func fusing(_ activation: FusedActivation) -> Self? {
    guard self.activation == .none else { return nil }
    var fused = self
    fused.activation = activation
    return fused
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let shape = try node.integers(0)
    guard shape.count == 4, shape[1] > 0, shape[2] > 0 else {
      throw node.invalid("takes an output shape of 4 elements with positive height and width, got \(shape.excerpt)")
    }
    _ = try window(node, output: Shape(shape))
    return [Shape(shape)]
  }

  private func window(_ node: NodeView, output: Shape) throws -> TransposedWindow {
    let filter = try node.input(1), input = try node.input(2)
    guard input.shape.rank == 4, filter.shape.rank == 4, input.shape.dimensions[1...].allSatisfy({ $0 > 0 }),
      filter.shape.dimensions.allSatisfy({ $0 > 0 }), input.shape[3] == filter.shape[3]
    else {
      throw node.invalid(
        "takes an input and a filter of rank 4 with the same channels and without empty dimensions, got \(input) and \(filter)"
      )
    }
    guard output[0] == input.shape[0], output[3] == filter.shape[0] else {
      throw node.invalid("cannot produce an output of shape \(output) from input \(input) and filter \(filter)")
    }
    if let bias = node.optionalInput(3), bias.shape.elementCount != filter.shape[0] {
      throw node.invalid("takes a bias of \(filter.shape[0]) elements, got \(bias)")
    }
    func axis(_ name: String, _ index: Int, stride: Int) throws -> TransposedWindow.Axis {
      // The convolution from the output to the input determines the padding.
      let forward = try WindowAxis(
        node, name, inputSize: output[index], windowSize: filter.shape[index], stride: stride, padding: padding)
      return TransposedWindow.Axis(
        inputSize: input.shape[index], outputSize: output[index], windowSize: filter.shape[index], stride: stride,
        padding: forward.paddingBefore)
    }
    return TransposedWindow(
      batch: input.shape[0], height: try axis("height", 1, stride: strides.height),
      width: try axis("width", 2, stride: strides.width), inputChannels: input.shape[3],
      outputChannels: filter.shape[0],
      elementStride: input.shape[3], columnStride: filter.shape.elementCount(1...3))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let output = try node.output(0)
    guard output.shape.elementCount > 0 else { return .empty }
    let window = try window(node, output: output.shape), type = try node.input(2).elementType
    let stages =
      if let image = try image(context, window) {
        try imageStages(context, image.image, work: image.work)
      } else {
        try phaseStages(context, window, type)
      }
    return PreparedOperator(stages: stages, multiplyAdds: window.multiplyAdds)
  }

  private func bias(_ node: NodeView) -> Int? { node.hasInput(3) ? 3 : nil }

  private func isFloat(_ node: NodeView) throws -> Bool {
    try node.input(2).elementType == .float32 && node.input(1).elementType == .float32
  }

  // MARK: One product

  /// Returns the product to add up if it is faster than the phases.
  private func image(
    _ context: PrepareContext, _ window: TransposedWindow
  ) throws -> (image: ColumnsToImage, work: Double)? {
    let node = context.node, isFloat = try isFloat(node), isDynamic = try node.input(2).elementType == .float32
    guard try node.input(2).elementType != .int16 else { return nil }
    // Exact sums of floats are in the order of the reference, and reduced precision needs other panels.
    if isFloat {
      guard context.options.numerics == .fast,
        BFloat16Gemm.kernels(context, weights: 1, bias: bias(node)) == nil
      else { return nil }
    }
    let zeroPoint = try node.input(1).quantization?.zeroPoints.first ?? 0
    let cost =
      try isFloat
      ? TransposedCost.float(context)
      : .bytes(
        context, isDynamic: isDynamic,
        sumsRows: !isDynamic && zeroPoint != (node.input(1).elementType == .uint8 ? 128 : 0))
    guard let choice = cost.choose(window, changesSums: isFloat),
      choice.image.fits(context, elementBytes: isFloat ? 4 : 1)
    else { return nil }
    return choice
  }

  private func imageStages(
    _ context: PrepareContext, _ image: ColumnsToImage, work: Double
  ) throws -> [PreparedOperator.Stage] {
    let node = context.node
    try context.requireTable(elements: [image.columns / image.outputChannels], of: Int.self)
    switch (try node.input(2).elementType, try node.input(1).elementType) {
    case (.float32, .float32):
      return try image.floatStages(
        context, input: context.inputSlot(2), weights: 1, bias: bias(node), output: context.outputSlot(0),
        activation: activation, work: work)
    case (.uint8, _): return try imageStages(context, image, work: work, UInt8.self)
    case (.int8, _): return try imageStages(context, image, work: work, Int8.self)
    default:
      let quantization = try dynamicQuantization(context, zeroRowLength: image.layout.byteTapDepth)
      let weights = try WeightScales(node, input: 1, columns: image.outputChannels, axis: 0)
      return quantization.stages(try context.inputSlot(2))
        + (try image.dynamicRangeStages(
          context, quantization, scales: weights.scales, weights: 1, bias: bias(node), output: context.outputSlot(0),
          activation: activation, work: work))
    }
  }

  private func imageStages<Quantized: QuantizedValue>(
    _ context: PrepareContext, _ image: ColumnsToImage, work: Double, _ type: Quantized.Type
  ) throws -> [PreparedOperator.Stage] {
    let quantization = try byteQuantization(context, columns: image.outputChannels, type)
    return try image.byteStages(
      context, quantization.operands(Quantized.self, Quantized.self), input: context.inputSlot(2), weights: 1,
      bias: bias(context.node), output: context.outputSlot(0), factors: multipliers(quantization, type),
      singlePrecision: quantization.singlePrecisionFactors,
      range: OutputRange(quantization.output, activation, Quantized.self), work: work, type)
  }

  // MARK: Phases

  private func phaseStages(
    _ context: PrepareContext, _ window: TransposedWindow, _ type: ElementType
  ) throws -> [PreparedOperator.Stage] {
    let node = context.node
    let lanes = try (isFloat(node) ? context.kernels.gemm.panelColumns : context.kernels.quantizedGemm.panelColumns) / 2
    // Column terms of 16-bit products aren't implemented for adjacent phases.
    let layouts = try window.layouts(context, lanes: type == .int16 ? 1 : lanes)
    switch (type, try node.input(1).elementType) {
    case (.float32, .float32):
      return try FloatGemm.stages(
        context, layouts, input: context.inputSlot(2), count: node.input(2).shape.elementCount, weights: 1,
        bias: bias(node), output: context.outputSlot(0), activation: activation)
    case (.float32, .int8): return try dynamicRangeStages(context, layouts)
    case (.uint8, _): return try byteStages(context, layouts, UInt8.self)
    case (.int8, _): return try byteStages(context, layouts, Int8.self)
    case (.int16, _):
      return hasNarrowSums || node.optionalInput(3)?.elementType == .int32
        ? try int16Stages(context, layouts, Int32.self) : try int16Stages(context, layouts, Int64.self)
    default: throw node.invalid("cannot convolve \(try node.input(2)) with \(try node.input(1))")
    }
  }

  private func byteQuantization<Quantized: QuantizedValue>(
    _ context: PrepareContext, columns: Int, _ type: Quantized.Type
  ) throws -> GemmQuantization {
    try GemmQuantization(
      context.node, input: 2, columns: columns, axis: 0, isSymmetric: Quantized.isSigned,
      (Quantized.self, Quantized.self, Quantized.self))
  }

  private func multipliers<Quantized: QuantizedValue>(
    _ quantization: GemmQuantization, _ type: Quantized.Type
  ) -> [QuantizedMultiplier] {
    (Quantized.isSigned ? quantization.factors : quantization.roundedFactors).map { QuantizedMultiplier($0) }
  }

  private func byteStages<Quantized: QuantizedValue>(
    _ context: PrepareContext, _ layouts: [GemmLayout], _ type: Quantized.Type
  ) throws -> [PreparedOperator.Stage] {
    let quantization = try byteQuantization(context, columns: layouts[0].distinctColumns, type)
    let multipliers = multipliers(quantization, type)
    let range = OutputRange(quantization.output, activation, Quantized.self)
    let largestSum = try context.largestSum(weights: 1, columns: layouts[0].distinctColumns, bias: bias(context.node))
    return GemmStages.joined(
      try layouts.map { layout in
        let rescaling = IntegerRescaling(
          factors: .fixedPoint(layout.repeated(multipliers)), range: range,
          singlePrecision: layout.repeated(quantization.singlePrecisionFactors), largestSum: largestSum)
        return try Int8Gemm(
          context, layout, quantization.operands(Quantized.self, Quantized.self), rescaling: rescaling,
          output: Quantized.self
        )
        .stages(
          context, input: context.inputSlot(2), weights: 1, bias: bias(context.node), output: context.outputSlot(0))
      })
  }

  private func int16Stages<Sum: ProductSum>(
    _ context: PrepareContext, _ layouts: [GemmLayout], _ type: Sum.Type
  ) throws -> [PreparedOperator.Stage] {
    let quantization = try GemmQuantization(
      context.node, input: 2, columns: layouts[0].columns, axis: 0, isSymmetric: true,
      (Int16.self, Int8.self, Int16.self))
    let rescaling = IntegerRescaling(
      factors: .fixedPoint(quantization.factors.map { QuantizedMultiplier($0) }),
      range: OutputRange(quantization.output, activation, Int16.self))
    return try GemmLayout.int16Stages(
      layouts, context, input: context.inputSlot(2), count: context.node.input(2).shape.elementCount, weights: 1,
      bias: bias(context.node), output: context.outputSlot(0), rescaling: rescaling,
      (Int8.self, Sum.self))
  }

  private func dynamicQuantization(_ context: PrepareContext, zeroRowLength: Int) throws -> DynamicQuantization {
    let input = try context.node.input(2)
    return try DynamicQuantization(
      context, slices: input.shape[0], length: input.shape.elementCount(1...3), rule: .asymmetric, isByRow: false,
      zeroRowLength: zeroRowLength)
  }

  /// Returns the stages for dynamically quantized images, which are quantized one by one.
  private func dynamicRangeStages(
    _ context: PrepareContext, _ layouts: [GemmLayout]
  ) throws -> [PreparedOperator.Stage] {
    let weights = try WeightScales(context.node, input: 1, columns: layouts[0].distinctColumns, axis: 0)
    let quantization = try dynamicQuantization(context, zeroRowLength: layouts[0].byteTapDepth)
    let products = try layouts.map { layout in
      try DynamicRangeGemm(
        context, layout, scales: layout.repeated(weights.scales), quantization: quantization, activation: activation
      ).stages(context, weights: 1, bias: bias(context.node), output: context.outputSlot(0))
    }
    return quantization.stages(try context.inputSlot(2)) + GemmStages.joined(products)
  }
}

/// CONV_3D_TRANSPOSE: every input position adds its filters to a box of the output.
///
/// - Shapes: output shape `[5]`, filter `[depth, height, width, filters, channels]`, input `[batch, depth, height,
///   width, channels]`, bias `[filters]`; the output has the shape in input 0, `[batch, outDepth, outHeight, outWidth,
///   filters]`.
/// - Types: float32.
/// - Throws: `RuntimeError.invalidModel` if the sizes don't match.
/// - Source: operator 141 of the model format. The padding is the padding of the convolution from the output to the
///   input.
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
      throw node.invalid("cannot produce an output of shape \(output) from input \(input) and filter \(filter)")
    }
    if let bias = node.optionalInput(3), bias.shape.elementCount != filter.shape[3] {
      throw node.invalid("takes a bias of \(filter.shape[3]) elements, got \(bias)")
    }
    let axes = try (0..<3).map { index in
      // The convolution from the output to the input determines the padding.
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
