import SwiftletEngine
import SwiftletSchema

/// The results of a quantized model and its reference on all inputs.
struct PairComparison {
  let ranges: [Int: ValueRange]
  let referenceRanges: [Int: ValueRange]
  private let plan: PairPlan
  private let sums: [PairSums]
  private let faults: LayerFaults
  /// The signal-to-noise ratio of the outputs with the error of each pair alone.
  private let effects: [Int: Double]

  /// The number of layers whose effect on the outputs is measured, and of inputs that it is measured on.
  private static let measuredLayers = 12
  private static let measuredInputs = 3

  init(
    _ model: Model, _ reference: Model, _ inputs: [DiagnosisInput], _ options: RuntimeOptions,
    _ progress: (@Sendable (Double) -> Void)?
  ) throws {
    let plan = PairPlan(model, reference: reference)
    try Self.checkInputs(plan)
    let runs = try Workers.run(
      inputs, options: options, progress: { progress?($0 * 0.9) },
      make: { try PairRun(plan, model, reference, options: options) }, byteCount: { (run: PairRun) in run.byteCount },
      run: { (run: PairRun, input: DiagnosisInput) in try run.run(input) })
    var sums = [PairSums](repeating: PairSums(), count: plan.pairs.count)
    for run in runs { for index in sums.indices { sums[index].add(run.sums[index]) } }
    ranges = ValueRange.merged(runs.map(\.ranges))
    referenceRanges = ValueRange.merged(runs.map(\.referenceRanges))
    let faults = LayerFaults(plan, sums, referenceRanges)
    let candidates = Self.candidates(plan, sums, faults)
    var effects = OutputEffects(plan, candidates)
    if let run = runs.first {
      for input in inputs.prefix(Self.measuredInputs) { try effects.sample(run, input) }
    }
    var ratios: [Int: Double] = [:]
    for (position, pair) in candidates.enumerated() {
      ratios[pair] = try effects.signalToNoise(of: pair, reference, inputs, options: options)
      progress?(0.9 + 0.1 * Double(position + 1) / Double(candidates.count))
    }
    (self.plan, self.sums, self.faults, self.effects) = (plan, sums, faults, ratios)
  }

  private static func checkInputs(_ plan: PairPlan) throws(RuntimeError) {
    let (ours, theirs) = (plan.ours.graph, plan.theirs.graph)
    guard ours.inputs.count == theirs.inputs.count,
      zip(ours.inputs, theirs.inputs).allSatisfy({ ours.tensors[$0].shape == theirs.tensors[$1].shape })
    else {
      func text(_ graph: Subgraph) -> String {
        graph.inputs.map { "\(Shape(graph.tensors[$0].shape))" }.joined(separator: ", ")
      }
      throw RuntimeError(
        .invalidArgument,
        "the model and its reference take different inputs: \(text(ours)) and \(text(theirs)); give the float model that the model was made from"
      )
    }
  }

  /// Returns the pairs whose effect is measured: those with a fault, and those that add the most.
  private static func candidates(_ plan: PairPlan, _ sums: [PairSums], _ faults: LayerFaults) -> [Int] {
    let faulty = Array(faults.faults.sorted { $0.excess > $1.excess }.map(\.pair).prefix(measuredLayers))
    func ratio(_ pair: Int) -> Double { sums[pair].added.figures?.signalToNoise ?? .infinity }
    let others = plan.pairs.indices.filter { plan.ours.producers[plan.pairs[$0].tensor] != nil && !faulty.contains($0) }
      .sorted { ratio($0) < ratio($1) }
    return faulty + others.prefix(max(0, measuredLayers - faulty.count))
  }

  // MARK: Results

  func total(_ tensor: Int) -> ErrorFigures? {
    plan.pairs.firstIndex { $0.tensor == tensor }.flatMap { sums[$0].total.figures }
  }

