import SwiftletEngine
import SwiftletSchema

/// Checks of a model's constants, which need no inputs.
struct WeightChecks {
  private let facts: GraphFacts
  private(set) var findings: [DiagnosisFinding] = []

  init(_ facts: GraphFacts) {
    self.facts = facts
    let convolutions = facts.graph.operators.indices.filter {
      facts.weightedInputs($0) != nil && facts.kind($0) != .fullyConnected
    }
    let perChannel = convolutions.count { (weights(of: $0)?.quantization?.scales.count ?? 0) > 1 }
    for operation in facts.graph.operators.indices {
      guard let weighted = facts.weightedInputs(operation), let index = facts.input(operation, weighted.weights),
        let weights = facts.constant(index)
      else { continue }
      let isOdd = perChannel * 2 > convolutions.count && facts.kind(operation) != .fullyConnected
      check(weights, index, operation, axis: weighted.axis, expectsChannels: isOdd)
    }
    for (index, tensor) in facts.graph.tensors.enumerated() where tensor.data != nil { checkFinite(tensor, index) }
  }

  /// Returns, for each output channel of weights, whether any of them isn't zero, as far as the real numbers matter.
  static func aliveChannels(_ weights: TensorDescription, axis: Int) -> [Bool] {
    guard weights.shape.indices.contains(axis), let values = ConstantValues.real(weights) else { return [] }
    let largest = ChannelIndex(shape: weights.shape, axis: axis).largest(values)
    let most = largest.max() ?? 0
    return largest.map { $0 > most * 1e-4 }
  }

  private func weights(of operation: Int) -> TensorDescription? {
    facts.weightedInputs(operation).flatMap { facts.constant(facts.input(operation, $0.weights)) }
  }

  private mutating func add(
    _ severity: DiagnosisFinding.Severity, _ kind: String, operation: Int?, tensor: Int, weight: Double = 0,
    _ message: String, advice: String = ""
  ) {
    findings.append(
      DiagnosisFinding(
        severity, kind, facts, operation: operation, tensor: tensor, weight: weight, message, advice: advice))
  }

  private mutating func checkFinite(_ tensor: TensorDescription, _ index: Int) {
    guard [.float32, .float16, .bfloat16].contains(tensor.type), let values = ConstantValues.codes(of: tensor) else {
      return
    }
    let operation = firstReader(of: index)
    let count = values.count { !$0.isFinite }
    if count > 0 {
      let isHalf = tensor.type == .float16
      add(
        .error, isHalf ? "float16-overflow" : "constant-not-finite", operation: operation, tensor: index, weight: 10,
        "\(count) of \(values.count) numbers of the constant '\(tensor.name.excerpt)' \(isHalf ? "exceed the range of float16, ±65504" : "are infinite or not a number").",
        advice: isHalf
          ? "Keep this constant in float32, or scale it and the layer after it."
          : "Export the model again; training has diverged or a division by 0 was folded.")
    } else if tensor.type == .float16 {
      let limit = values.count { abs($0) == 65_504 }
      guard limit > 0 else { return }
      add(
        .error, "float16-overflow", operation: operation, tensor: index, weight: 9,
        "\(limit) of \(values.count) numbers of the constant '\(tensor.name.excerpt)' are ±65504, the limit of float16: they were cut off.",
        advice: "Keep this constant in float32, or scale it and the layer after it.")
    }
  }

  /// Returns the first operator that reads a tensor, through conversions.
  private func firstReader(of tensor: Int) -> Int? {
    guard let reader = facts.consumers[tensor].first else { return nil }
    guard facts.isConversion(reader), let output = facts.graph.operators[reader].outputs.first else { return reader }
    return facts.consumers[output].first ?? reader
  }

  private mutating func check(
    _ weights: TensorDescription, _ index: Int, _ operation: Int, axis: Int, expectsChannels: Bool
  ) {
    guard weights.shape.indices.contains(axis), let codes = ConstantValues.codes(of: weights), !codes.isEmpty else {
      return
    }
    let channels = ChannelIndex(shape: weights.shape, axis: axis)
    let offset: Float = weights.type == .uint8 ? Float(weights.quantization?.zeroPoints.first ?? 0) : 0
    let largest = channels.largest(codes, from: offset)
    let name = "'\(weights.name.excerpt)'"
    let dead = largest.count { $0 == 0 }
    if dead > 0, channels.count > 1 {
      add(
        dead * 4 > channels.count ? .warning : .note, "dead-channels", operation: operation, tensor: index,
        weight: Double(dead) / Double(channels.count) * 3,
        "\(dead) of \(channels.count) output channels of \(facts.name(operation)) have only zeros in the weights \(name): their outputs don't depend on the input.",
        advice: "Remove the channels, or look for what killed them in training or quantization.")
    }
    guard let quantization = weights.quantization, quantization.blockwise == nil,
      [.int8, .uint8, .int4].contains(weights.type)
    else { return }
    let top: Float = weights.type == .int4 ? 7 : 127
    let alive = largest.filter { $0 > 0 }.sorted()
    guard let most = alive.last else { return }
    if quantization.scales.count > 1 {
      let coarse = alive.count { $0 < top / 2 }
      if coarse > 0 {
        add(
          coarse * 4 > alive.count ? .warning : .note, "weights-scale", operation: operation, tensor: index,
          weight: 3 + Double(coarse) / Double(alive.count),
          "\(coarse) of \(alive.count) output channels of \(name) use less than half of the values that their scales allow; the least uses ±\(Figure.text(alive[0])) of ±\(Figure.text(top)).",
          advice: "Quantize the weights again: the largest weight of each channel belongs at ±\(Figure.text(top)).")
      }
    } else {
      if most < top / 2, weights.type != .uint8 {
        add(
          .warning, "weights-scale", operation: operation, tensor: index, weight: 4,
          "The weights \(name) use only ±\(Figure.text(most)) of ±\(Figure.text(top)): the scale is \(Figure.text(top / most)) times too large.",
          advice: "Quantize the weights again: the largest belongs at ±\(Figure.text(top)).")
      }
      if expectsChannels, alive.count > 1 {
        let median = alive[alive.count / 2]
        add(
          .warning, "per-tensor-weights", operation: operation, tensor: index, weight: 5,
          "\(facts.name(operation)) has one scale for all of its weights \(name), the other convolutions have one per channel; half of its channels use at most ±\(Figure.text(median)) of ±\(Figure.text(top)).",
          advice: "Quantize the weights per channel.")
      }
    }
    let ends = codes.count { abs($0 - offset) >= top }
    // The largest weight of each channel is at the end, and its like are rare.
    if codes.count > 256, ends * 50 > codes.count, ends > 4 * channels.count {
      add(
        .warning, "weights-clipped", operation: operation, tensor: index,
        weight: 4 + Double(ends) / Double(codes.count),
        "\(Figure.percent(Double(ends) / Double(codes.count))) of the weights \(name) are at the ends of the range: they were cut off.",
        advice: "Quantize the weights again with a larger scale.")
    }
  }
}
