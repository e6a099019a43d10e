import SwiftletEngine
import SwiftletSchema

/// Checks of a model's quantization parameters, which need no inputs.
struct QuantizationChecks {
  private let facts: GraphFacts
  private(set) var findings: [DiagnosisFinding] = []

  init(_ facts: GraphFacts) {
    self.facts = facts
    for operation in facts.graph.operators.indices {
      checkPrescribed(operation)
      checkPassedThrough(operation)
      checkActivation(operation)
      checkBias(operation)
    }
    for tensor in facts.graph.tensors.indices { checkScales(tensor) }
  }

  private mutating func add(
    _ severity: DiagnosisFinding.Severity, _ kind: String, operation: Int? = nil, tensor: Int? = nil,
    weight: Double = 0, _ message: String, advice: String = ""
  ) {
    findings.append(
      DiagnosisFinding(
        severity, kind, facts, operation: operation, tensor: tensor, weight: weight, message, advice: advice))
  }

  private func name(_ tensor: Int) -> String { facts.label(tensor) }

  // MARK: Scales

  private mutating func checkScales(_ tensor: Int) {
    let description = facts.graph.tensors[tensor]
    guard let quantization = description.quantization, quantization.blockwise == nil,
      [.int8, .uint8, .int16, .int4].contains(description.type)
    else { return }
    let zeros = quantization.scales.count { $0 == 0 || $0.isSubnormal }
    if zeros > 0 {
      let count = quantization.scales.count == 1 ? "The scale of" : "\(zeros) of \(quantization.scales.count) scales of"
      add(
        .error, "scale-zero", operation: facts.producers[tensor], tensor: tensor, weight: 9,
        "\(count) \(name(tensor)) \(quantization.scales.count == 1 ? "is" : "are") 0: all its values are the same number.",
        advice: "Quantize the tensor again with inputs that reach it.")
    }
    let isConstant = description.data != nil
    let isSigned = description.type != .uint8
    if isConstant, isSigned, description.type != .int16,
      let zeroPoint = quantization.zeroPoints.first(where: { $0 != 0 }),
      facts.consumers[tensor].contains(where: { facts.weightedInputs($0) != nil })
    {
      add(
        .error, "weights-zero-point", operation: facts.consumers[tensor].first, tensor: tensor, weight: 9,
        "The weights \(name(tensor)) have the zero point \(zeroPoint); kernels for \(description.type.name) expect 0.",
        advice: "Quantize the weights symmetrically.")
    }
  }

  // MARK: Prescribed parameters

  /// Some operators have one output range, whatever their input.
  private mutating func checkPrescribed(_ operation: Int) {
    guard let output = facts.graph.operators[operation].outputs.first,
      let format = NumberFormat(facts.graph.tensors[output]), format.isQuantized, let codes = format.codes
    else { return }
    let steps = Float(codes.upperBound) - Float(codes.lowerBound) + 1
    let (scale, zeroPoint): (Float, Int32)
    switch facts.kind(operation) {
    case .softmax, .logistic:
      (scale, zeroPoint) = format.type == .int16 ? (1 / 32768, 0) : (1 / steps, codes.lowerBound)
    case .tanh, .l2Normalization:
      (scale, zeroPoint) = (2 / steps, format.type == .uint8 ? 128 : 0)
    default: return
    }
    guard abs(format.scale / scale - 1) > 0.01 || format.zeroPoint != zeroPoint else { return }
    add(
      .error, "output-scale-prescribed", operation: operation, tensor: output, weight: 8,
      "\(facts.name(operation)) has the output scale \(scale) and zero point \(zeroPoint); \(name(output)) has \(format.scale) and \(format.zeroPoint).",
      advice: "Give \(name(output)) the scale \(scale) and the zero point \(zeroPoint).")
  }

  /// Whether operators of a kind have one output range, whatever their input.
  static func prescribesScale(_ kind: BuiltinOperator?) -> Bool {
    switch kind {
    case .softmax, .logistic, .tanh, .l2Normalization, .logSoftmax: true
    default: false
    }
  }

  /// Operators that only move or select values, and whose outputs have the scale of the input.
  static func passesValues(_ kind: BuiltinOperator?) -> Bool {
    switch kind {
    case .reshape, .squeeze, .expandDims, .transpose, .slice, .stridedSlice, .split, .splitV, .gather, .maxPool2D, .pad,
      .spaceToDepth, .depthToSpace, .spaceToBatchND, .batchToSpaceND, .resizeNearestNeighbor, .resizeBilinear,
      .averagePool2D, .mirrorPad, .unpack, .tile, .reverseV2:
      true
    default: false
    }
  }

