import SwiftletEngine
import SwiftletSchema

/// A fault of a layer, with its evidence.
struct LayerFault: Sendable {
  /// The index among the plan's pairs, of the tensor that the layer computes.
  var pair: Int
  var cause: String
  var message: String
  var advice: String
  /// How much more error there is than quantization explains, in decibels.
  var excess: Double
}

/// Finds the layers of a quantized model that have a fault, by comparing their constants, scales, and results with
/// those of the reference.
///
/// Every quantized layer differs from its reference. A fault is a difference that quantization doesn't explain: more
/// error in the weights than the best scales leave, a bias that differs by more than its rounding, a range that cuts
/// off or wastes much more than the ranges of the other layers, or a result that differs for no such reason.
struct LayerFaults {
  private let plan: PairPlan
  private let sums: [PairSums]
  private let referenceRanges: [Int: ValueRange]
  private let pairOfTensor: [Int: Int]
  /// The width of what each pair's tensor can hold, relative to the reference's numbers; `nil` if that says nothing.
  private let widths: [Double?]
  /// How far the middle of each range is from that of the reference's numbers, in steps; `nil` if that says nothing.
  private let shifts: [Double?]
  /// The distance that nine of ten ranges don't exceed: the calibration saw other inputs.
  private let usualShift: Double
  private(set) var faults: [LayerFault] = []
  /// Whether many layers cut off the numbers of these inputs.
  private(set) var isCalibrationOff = false
  /// Whether the weights of most layers aren't those of the reference.
  var isReferenceUnrelated: Bool {
    let ratios = plan.weights.values.map { Decibels.ratio($0.weights.sums.signalPower, $0.weights.sums.noisePower) }
      .sorted()
    return ratios.count > 1 && ratios[ratios.count / 2] < 15
  }

  init(_ plan: PairPlan, _ sums: [PairSums], _ referenceRanges: [Int: ValueRange]) {
    self.plan = plan
    self.sums = sums
    self.referenceRanges = referenceRanges
    pairOfTensor = Dictionary(plan.pairs.enumerated().map { ($0.element.tensor, $0.offset) }) { first, _ in first }
    widths = plan.pairs.map { Self.width($0.tensor, plan, referenceRanges) }
    shifts = plan.pairs.map { Self.shift($0.tensor, plan, referenceRanges) }
    let sorted = shifts.compactMap { $0.map(abs) }.sorted()
    usualShift = sorted.isEmpty ? 0 : sorted[max(0, sorted.count * 9 / 10 - 1)]
    for pair in plan.pairs.indices { examine(pair) }
    // The bias of a layer is read with the scale of its input, so a wrong scale shows in the layer after it.
    for operation in plan.ours.graph.operators.indices { examineInputScale(operation) }
    examineUnexplained()
    removeRepeated()
  }

  private func name(_ pair: Int) -> String { plan.ours.label(plan.pairs[pair].tensor) }

  private mutating func add(_ pair: Int, _ cause: String, excess: Double, _ message: String, advice: String) {
    faults.append(LayerFault(pair: pair, cause: cause, message: message, advice: advice, excess: excess))
  }

  private mutating func examine(_ pair: Int) {
    let tensor = plan.pairs[pair].tensor
    if let operation = plan.ours.producers[tensor], let constants = plan.weights[operation] {
      examineWeights(constants, operation, pair)
      examineBias(constants, operation, pair)
    }
    examineRange(pair)
  }

  // MARK: Weights

