import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// The scales and zero points of an operator that multiplies a quantized input by quantized weights.
struct GemmQuantization {
  let input: TensorQuantization
  let output: TensorQuantization
  /// The weight scales, one per column.
  let weightScales: [Float]
  let weightZeroPoint: Int32
  let isPerChannel: Bool

  /// Creates the quantization from the parameters of inputs `input` and `weights` and of output 0.
  ///
  /// - Parameters:
  ///   - columns: The number of output channels.
  ///   - axis: The dimension of the weights along which scales may differ.
  ///   - isSymmetric: Whether weights must have zero points of 0.
  /// - Throws: An error if parameters are missing, or if they don't match the types or sizes.
  // Compiled once instead of once per operator that multiplies.
  @inline(never)
  init<Input: QuantizedValue, Weight: QuantizedValue, Output: QuantizedValue>(
    _ node: NodeView, input: Int = 0, weights: Int = 1, columns: Int, axis: Int, isSymmetric: Bool,
    _ types: (Input.Type, Weight.Type, Output.Type)
  ) throws {
    self.input = try node.quantization(ofInput: input, Input.self)
    output = try node.quantization(ofOutput: 0, Output.self)
    let weightScales = try WeightScales(node, input: weights, columns: columns, axis: axis)
    let range = Weight.range
    guard weightScales.zeroPoints.allSatisfy({ isSymmetric ? $0 == 0 : range.contains($0) }) else {
      throw node.invalid(
        "takes weights with \(isSymmetric ? "zero points of 0" : "zero points that their type can hold"), got \(weightScales.zeroPoints.prefix(4)) in \(try node.input(weights))"
      )
    }
    guard !weightScales.isPerChannel || Weight.isSigned else {
      throw node.invalid("takes weights with scales per channel only in signed types, got \(try node.input(weights))")
    }
    self.weightScales = weightScales.scales
    isPerChannel = weightScales.isPerChannel
    weightZeroPoint = isPerChannel ? 0 : weightScales.zeroPoints[0]
  }

  /// Returns types and zero points in the form that the integer kernels require.
  func operands<Input: QuantizedValue, Weight: QuantizedValue>(
    _ input: Input.Type, _ weight: Weight.Type
  ) -> Int8Gemm.Operands {
    .init(
      inputIsSigned: Input.isSigned, inputZeroPoint: self.input.zeroPoint, weightsAreSigned: Weight.isSigned,
      weightZeroPoint: weightZeroPoint)
  }

  /// The factors from sums to output values, computed per channel like in the reference: all in double precision.
  var factors: [Double] {
    weightScales.map { Double(input.scale) * Double($0) / Double(output.scale) }
  }

  /// The factors computed per tensor like in the reference: the product of the scales is rounded to single precision.
  var roundedFactors: [Double] {
    weightScales.map { Double(input.scale * $0) / Double(output.scale) }
  }

  /// The factors computed like in XNNPACK, for single-precision kernels. A different last bit changes one quantized
  /// value in a million by a step, which later layers may amplify.
  var singlePrecisionFactors: [Float] {
    weightScales.map { input.scale * $0 / output.scale }
  }
}

/// The scales of constant weights, one per column or one for all columns.
struct WeightScales {
  /// The scales, one per column.
  let scales: [Float]
  /// The zero points, as many as in the model.
  let zeroPoints: [Int32]
  let isPerChannel: Bool

  /// Creates the scales.
  ///
  /// - Throws: An error if there are none, or if their number doesn't match the columns along dimension `axis`.
  init(_ node: NodeView, input: Int, columns: Int, axis: Int) throws {
    let spec = try node.input(input)
    guard let quantization = spec.quantization, !quantization.scales.isEmpty,
      quantization.scales.count == quantization.zeroPoints.count
    else { throw node.invalid("takes weights with quantization parameters, \(spec) has none") }
    let count = quantization.scales.count
    guard count == 1 || (count == columns && quantization.axis == axis) else {
      throw node.invalid(
        "takes weights with 1 scale, or \(columns) along dimension \(axis), \(spec) has \(count) along dimension \(quantization.axis)"
      )
    }
    guard quantization.scales.allSatisfy({ $0.isFinite && $0 >= 0 }) else {
      throw node.invalid("takes weights with scales that are finite and not negative, \(spec) has others")
    }
    isPerChannel = count > 1
    scales = count == columns ? quantization.scales : Array(repeating: quantization.scales[0], count: columns)
    zeroPoints = quantization.zeroPoints
  }
}
