import SwiftletEngine
import SwiftletSchema

/// Checks of the values that tensors take over the inputs.
struct RangeChecks {
  private let facts: GraphFacts
  private let areRealInputs: Bool
  private let firstFault: Int?
  private let ranges: [Int: ValueRange]
  private(set) var findings: [DiagnosisFinding] = []

  /// - Parameter areRealInputs: Whether the inputs are those that the model is for. Others say little about ranges that
  ///   are never used.
  /// - Parameter firstFault: The first operator whose results are wrong for another reason; `nil` for none. What its
  ///   numbers do to the ranges after it is no finding of its own.
  init(
    _ facts: GraphFacts, _ formats: [NumberFormat?], _ ranges: [Int: ValueRange], areRealInputs: Bool,
    firstFault: Int? = nil
  ) {
    self.firstFault = firstFault
    self.facts = facts
    self.areRealInputs = areRealInputs
    self.ranges = ranges
    var firstNotFinite: Int?
    for tensor in ranges.keys.sorted(by: { (facts.producers[$0] ?? -1, $0) < (facts.producers[$1] ?? -1, $1) }) {
      guard let range = ranges[tensor], let format = formats[tensor] else { continue }
      if range.notFiniteCount > 0, firstNotFinite == nil { firstNotFinite = tensor }
      check(tensor, range, format)
    }
    if let tensor = firstNotFinite, let range = ranges[tensor] {
      add(
        .error, "not-finite", tensor, weight: 10,
        "\(Figure.percent(Double(range.notFiniteCount) / Double(range.elementCount))) of the numbers of \(name(tensor)) are infinite or not a number; it is the first such tensor.",
        advice: "Look at the constants and the inputs of this operator.")
    }
  }

  private mutating func add(
    _ severity: DiagnosisFinding.Severity, _ kind: String, _ tensor: Int, weight: Double, _ message: String,
    advice: String = ""
  ) {
    findings.append(
      DiagnosisFinding(
        severity, kind, facts, operation: facts.producers[tensor], tensor: tensor, weight: weight, message,
        advice: advice))
  }

  private func name(_ tensor: Int) -> String { facts.label(tensor) }

  private mutating func check(_ tensor: Int, _ range: ValueRange, _ format: NumberFormat) {
    checkChannels(tensor, range)
    guard format.isQuantized, let representable = format.representable, range.elementCount > 0 else { return }
    checkClipping(tensor, range, format, representable)
    let used = range.maximum - range.minimum
    let width = representable.upperBound - representable.lowerBound
    let isPrescribed = isPrescribed(tensor)
    if used == 0, range.elementCount > 16, areRealInputs, let producer = facts.producers[tensor],
      facts.kind(producer) != .readVariable
    {
      add(
        .warning, "constant-output", tensor, weight: 5,
        "\(name(tensor)) is \(Figure.text(range.minimum)) everywhere: its scale of \(format.scale) is \(used == 0 && range.minimum == 0 ? "too large for its numbers, or the layer is dead" : "unused").",
        advice: "Look at the scale and at the constants of this operator.")
    } else if width > 4 * used, used > 0, !isPrescribed, areRealInputs,
      !QuantizationChecks.sharesScale(tensor, facts), range.elementCount > 64
    {
      add(
        width > 8 * used ? .warning : .note, "scale-unused", tensor, weight: min(6.5, 2 + Double(width / used) / 8),
        "\(name(tensor)) can hold \(NormalizedRange(lower: representable.lowerBound, upper: representable.upperBound).text), but its numbers are \(NormalizedRange(lower: range.minimum, upper: range.maximum).text): the scale is \(Figure.text(width / used)) times too coarse for these inputs.",
        advice: "Calibrate with inputs like these.")
    }
  }

  /// Whether the operator that computes a tensor determines its scale.
  private func isPrescribed(_ tensor: Int) -> Bool {
    guard let producer = facts.producers[tensor] else { return true }
    return QuantizationChecks.prescribesScale(facts.kind(producer))
      || QuantizationChecks.passesValues(facts.kind(producer))
  }