  private mutating func examineWeights(_ constants: LayerConstants, _ operation: Int, _ pair: Int) {
    let weights = constants.weights
    let layer = "\(plan.ours.name(operation)) \(operation)"
    if weights.values.contains(where: { !$0.isFinite }), weights.reference.allSatisfy(\.isFinite) {
      return add(
        pair, constants.type == .float16 ? "float16-overflow" : "weights-not-finite", excess: .infinity,
        "The weights of \(layer) are infinite where the reference's are up to \(Figure.text(weights.reference.map(abs).max() ?? 0)).",
        advice: "Keep this layer in float32, or scale its weights.")
    }
    let noise = weights.sums.noisePower
    let signal = weights.sums.signalPower
    guard signal > 0, noise > 0 else { return }
    let ratio = Decibels.ratio(signal, noise)
    // Below that, rounding in another order explains it.
    guard ratio < (constants.type == .float16 ? 55 : 100) else { return }
    let excess = constants.idealNoise > 0 ? Decibels.ratio(noise, constants.idealNoise) : ratio < 40 ? 40 - ratio : 0
    let isSuspect = excess > 7 && ratio < 38 || excess > 12 && constants.type != .float16
    if let found = permutation(constants), isSuspect || ratio < 10 {
      return add(
        pair, "swapped-channels", excess: excess,
        "The weights of \(layer) are those of the reference with \(found.what) channels \(found.first) and \(found.second) in each other's place\(found.count > 2 ? ", and \(found.count - 2) more" : "").",
        advice: "Export the model again, and check the order of the channels, such as RGB and BGR.")
    }
    if constants.type == .float16, isSuspect || excess > 20,
      weights.values.contains(where: { abs($0) >= 65_504 })
    {
      return add(
        pair, "float16-overflow", excess: excess,
        "The weights of \(layer) reach ±65504, the limit of float16, where the reference's reach \(Figure.text(weights.reference.map(abs).max() ?? 0)).",
        advice: "Keep this layer in float32, or scale its weights.")
    }
    if isSuspect, abs(weights.slope - 1) > 0.08 {
      return add(
        pair, "weights-scale", excess: excess,
        "The weights of \(layer) are \(Figure.text(weights.slope)) times those of the reference.",
        advice: "Quantize the weights again: their scale is \(Figure.text(weights.slope)) times what it should be.")
    }
    if constants.lacksChannelScales, excess > 1.5 || isSuspect {
      return add(
        pair, "per-tensor-weights", excess: excess,
        "\(layer) has one scale for all its weights, which leaves a signal-to-noise ratio of \(Figure.decibels(ratio)); a scale per channel gives \(Figure.decibels(Decibels.ratio(signal, constants.idealNoise))).",
        advice: "Use per-channel weights for this layer.")
    }
    guard isSuspect else { return }
    let top: Float = constants.type == .int4 ? 7 : constants.type == .int16 ? 32_767 : 127
    let ends = weights.codes.count { abs($0) >= top }
    if [.int8, .int4, .int16].contains(constants.type), ends * 50 > weights.codes.count, weights.codes.count > 100 {
      return add(
        pair, "weights-clipped", excess: excess,
        "\(Figure.percent(Double(ends) / Double(weights.codes.count))) of the weights of \(layer) are cut off at the ends of their range.",
        advice: "Quantize the weights again with a larger scale.")
    }
    let shift = (weights.sums.figures?.meanShift ?? 0) / signal.squareRoot()
    if abs(shift) > 0.05 {
      return add(
        pair, "weights-zero-point", excess: excess,
        "The weights of \(layer) are shifted by \(Figure.text(weights.sums.figures?.meanShift ?? 0)) against the reference's.",
        advice: "Correct the zero point of the weights.")
    }
    add(
      pair, "weights", excess: excess,
      "The weights of \(layer) differ from the reference's with a signal-to-noise ratio of \(Figure.decibels(ratio)), \(Figure.decibels(excess)) less than their type allows.",
      advice: "Quantize the weights again, or keep this layer in int16.")
  }

  /// Returns whether the weights are the reference's with channels in another order.
  private func permutation(_ constants: LayerConstants) -> (what: String, first: Int, second: Int, count: Int)? {
    let shape = constants.shape
    for (what, axis) in [("output", shape.count == 4 && shape[0] == 1 ? 3 : 0), ("input", shape.count - 1)] {
      guard shape.indices.contains(axis), shape[axis] > 1, shape[axis] <= 4096 else { continue }
      let count = shape[axis]
      let channels = ChannelIndex(shape: shape, axis: axis)
      var ours = [[Float]](repeating: [], count: count)
      var theirs = ours
      for index in constants.weights.values.indices {
        let channel = channels.channel(of: index)
        ours[channel].append(constants.weights.values[index])
        theirs[channel].append(constants.weights.reference[index])
      }
      let odd = ours.indices.filter { Self.cosine(ours[$0], theirs[$0]) < 0.9 }
      guard odd.count > 1, odd.count <= 256 else { continue }
      let moved = odd.compactMap { channel -> (Int, Int)? in
        odd.first { $0 != channel && Self.cosine(ours[channel], theirs[$0]) > 0.98 }.map { (channel, $0) }
      }
      if moved.count > 1, moved.count * 4 >= odd.count * 3 {
        return (what, moved[0].0, moved[0].1, moved.count)
      }
    }
    return nil
  }

