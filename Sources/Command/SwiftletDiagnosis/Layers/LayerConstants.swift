import SwiftletBase
import SwiftletEngine
import SwiftletOperators
import SwiftletSchema

/// The weights and the bias of a layer, and those of the reference.
struct LayerConstants: Sendable {
  /// The position of the weights among the operator's inputs, and their shape.
  let position: Int
  let shape: [Int]
  let weights: Comparison
  let bias: Comparison?
  /// The reference's weights, rounded as well as the type of the quantized weights allows; `nil` for types and scales
  /// for which that is unknown.
  let idealWeights: [Float]?
  /// The mean square of the error of the ideal weights.
  let idealNoise: Double
  /// The type of the quantized weights, and the number of their scales.
  let type: ElementType
  let scaleCount: Int
  /// Whether other layers of the same kind have a scale per channel, and this one could.
  let lacksChannelScales: Bool
  /// The bias's scale divided by the scales of input and weights, as the median over the channels; `nil` for a bias
  /// without a scale. The sums of a kernel have the product of the two as their scale, whatever the bias says.
  let biasScaleRatio: Double?

  /// Whether the bias was quantized for other scales of input and weights than the kernel reads it with. Converters that
  /// share a bias leave smaller differences.
  var isBiasScaleWrong: Bool { biasScaleRatio.map { $0 > 1.6 || $0 < 1 / 1.6 } ?? false }

  /// Constants, and those of the reference.
  struct Comparison: Sendable {
    var values: [Float]
    var reference: [Float]
    /// The stored values.
    var codes: [Float]
    var sums: ErrorSums
    /// The factor that brings the values closest to the reference.
    var slope: Double

    init(values: [Float], reference: [Float], codes: [Float]) {
      self.values = values
      self.reference = reference
      self.codes = codes
      var sums = ErrorSums()
      values.withUnsafeBufferPointer { values in
        reference.withUnsafeBufferPointer { sums.add(values, reference: $0) }
      }
      self.sums = sums
      var (product, square) = (0.0, 0.0)
      for (value, reference) in zip(values, reference) where value.isFinite && reference.isFinite {
        product += Double(value) * Double(reference)
        square += Double(reference) * Double(reference)
      }
      slope = square > 0 ? product / square : 1
    }
  }

  /// Returns the constants of all layers that have a counterpart, by operator.
  static func all(_ ours: GraphFacts, _ theirs: GraphFacts, _ matching: TensorMatching) -> [Int: LayerConstants] {
    let convolutions = ours.graph.operators.indices.filter { ours.kind($0) != .fullyConnected }
    let usesChannelScales = convolutions.contains { operation in
      guard let weighted = ours.weightedInputs(operation),
        let weights = ours.constant(ours.input(operation, weighted.weights))
      else { return false }
      return (weights.quantization?.scales.count ?? 0) > 1
    }
    var all: [Int: LayerConstants] = [:]
    for (operation, other) in matching.operators.enumerated() {
      guard let other, ours.kind(operation) == theirs.kind(other) else { continue }
      all[operation] = LayerConstants(operation, ours, other, theirs, usesChannelScales: usesChannelScales)
    }
    return all
  }

  private init?(
    _ operation: Int, _ ours: GraphFacts, _ other: Int, _ theirs: GraphFacts, usesChannelScales: Bool
  ) {
    guard let weighted = ours.weightedInputs(operation),
      let stored = ours.constant(ours.input(operation, weighted.weights)),
      let source = theirs.constant(theirs.input(other, weighted.weights)), stored.shape == source.shape,
      let values = ConstantValues.real(stored), let reference = ConstantValues.real(source),
      let codes = ConstantValues.codes(of: stored)
    else { return nil }
    position = weighted.weights
    shape = stored.shape
    type = stored.type
    weights = Comparison(values: values, reference: reference, codes: codes)
    scaleCount = stored.quantization?.scales.count ?? 0
    let channels = stored.shape.indices.contains(weighted.axis) ? stored.shape[weighted.axis] : 1
    let isConvolution = ours.kind(operation) != .fullyConnected
    lacksChannelScales = usesChannelScales && isConvolution && scaleCount == 1 && channels > 1
    let ownAxis = scaleCount > 1 ? stored.quantization?.axis ?? -1 : -1
    let axis = lacksChannelScales ? weighted.axis : ownAxis
    let ideal = Self.ideal(reference, like: stored, ChannelIndex(shape: stored.shape, axis: axis))
    idealWeights = ideal
    var noise = 0.0
    for (value, reference) in zip(ideal ?? [], reference) where reference.isFinite {
      noise += Double(value - reference) * Double(value - reference)
    }
    idealNoise = noise / Double(max(1, reference.count))
    (bias, biasScaleRatio) = Self.bias(operation, ours, other, theirs, weighted, stored)
  }