  private mutating func checkClipping(
    _ tensor: Int, _ range: ValueRange, _ format: NumberFormat, _ representable: ClosedRange<Float>
  ) {
    guard !isPrescribed(tensor), let producer = facts.producers[tensor] else { return }
    if facts.isConversion(producer) { return checkConversion(producer, tensor, representable) }
    let activation = facts.activation(producer)
    let hasLowerEnd = activation == .relu || activation == .relu6
    // Values at an end that an activation has, here or in an operator before this one, are no loss.
    let isActivationTop = [1, 6].contains { abs(representable.upperBound - $0) < 2 * format.scale }
    let isActivationBottom = [-1, 0].contains { abs(representable.lowerBound - $0) < format.scale / 2 }
    let top = isActivationTop ? 0 : range.clippedShareAtTop
    let bottom = isActivationBottom || hasLowerEnd ? 0 : range.clippedShareAtBottom
    let share = top + bottom
    guard share > 0.002, facts.kind(producer) != .minimum, facts.kind(producer) != .maximum else { return }
    let percent = Figure.percent(share)
    add(
      !areRealInputs || firstFault.map { $0 <= producer } ?? false ? .note : share > 0.1 ? .error : .warning,
      "saturation", tensor, weight: 6,
      "\(percent) of the activations \(name(tensor)) clip at \(top >= bottom ? "\(Figure.text(representable.upperBound)), the largest" : "\(Figure.text(representable.lowerBound)), the smallest") number that its scale and zero point allow.",
      advice: "Calibrate with inputs like these: \(percent) of the activations clip.")
  }

  /// The numbers before the conversion say exactly whether its result holds them.
  private mutating func checkConversion(_ producer: Int, _ tensor: Int, _ representable: ClosedRange<Float>) {
    guard let input = facts.input(producer, 0), let source = ranges[input], source.minimum <= source.maximum else {
      return
    }
    let width = representable.upperBound - representable.lowerBound
    let excess = max(representable.lowerBound - source.minimum, source.maximum - representable.upperBound)
    guard excess > width / 32 else { return }
    add(
      !areRealInputs ? .note : excess > width / 8 ? .error : .warning, "saturation", tensor,
      weight: 6 + Double(min(excess / width, 10)),
      "\(name(tensor)) holds \(NormalizedRange(lower: representable.lowerBound, upper: representable.upperBound).text), but the numbers that \(facts.name(producer)) gets are \(NormalizedRange(lower: source.minimum, upper: source.maximum).text).",
      advice: "Calibrate with inputs like these, or correct the normalization of the inputs.")
  }

  private mutating func checkChannels(_ tensor: Int, _ range: ValueRange) {
    let channels = range.channelMinimum.count
    guard channels > 1, range.elementCount >= 16 * channels, let producer = facts.producers[tensor],
      facts.weightedInputs(producer) != nil
    else { return }
    let constant = aliveChannels(producer, channels).count {
      $0.element && range.channelMinimum[$0.offset] == range.channelMaximum[$0.offset]
    }
    guard constant > 0, constant < channels, areRealInputs else { return }
    add(
      constant * 2 > channels ? .warning : .note, "constant-channels", tensor,
      weight: Double(constant) / Double(channels),
      "\(constant) of \(channels) channels of \(name(tensor)) have the same number for all inputs, although their weights aren't zero.",
      advice: "Remove the channels, or look at their biases and scales.")
  }

  /// Returns, for each output channel of an operator with weights, whether weights and input let it vary.
  private func aliveChannels(_ producer: Int, _ channels: Int) -> EnumeratedSequence<[Bool]> {
    var alive = [Bool](repeating: true, count: channels)
    guard let weighted = facts.weightedInputs(producer),
      let weights = facts.constant(facts.input(producer, weighted.weights))
    else { return alive.enumerated() }
    let hasWeights = WeightChecks.aliveChannels(weights, axis: weighted.axis)
    guard hasWeights.count == channels else { return alive.enumerated() }
    let input = facts.kind(producer) == .depthwiseConv2D ? facts.input(producer, 0).flatMap { ranges[$0] } : nil
    for channel in alive.indices {
      alive[channel] = hasWeights[channel]
      if let input, input.channelMinimum.count == channels,
        input.channelMinimum[channel] == input.channelMaximum[channel]
      {
        alive[channel] = false
      }
    }
    return alive.enumerated()
  }
}