  private static func cosine(_ first: [Float], _ second: [Float]) -> Float {
    var (product, one, other): (Float, Float, Float) = (0, 0, 0)
    for (a, b) in zip(first, second) {
      product += a * b
      one += a * a
      other += b * b
    }
    return one > 0 && other > 0 ? product / (one * other).squareRoot() : one == other ? 1 : 0
  }

  // MARK: Bias

  private mutating func examineBias(_ constants: LayerConstants, _ operation: Int, _ pair: Int) {
    guard let bias = constants.bias else { return }
    // A right bias that is read with a wrong scale is the fault of that scale.
    if constants.isBiasScaleWrong, abs(bias.slope - 1) < 0.05 { return }
    let layer = "\(plan.ours.name(operation)) \(operation)"
    let spread = spread(of: pair)
    var worst = (channel: 0, error: 0.0)
    var count = 0
    let steps = biasSteps(operation)
    for (channel, (value, reference)) in zip(bias.values, bias.reference).enumerated() {
      let error = Double(abs(value - reference))
      guard error.isFinite else {
        worst = (channel, .infinity)
        count += 1
        continue
      }
      // A bias of several dimensions can have fewer scales than values.
      let step = Double(steps.count == 1 ? steps[0] : steps.indices.contains(channel) ? steps[channel] : 0)
      guard error > max(4 * step, 0.02 * Double(abs(reference)), 0.01 * spread) else { continue }
      count += 1
      if error > worst.error { worst = (channel, error) }
    }
    // A bias that nothing depends on, such as that of a channel without weights, is no fault.
    guard count > 0, excess(pair) > 3 else { return }
    let values = zip(bias.values, bias.reference)
    let same = bias.codes.indices.filter { abs(bias.codes[$0]) == abs(bias.codes[worst.channel]) }.count
    let isCut = values.allSatisfy { abs($0) <= abs($1) * 1.02 + Float(0.01 * spread) } && abs(bias.slope - 1) > 1e-4
    let strength = spread > 0 ? 40 + Decibels.ratio(worst.error * worst.error, spread * spread) : 40
    let isClipped = isCut && (same > 1 || abs(bias.values[worst.channel]) == bias.values.map(abs).max())
    add(
      pair, isClipped ? "bias-clipped" : "bias", excess: strength,
      "\(count) of \(bias.values.count) bias values of \(layer) \(isClipped ? "are cut off" : "differ from the reference's"): channel \(worst.channel) has \(Figure.text(bias.values[worst.channel])) instead of \(Figure.text(bias.reference[worst.channel])).",
      advice: "Quantize the bias in 32 bits with the product of the scales of input and weights.")
  }

  private func biasSteps(_ operation: Int) -> [Float] {
    guard let weighted = plan.ours.weightedInputs(operation),
      let bias = plan.ours.constant(plan.ours.input(operation, weighted.bias))
    else { return [] }
    return bias.quantization?.scales ?? []
  }

  /// The root mean square of the reference's numbers.
  private func spread(of pair: Int) -> Double { sums[pair].added.signalPower.squareRoot() }

  private mutating func examineInputScale(_ operation: Int) {
    guard let constants = plan.weights[operation], let ratio = constants.biasScaleRatio,
      constants.isBiasScaleWrong, let output = plan.ours.graph.operators[operation].outputs.first,
      let result = pairOfTensor[output], excess(result) > 6, let data = BiasScale.dataInput(operation, plan.ours),
      // Wrong weights or a wrong bias explain it without the input.
      !faults.contains(where: { plan.ours.producers[plan.pairs[$0.pair].tensor] == operation }),
      abs(constants.weights.slope - 1) < 0.05
    else { return }
    let isBiasRight = constants.bias.map { abs($0.slope - 1) < 0.05 } ?? false
    if isBiasRight, let pair = pairOfTensor[data] {
      guard !faults.contains(where: { $0.pair == pair }) else { return }
      add(
        pair, "output-scale", excess: 40,
        "The scale of \(name(pair)) is \(Figure.text(1 / ratio)) times the one for which the bias of \(plan.ours.name(operation)) \(operation) was quantized.",
        advice: "Restore the scale of \(name(pair)), or quantize the model again.")
    } else {
      add(
        result, "bias-scale", excess: 40,
        "The bias of \(plan.ours.name(operation)) \(operation) has a scale \(Figure.text(ratio)) times the product of the scales of input and weights.",
        advice: "Quantize the bias with the product of the scales of input and weights.")
    }
  }