  var layers: [ModelDiagnosis.Layer] {
    var pairs: [Int: Int] = [:]
    for (index, pair) in plan.pairs.enumerated() { pairs[pair.tensor] = index }
    return plan.ours.graph.operators.indices.map { operation in
      var layer = ModelDiagnosis.Layer(operation, plan.ours)
      guard let tensor = layer.tensorIndex, let pair = pairs[tensor] else { return layer }
      layer.referenceName = plan.theirs.graph.tensors[plan.pairs[pair].reference].name
      layer.total = sums[pair].total.figures
      layer.inherited = sums[pair].inherited.figures
      layer.added = sums[pair].added.figures
      layer.expectedSignalToNoise = faults.expected(pair)
      layer.outputSignalToNoise = effects[pair]
      return layer
    }
  }

  /// The findings about the pair as a whole.
  var findings: [DiagnosisFinding] {
    var findings: [DiagnosisFinding] = []
    if faults.isReferenceUnrelated {
      findings.append(
        DiagnosisFinding(
          .error, "reference-unrelated", weight: 30,
          "The weights of most layers aren't those of the reference: it isn't the model that this one was quantized from.",
          advice: "Give the float model that the quantized one was made from."))
    }
    if faults.isCalibrationOff {
      findings.append(
        DiagnosisFinding(
          .error, "calibration", weight: 29,
          "Many layers cut off numbers that the reference has for these inputs: the model was calibrated with others.",
          advice: "Calibrate with inputs like these, and normalize both in the same way."))
    }
    return findings
  }

  private func constantName(_ cause: String, _ operation: Int) -> String? {
    guard let weighted = plan.ours.weightedInputs(operation) else { return nil }
    let isBias = cause.hasPrefix("bias")
    let isWeights =
      cause.hasPrefix("weights") || ["swapped-channels", "per-tensor-weights", "float16-overflow"].contains(cause)
    guard isBias || isWeights, let tensor = plan.ours.input(operation, isBias ? weighted.bias : weighted.weights) else {
      return nil
    }
    return plan.ours.constant(tensor)?.name
  }

  /// Returns the layers with a fault, by what they add to the outputs.
  ///
  /// - Parameter findings: The findings about the model alone, of which those about the normalization count too.
  func culprits(_ findings: [DiagnosisFinding]) -> [ModelDiagnosis.Culprit] {
    let found = faults.faults.map { fault -> ModelDiagnosis.Culprit in
      let tensor = plan.pairs[fault.pair].tensor
      let operation = plan.ours.producers[tensor]
      return ModelDiagnosis.Culprit(
        operatorIndex: operation, operatorName: operation.map { plan.ours.name($0) }, tensorIndex: tensor,
        tensorName: plan.ours.graph.tensors[tensor].name,
        constantName: operation.flatMap { constantName(fault.cause, $0) },
        cause: DiagnosisFinding.Kind(rawValue: fault.cause),
        message: fault.message, advice: fault.advice,
        addedSignalToNoise: sums[fault.pair].added.figures?.signalToNoise,
        expectedSignalToNoise: faults.expected(fault.pair), outputSignalToNoise: effects[fault.pair])
    }
    let culprits = found.sorted { ($0.outputSignalToNoise ?? .infinity) < ($1.outputSignalToNoise ?? .infinity) }
    let inputs = findings.compactMap { finding -> ModelDiagnosis.Culprit? in
      guard finding.kind.rawValue.hasPrefix("normalization-contradicts"), finding.severity == .error,
        let tensor = finding.tensorIndex, !culprits.contains(where: { $0.tensorIndex == tensor })
      else { return nil }
      return ModelDiagnosis.Culprit(
        operatorIndex: nil, operatorName: nil, tensorIndex: tensor, tensorName: finding.tensorName ?? "",
        constantName: nil, cause: DiagnosisFinding.Kind(rawValue: "normalization"), message: finding.message,
        advice: finding.advice)
    }
    return culprits + inputs
  }
}
