import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// FULLY_CONNECTED: every output is a weighted sum over a row of the input.
///
/// - Shapes: input of any shape, read as rows of `depth` elements; weights `[units, depth]`; bias `[units]`; output
///   `[rows, units]`, or the input's shape with `units` as the last dimension if dimensions are kept.
/// - Types: float32; float32 with integer weights, where 4-bit weights may have a scale per block; uint8; int8 and
///   int16 with integer weights of up to 8 bits; int16 with int16 weights. uint8 with shuffled weights has int16
///   results and a second output, which other runtimes use as scratch memory.
/// - Throws: `RuntimeError.invalidModel` if the sizes don't match.
/// - Source: operator 9 of the model format.
struct FullyConnectedOperator: TakesEpilogue {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .fullyConnected, versions: 1...14, floatError: 1e-6,
      types: .one(.float32, TypeSet([.float32, .int8, .uint8, .int4, .int2]), .float32, to: .float32)
        + .one(.uint8, .uint8, .int32, to: [.uint8, .int16])
        + .one(.int8, TypeSet([.int8, .int4, .int2]), .int32, to: .int8)
        + .one(.int16, TypeSet([.int8, .int4, .int2, .int16]), [.int32, .int64], to: .int16))
  }

  private var activation: FusedActivation
  var epilogue: [EpilogueStep] = []
  var takesEpilogueOfDynamicRange: Bool { true }
  private let isShuffled: Bool
  private let keepsDimensions: Bool
  private let hasAsymmetricInputs: Bool
  /// Whether the options specify a 32-bit bias for 16-bit tensors, which implies 32-bit sums.
  private let hasNarrowSums: Bool

  init(parsing node: NodeReader) throws {
    activation = try FusedActivation(node, field: FullyConnectedOptions.fusedActivation)
    let code = try node.options.code(of: FullyConnectedOptions.weightsFormat)
    guard let format = FullyConnectedWeightsFormat(rawValue: code) else {
      throw node.invalid("has weights format \(code), only the default format (0) and the shuffled one (1) are known")
    }
    isShuffled = format == .shuffled4x16Int8
    try node.require(inputs: 2...3, outputs: isShuffled ? 2...2 : 1...1)
    keepsDimensions = try node.options[FullyConnectedOptions.keepDimensionCount]
    hasAsymmetricInputs = try node.options[FullyConnectedOptions.asymmetricQuantizeInputs]
    hasNarrowSums =
      try node.options.code(of: FullyConnectedOptions.quantizedBiasType) == Int(ElementType.int32.rawValue)
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
      throw node.invalid(
        "takes an input with \(depth) elements in the last dimension, as the weights \(weights), got \(input)")
    }
    guard depth > 0 else {
      return Sizes(rows: Shape(Array(input.shape.dimensions.dropLast())).elementCount, units: units, depth: 0)
    }
    let count = input.shape.elementCount
    guard count % depth == 0 else {
      throw node.invalid(
        "cannot read input \(input), of \(count) elements, as rows of \(depth) for the weights \(weights)")
    }
    return Sizes(rows: count / depth, units: units, depth: depth)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let sizes = try sizes(node)
    var shape: Shape = [sizes.rows, sizes.units]
    if keepsDimensions {
      shape = try node.input(0).shape
      shape[shape.rank - 1] = sizes.units
    }
    return isShuffled ? [shape, try node.input(0).shape] : [shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let sizes = try sizes(node)
    // With shuffled weights, there is a second output, which may have elements even if the first has none.
    guard try node.output(0).shape.elementCount > 0 else { return isShuffled ? try .zeros(context, output: 1) : .empty }
    // The reference ignores the bias of products without terms.
    guard sizes.depth > 0 || isShuffled else { return try .zeros(context) }
    let layout = GemmLayout(rows: sizes.rows, units: sizes.units, depth: sizes.depth)
    return PreparedOperator(stages: try stages(context, layout), multiplyAdds: layout.multiplyAdds)
  }

  private func stages(_ context: PrepareContext, _ layout: GemmLayout) throws -> [PreparedOperator.Stage] {
    let node = context.node
    if isShuffled { return try ShuffledProduct(node, layout, activation).stages(context) }
    if let scales = try node.blockScales(ofInput: 1) {
      guard try node.input(0).elementType == .float32, try node.input(1).expandedFrom == .int4 else {
        throw node.invalid(
          "takes weights in blocks only of int4 and for a float32 input, got \(try node.input(0)) and \(try node.input(1))"
        )
      }
      guard node.isConstant(1) else { throw node.invalid("takes constant weights in blocks") }
      return try int4Stages(
        context, layout, .blocks(scales), rule: context.options.numerics == .fast ? .roundingToEven : .asymmetric)
    }
    let isNarrow = hasNarrowSums || node.optionalInput(2)?.elementType == .int32
    switch (try node.input(0).elementType, try node.input(1).elementType, try node.output(0).elementType) {
    case (.float32, .float32, _):
      let bias = node.hasInput(2) ? 2 : nil
      if let product = Float16RowGemm(context, layout, weights: 1, bias: bias, activation: activation) {
        return try product.stages(
          context, input: context.inputSlot(0), bias: bias, output: context.outputSlot(0), epilogue: epilogue)
      }
      return try FloatGemm.stages(
        context, [layout], input: context.inputSlot(0), count: node.input(0).shape.elementCount, weights: 1,
        bias: bias, output: context.outputSlot(0), activation: activation, epilogue: epilogue)
    case (.float32, .int8, _), (.float32, .uint8, _): return try dynamicRangeStages(context, layout)
    case (.uint8, _, .uint8): return try byteStages(context, layout, (UInt8.self, UInt8.self, UInt8.self))
    case (.uint8, _, .int16): return try byteStages(context, layout, (UInt8.self, UInt8.self, Int16.self))
    case (.int8, _, _): return try byteStages(context, layout, (Int8.self, Int8.self, Int8.self))
    case (.int16, .int16, _): return try integerStages(context, layout)
    case (.int16, _, _) where isNarrow: return try int16Stages(context, layout, Int32.self)
    case (.int16, _, _): return try int16Stages(context, layout, Int64.self)
    default: throw node.invalid("cannot multiply \(try node.input(0)) by \(try node.input(1))")
    }
  }

  /// Returns the stages for dynamically quantized rows, which are quantized one by one. Old models store the quantized
  /// values of signed weights in tensors declared as uint8.
  private func dynamicRangeStages(_ context: PrepareContext, _ layout: GemmLayout) throws -> [PreparedOperator.Stage] {
    let scales = try DynamicRangeScales(
      context, columns: layout.columns, rule: hasAsymmetricInputs ? .asymmetric : .symmetric,
      takesNibbles: layout.depth.isMultiple(of: 2))
    if try context.node.input(1).expandedFrom == .int4, Int4Gemm.pays(layout) {
      return try int4Stages(
        context, layout, .columns(scales.ofColumns), rule: scales.rule, scaleFactor: scales.ofSlices)
    }
    let quantization = try DynamicQuantization(
      context, slices: layout.rows, length: layout.depth, rule: scales.rule, isByRow: true, scaleFactor: scales.ofSlices
    )
    let product = try DynamicRangeGemm(
      context, layout, scales: scales.ofColumns, quantization: quantization,
      activation: activation
    ).stages(
      context, weights: 1, bias: context.node.hasInput(2) ? 2 : nil, output: context.outputSlot(0), epilogue: epilogue)
    return quantization.stages(try context.inputSlot(0)) + product.all
  }

  /// Returns the stages for dynamically quantized rows and int4 weights.
  private func int4Stages(
    _ context: PrepareContext, _ layout: GemmLayout, _ scales: Int4Gemm.Scales, rule: Quantizer.Rule,
    scaleFactor: Float = 1
  ) throws -> [PreparedOperator.Stage] {
    let quantization = try DynamicQuantization(
      context, slices: layout.rows, length: layout.depth, rule: rule, isByRow: true, scaleFactor: scaleFactor,
      padding: Int4Gemm.inputPadding)
    let product = try Int4Gemm(context, layout, scales, quantization: quantization, activation: activation)
    return quantization.stages(try context.inputSlot(0))
      + (try product.stages(
        context, weights: 1, bias: context.node.hasInput(2) ? 2 : nil, output: context.outputSlot(0),
        epilogue: epilogue))
  }

  /// Returns the stages for 8-bit tensors. The reference rescales in double precision.
  private func byteStages<Input: QuantizedValue, Weight: QuantizedValue, Output: QuantizedValue>(
    _ context: PrepareContext, _ layout: GemmLayout, _ types: (Input.Type, Weight.Type, Output.Type)
  ) throws -> [PreparedOperator.Stage] {
    let quantization = try GemmQuantization(
      context.node, columns: layout.columns, axis: 0, isSymmetric: false, (Input.self, Weight.self, Output.self))
    return try Int8Gemm(
      context, layout, quantization.operands(Input.self, Weight.self),
      rescaling: IntegerRescaling(
        factors: .real(quantization.factors), range: OutputRange(quantization.output, activation, Output.self),
        singlePrecision: quantization.singlePrecisionFactors,
        largestSum: context.largestSum(weights: 1, columns: layout.columns, bias: 2)),
      output: Output.self
    ).stages(
      context, input: context.inputSlot(0), weights: 1, bias: context.node.hasInput(2) ? 2 : nil,
      output: context.outputSlot(0)
    ).all
  }

  /// Returns the stages for int16 tensors. The reference rescales in double precision.
  private func int16Stages<Sum: ProductSum>(
    _ context: PrepareContext, _ layout: GemmLayout, _ type: Sum.Type
  ) throws -> [PreparedOperator.Stage] {
    let quantization = try GemmQuantization(
      context.node, columns: layout.columns, axis: 0, isSymmetric: true, (Int16.self, Int8.self, Int16.self))
    return try GemmLayout.int16Stages(
      [layout], context, input: context.inputSlot(0), count: layout.rows * layout.depth, weights: 1,
      bias: context.node.hasInput(2) ? 2 : nil, output: context.outputSlot(0),
      rescaling: IntegerRescaling(
        factors: .real(quantization.factors), range: OutputRange(quantization.output, activation, Int16.self)),
      (Int8.self, Sum.self))
  }

  /// Returns the stages for 16-bit weights, for which the reference uses fixed-point factors.
  private func integerStages(_ context: PrepareContext, _ layout: GemmLayout) throws -> [PreparedOperator.Stage] {
    let quantization = try GemmQuantization(
      context.node, columns: layout.columns, axis: 0, isSymmetric: true, (Int16.self, Int16.self, Int16.self))
    let factors = quantization.isPerChannel ? quantization.factors : quantization.roundedFactors
    return try GemmLayout.int16Stages(
      [layout], context, input: context.inputSlot(0), count: layout.rows * layout.depth, weights: 1,
      bias: context.node.hasInput(2) ? 2 : nil, output: context.outputSlot(0),
      rescaling: IntegerRescaling(
        factors: .fixedPoint(factors.map { QuantizedMultiplier($0) }),
        range: OutputRange(quantization.output, activation, Int16.self)), (Int16.self, Int64.self))
  }
}