  // MARK: Ranges

  /// Returns the width of what a tensor can hold, relative to the numbers of the reference.
  private static func width(_ tensor: Int, _ plan: PairPlan, _ references: [Int: ValueRange]) -> Double? {
    guard let representable = plan.formats[tensor]?.representable, let range = references[tensor],
      range.elementCount > 16, range.minimum < range.maximum, !isPrescribed(tensor, plan)
    else { return nil }
    let width = max(range.maximum, 0) - min(range.minimum, 0)
    return width > 0 ? Double((representable.upperBound - representable.lowerBound) / width) : nil
  }

  /// Returns how far the middle of what a tensor can hold is from that of the reference's numbers, in steps. Results of
  /// activations say nothing, because they begin at 0.
  private static func shift(_ tensor: Int, _ plan: PairPlan, _ references: [Int: ValueRange]) -> Double? {
    guard let format = plan.formats[tensor], let representable = format.representable, format.type != .int16,
      let range = references[tensor], range.elementCount > 16, range.minimum < range.maximum, range.minimum < 0,
      !isPrescribed(tensor, plan), let producer = plan.ours.producers[tensor],
      !QuantizationChecks.passesValues(plan.ours.kind(producer))
    else { return nil }
    let below = Double(range.minimum - representable.lowerBound)
    let above = Double(range.maximum - representable.upperBound)
    return (below + above) / 2 / Double(format.scale)
  }

  /// Whether the scale of a tensor isn't its layer's own: the operator determines it, or it is that of other tensors.
  private static func isPrescribed(_ tensor: Int, _ plan: PairPlan) -> Bool {
    guard !QuantizationChecks.sharesScale(tensor, plan.ours) else { return true }
    guard let producer = plan.ours.producers[tensor] else { return false }
    if QuantizationChecks.prescribesScale(plan.ours.kind(producer)) { return true }
    guard QuantizationChecks.passesValues(plan.ours.kind(producer)) || plan.ours.kind(producer) == .concatenation else {
      return false
    }
    return plan.ours.computedInputs(producer).contains { plan.formats[$0] == plan.formats[tensor] }
  }

  private mutating func examineRange(_ pair: Int) {
    let tensor = plan.pairs[pair].tensor
    guard let format = plan.formats[tensor], let representable = format.representable,
      let range = referenceRanges[tensor], range.elementCount > 0, !Self.isPrescribed(tensor, plan)
    else { return }
    let count = Double(range.elementCount)
    let rounding = Double(format.scale) * Double(format.scale) / 12
    let clipped = sums[pair].clippedNoise / count
    let share = Double(sums[pair].clippedCount) / count
    let signal = sums[pair].added.signalPower
    let isInput = plan.ours.producers[tensor] == nil || isInputConversion(tensor)
    let what = isInput ? "The input \(name(pair))" : name(pair)
    // Numbers outside the range of the calibration are normal, as long as they are few and near.
    let isNarrow = isInput || widths[pair].map { $0 < 0.5 && $0 < 0.6 * usualWidth(pair) } ?? false
    let isSevere = isNarrow && clipped > 30 * rounding && share > 0.0005 && Decibels.ratio(signal, clipped) < 30
    let shift = shifts[pair] ?? 0
    let used = Double(range.maximum - range.minimum)
    let width = Double(representable.upperBound - representable.lowerBound)
    let total = Double((format.codes?.count ?? 256) - 1)
    let isShifted =
      shifts[pair].map { abs($0) > (range.elementCount < Self.fewElements ? total / 2.5 : shiftLimit(total)) } ?? false
      && excess(pair) > 1.5 && used > width * 0.6 && used < width * 1.6
    if isSevere || isShifted {
      let excess = Decibels.ratio(clipped, rounding)
      if isInput {
        let wanted = NormalizedRange(lower: range.minimum, upper: range.maximum)
        let held = NormalizedRange(lower: representable.lowerBound, upper: representable.upperBound)
        return add(
          pair, "normalization", excess: excess,
          "\(what) holds \(held.text), as of \(held.formula), but the reference is given \(wanted.text).",
          advice: "Quantize the input for \(wanted.text), or correct the normalization.")
      }
      if isShifted {
        return add(
          pair, "zero-point", excess: excess,
          "The range of \(what), \(NormalizedRange(lower: representable.lowerBound, upper: representable.upperBound).text), is shifted by \(Figure.text(abs(shift).rounded())) steps against the numbers of the reference, \(NormalizedRange(lower: range.minimum, upper: range.maximum).text): \(Figure.percent(share)) of the activations clip.",
          advice: "Correct the zero point of \(name(pair)).")
      }
      return add(
        pair, "output-clipped", excess: excess,
        "\(Figure.percent(share)) of the activations \(what) clip: it holds \(NormalizedRange(lower: representable.lowerBound, upper: representable.upperBound).text), the reference's numbers are \(NormalizedRange(lower: range.minimum, upper: range.maximum).text).",
        advice: "Calibrate with images like these: \(Figure.percent(share)) of the activations clip.")
    }
    if let lost = unusedByActivation(tensor, format), lost > 0.05 {
      return add(
        pair, "zero-point", excess: -Decibels.ratio(1 - lost, 1),
        "The zero point of \(what) is \(format.zeroPoint), but the layer gives no number below 0: \(Figure.percent(lost)) of the values are never used.",
        advice: "Correct the zero point of \(name(pair)).")
    }
    let usual = usualWidth(pair)
    guard let own = widths[pair], own > 3, own > 2.6 * max(usual, 1) else { return }
    add(
      pair, "output-scale", excess: 2 * Decibels.ratio(own, max(usual, 1)),
      "The scale of \(what) is \(Figure.text(own)) times what the numbers of the reference need, \(NormalizedRange(lower: range.minimum, upper: range.maximum).text); \(Figure.text(max(usual, 1))) is usual in this model.",
      advice: "Calibrate again: the scale of \(name(pair)) is too coarse.")
  }