  private static func bias(
    _ operation: Int, _ ours: GraphFacts, _ other: Int, _ theirs: GraphFacts,
    _ weighted: (weights: Int, bias: Int, axis: Int), _ weights: TensorDescription
  ) -> (Comparison?, Double?) {
    guard let stored = ours.constant(ours.input(operation, weighted.bias)),
      let source = theirs.constant(theirs.input(other, weighted.bias)), stored.shape == source.shape,
      let values = ConstantValues.real(stored), let reference = ConstantValues.real(source),
      let codes = ConstantValues.codes(of: stored)
    else { return (nil, nil) }
    return (
      Comparison(values: values, reference: reference, codes: codes),
      BiasScale.ratio(operation, ours, weights: weights, bias: stored)
    )
  }

  /// Returns weights rounded with the best scale of each channel: the largest magnitude is the largest code.
  private static func ideal(
    _ reference: [Float], like stored: TensorDescription, _ channels: ChannelIndex
  ) -> [Float]? {
    switch stored.type {
    case .float32: return reference
    case .float16: return reference.map { Half($0).floatValue }
    case .bfloat16: return reference.map { BFloat16($0).floatValue }
    case .int8, .int4, .int16, .uint8:
      guard stored.quantization?.blockwise == nil else { return nil }
      let isSigned = stored.type != .uint8
      let top: Float = stored.type == .int4 ? 7 : stored.type == .int16 ? 32_767 : 127
      var lower = [Float](repeating: 0, count: channels.count)
      var upper = [Float](repeating: 0, count: channels.count)
      for (index, value) in reference.enumerated() where value.isFinite {
        let channel = channels.channel(of: index)
        lower[channel] = min(lower[channel], value)
        upper[channel] = max(upper[channel], value)
      }
      let scales = zip(lower, upper).map { isSigned ? max(-$0, $1) / top : ($1 - $0) / 255 }
      return reference.enumerated().map { index, value in
        let scale = scales[channels.channel(of: index)]
        return scale > 0 && value.isFinite ? (value / scale).rounded() * scale : value
      }
    default: return nil
    }
  }
}

/// The scale of a bias compared with that of the sums to which it is added.
enum BiasScale {
  /// Returns the bias's scale divided by the product of the scales of input and weights, as the median over the
  /// channels; `nil` without quantization.
  static func ratio(
    _ operation: Int, _ facts: GraphFacts, weights: TensorDescription, bias: TensorDescription
  ) -> Double? {
    guard bias.type == .int32 || bias.type == .int64, let biasScales = bias.quantization?.scales,
      let weightScales = weights.quantization?.scales, let data = dataInput(operation, facts),
      let input = NumberFormat(facts.graph.tensors[data]), input.isQuantized
    else { return nil }
    let count = max(biasScales.count, weightScales.count)
    guard biasScales.count == 1 || biasScales.count == count, weightScales.count == 1 || weightScales.count == count
    else { return nil }
    let ratios = (0..<count).compactMap { channel -> Double? in
      let product =
        Double(input.scale) * Double(weightScales[weightScales.count == 1 ? 0 : channel])
      let scale = Double(biasScales[biasScales.count == 1 ? 0 : channel])
      return product > 0 && scale > 0 ? scale / product : nil
    }
    return ratios.isEmpty ? nil : ratios.sorted()[ratios.count / 2]
  }

  /// Returns the tensor that an operator multiplies by its weights.
  static func dataInput(_ operation: Int, _ facts: GraphFacts) -> Int? {
    facts.input(operation, facts.kind(operation) == .transposeConv ? 2 : 0)
  }
}