  private mutating func checkPassedThrough(_ operation: Int) {
    guard Self.passesValues(facts.kind(operation)),
      let input = facts.graph.operators[operation].inputs.compactMap(\.self).first(where: {
        NumberFormat(facts.graph.tensors[$0])?.isQuantized == true
      }), let output = facts.graph.operators[operation].outputs.first,
      let (one, other) = NumberFormat(facts.graph.tensors[input]).flatMap({ one in
        NumberFormat(facts.graph.tensors[output]).map { (one, $0) }
      }), one.type == other.type, one.scale != other.scale || one.zeroPoint != other.zeroPoint
    else { return }
    guard abs(one.scale / other.scale - 1) > 0.001 || one.zeroPoint != other.zeroPoint else { return }
    // These two have kernels that convert between scales.
    let converts = [.averagePool2D, .resizeBilinear].contains(facts.kind(operation))
    let isSmall =
      max(one.scale, other.scale) < 1.5 * min(one.scale, other.scale) && abs(one.zeroPoint - other.zeroPoint) < 16
    add(
      converts ? .note : isSmall ? .warning : .error, "scale-changed", operation: operation, tensor: output, weight: 8,
      "\(facts.name(operation)) passes values on, but its input \(name(input)) has the scale \(one.scale) and zero point \(one.zeroPoint), and its output \(name(output)) \(other.scale) and \(other.zeroPoint).",
      advice: "Give the output the scale and the zero point of the input.")
  }

  // MARK: Activations

  /// Whether a tensor has its scale because of the tensors it is joined or moved with.
  static func sharesScale(_ tensor: Int, _ facts: GraphFacts) -> Bool {
    guard let format = NumberFormat(facts.graph.tensors[tensor]) else { return false }
    return facts.consumers[tensor].contains { consumer in
      guard
        facts.kind(consumer) == .concatenation || facts.kind(consumer) == .pack || passesValues(facts.kind(consumer)),
        let output = facts.graph.operators[consumer].outputs.first
      else { return false }
      return NumberFormat(facts.graph.tensors[output]) == format
    }
  }

  private mutating func checkActivation(_ operation: Int) {
    let activation = facts.activation(operation)
    guard activation == .relu || activation == .relu6, let output = facts.graph.operators[operation].outputs.first,
      let format = NumberFormat(facts.graph.tensors[output]), format.isQuantized, let codes = format.codes,
      format.type != .int16, !Self.sharesScale(output, facts)
    else { return }
    let unused = format.zeroPoint - codes.lowerBound
    let total = codes.upperBound - codes.lowerBound + 1
    if unused > total / 20 {
      add(
        .warning, "zero-point", operation: operation, tensor: output, weight: 7 + Double(unused) / Double(total),
        "The zero point of \(name(output)) is \(format.zeroPoint), but \(facts.name(operation)) with \(activation == .relu ? "RELU" : "RELU6") gives no number below 0: \(unused) of \(total) values are never used.",
        advice: "Make \(codes.lowerBound) the zero point, and quantize again.")
    }
    if activation == .relu6, let top = format.representable?.upperBound, top > 7.5 {
      add(
        top > 15 ? .warning : .note, "scale-unused", operation: operation, tensor: output, weight: 4 + Double(top / 6),
        "\(name(output)) can hold numbers up to \(Figure.text(top)), but RELU6 gives none above 6: the scale is \(Figure.text(top / 6)) times too large.",
        advice: "Quantize again with a range of 0 to 6.")
    }
  }

  // MARK: Bias

  private mutating func checkBias(_ operation: Int) {
    guard let weighted = facts.weightedInputs(operation),
      let weights = facts.constant(facts.input(operation, weighted.weights)),
      let index = facts.input(operation, weighted.bias), let bias = facts.constant(index)
    else { return }
    guard let all = ConstantValues.codes(of: bias), all.contains(where: { $0 != 0 }) else { return }
    if let ratio = BiasScale.ratio(operation, facts, weights: weights, bias: bias), abs(ratio - 1) > 0.02 {
      add(
        .error, "bias-scale", operation: operation, tensor: index, weight: 10,
        "The bias \(name(index)) has a scale \(Figure.text(ratio)) times the product of the scales of input and weights, with which the kernel reads it: its values count \(Figure.text(1 / ratio)) times.",
        advice:
          "Check the scale of its input \(BiasScale.dataInput(operation, facts).map(name) ?? ""), of its weights, and of the bias: one of them was changed."
      )
    }
    guard all.count > 2, bias.type == .int32 else { return }
    // Converters give channels without weights tiny scales, and their biases huge values.
    let alive = WeightChecks.aliveChannels(weights, axis: weighted.axis)
    let codes = all.enumerated().filter { alive.count != all.count || alive[$0.offset] }.map(\.element)
    guard let top = codes.max(), let bottom = codes.min() else { return }
    for (end, count) in [(top, codes.count { $0 == top }), (bottom, codes.count { $0 == bottom })] {
      let isLimit = [127, -128, -127, 255, 32_767, -32_768, -32_767, 65_535].contains(Double(end))
      guard end != 0, count > 1 && isLimit || count > max(2, codes.count / 8) && abs(end) > 64 else { continue }
      add(
        .error, "bias-clipped", operation: operation, tensor: index, weight: 8,
        "\(count) of \(codes.count) values of the bias \(name(index)) are \(Figure.text(end)), the largest of them: they were cut off.",
        advice: "Quantize the bias in 32 bits with the product of the scales of input and weights.")
    }
  }
}