  /// The number of elements below which the range of a tensor says little about the middle of its distribution.
  private static let fewElements = 2000

  /// Returns the number of steps above which a range is shifted by a fault. Inputs that the model wasn't calibrated for
  /// change the widths of all ranges, and shift some.
  private func shiftLimit(_ total: Double) -> Double {
    let differences = widths.compactMap { $0.map { abs(Decibels.ratio($0, 1)) / 3 } }.sorted()
    let mismatch = differences.isEmpty ? 0 : differences[differences.count / 2]
    return max(total / 5.8, 1.45 * usualShift) * max(1, mismatch / 0.4)
  }

  /// Returns the median of the widths of the pairs around one.
  private func usualWidth(_ pair: Int) -> Double {
    let start = max(0, pair - 6)
    let neighbors = widths[start..<min(widths.count, pair + 7)].enumerated().compactMap { offset, width in
      start + offset == pair ? nil : width
    }.sorted()
    return neighbors.isEmpty ? 1 : neighbors[neighbors.count / 2]
  }

  /// Returns the part of the stored values below 0 of a layer that gives none; `nil` for other layers.
  private func unusedByActivation(_ tensor: Int, _ format: NumberFormat) -> Double? {
    guard let producer = plan.ours.producers[tensor], let codes = format.codes, format.type != .int16,
      [.relu, .relu6].contains(plan.ours.activation(producer))
    else { return nil }
    return Double(format.zeroPoint - codes.lowerBound) / Double(codes.count)
  }

  /// Whether a tensor is the quantized form of an input of the graph.
  private func isInputConversion(_ tensor: Int) -> Bool { plan.ours.graph.inputs.contains(plan.ours.root(of: tensor)) }

  // MARK: Results

  /// The signal-to-noise ratio of what a faultless layer adds; `nil` if it isn't known.
  func expected(_ pair: Int) -> Double? {
    let tensor = plan.pairs[pair].tensor
    guard let format = plan.formats[tensor], let range = referenceRanges[tensor] else { return nil }
    var noise = sums[pair].ideal.noisePower
    if format.isQuantized, let codes = format.codes {
      let width = Double(max(range.maximum, 0) - min(range.minimum, 0))
      let step = Self.isPrescribed(tensor, plan) ? Double(format.scale) : width / Double(codes.count - 1)
      noise += step * step / 12
    }
    return noise > 0 ? Decibels.ratio(sums[pair].added.signalPower, noise) : nil
  }

  /// Returns how much more error a layer adds than a faultless one, in decibels.
  private func excess(_ pair: Int) -> Double {
    guard let figures = sums[pair].added.figures else { return 0 }
    return (expected(pair) ?? 40) - figures.signalToNoise
  }

  private mutating func examineUnexplained() {
    for pair in plan.pairs.indices where !faults.contains(where: { $0.pair == pair }) {
      guard let producer = plan.ours.producers[plan.pairs[pair].tensor], let figures = sums[pair].added.figures else {
        continue
      }
      let layer = "\(plan.ours.name(producer)) \(producer)"
      if figures.notFiniteCount > 0 {
        add(
          pair, "not-finite", excess: .infinity,
          "\(layer) gives \(figures.notFiniteCount) numbers that are infinite or not a number where the reference's are finite.",
          advice: "Look at the constants of this layer, and keep it in float32.")
        continue
      }
      guard let expected = expected(pair), figures.signalToNoise < 14, expected - figures.signalToNoise > 12,
        sums[pair].added.signalPower > 0
      else { continue }
      if examinePassing(pair, producer) { continue }
      // Numbers outside the range of the calibration explain it, which the findings about ranges say.
      let count = Double(max(1, figures.elementCount))
      if sums[pair].clippedNoise / count > 0.5 * sums[pair].added.noisePower { continue }
      // An operator that passes values on inherits the fault of its input's scale.
      if QuantizationChecks.passesValues(plan.ours.kind(producer)),
        plan.ours.computedInputs(producer).contains(where: { input in
          pairOfTensor[input].map { other in faults.contains { $0.pair == other } } ?? false
        })
      {
        continue
      }
      // An input that the bias is read with explains it.
      if plan.weights[producer]?.isBiasScaleWrong ?? false,
        let data = BiasScale.dataInput(producer, plan.ours), let other = pairOfTensor[data],
        faults.contains(where: { $0.pair == other })
      {
        continue
      }
      add(
        pair, "layer", excess: expected - figures.signalToNoise,
        "\(layer) alone adds an error of \(Figure.decibels(figures.signalToNoise)) signal-to-noise ratio; quantization explains \(Figure.decibels(expected)). Its result has \(Figure.text(figures.scale)) times the spread of the reference's and is shifted by \(Figure.text(figures.meanShift)).",
        advice: "Compare the options and constants of this layer with the reference's, or keep it in int16.")
    }
  }

  /// Examines an operator that passes values on between tensors of different scales, which its kernel ignores. The
  /// tensor whose parameters suit the numbers of the reference less has the fault.
  ///
  /// - Returns: Whether that explains the error of the operator.
  private mutating func examinePassing(_ pair: Int, _ producer: Int) -> Bool {
    let tensor = plan.pairs[pair].tensor
    guard QuantizationChecks.passesValues(plan.ours.kind(producer)),
      let input = plan.ours.computedInputs(producer).first,
      let source = pairOfTensor[input], let format = plan.formats[tensor], let other = plan.formats[input],
      format.isQuantized, other.isQuantized, format != other, let range = referenceRanges[input]
    else { return false }
    func misfit(_ format: NumberFormat) -> Float {
      guard let holds = format.representable else { return 0 }
      return (abs(range.minimum - holds.lowerBound) + abs(range.maximum - holds.upperBound)) / format.scale
    }
    let wrong = misfit(other) > misfit(format) ? source : pair
    let isScale = abs(format.scale / other.scale - 1) > 0.01
    add(
      wrong, isScale ? "output-scale" : "zero-point", excess: 30,
      "\(plan.ours.name(producer)) \(producer) passes values on, but \(name(source)) has the scale \(other.scale) and zero point \(other.zeroPoint), and \(name(pair)) \(format.scale) and \(format.zeroPoint); those of \(name(wrong)) suit the numbers of the reference less.",
      advice: "Give both tensors the same scale and zero point.")
    return true
  }

  /// Keeps the strongest fault of each layer.
  private mutating func removeRepeated() {
    var strongest: [Int: LayerFault] = [:]
    for fault in faults where (strongest[fault.pair]?.excess ?? -.infinity) < fault.excess {
      strongest[fault.pair] = fault
    }
    faults = strongest.values.sorted { $0.pair < $1.pair }
    // Many ranges that are too small come from inputs that the model wasn't calibrated for, not from a layer.
    if faults.count(where: { $0.cause == "output-clipped" }) > 2 {
      isCalibrationOff = true
      faults.removeAll { $0.cause == "output-clipped" }
    }
  }
}
