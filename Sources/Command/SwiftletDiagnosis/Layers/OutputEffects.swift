import SwiftletEngine
import SwiftletSchema

/// What the error of single layers does to the outputs of a model: the reference runs on with the numbers of one
/// quantized layer in place of its own.
struct OutputEffects {
  private let plan: PairPlan
  private let pairs: [Int]
  private var samples: [(values: [Int: [Float]], outputs: [Int: [Float]])] = []

  init(_ plan: PairPlan, _ pairs: [Int]) {
    self.plan = plan
    self.pairs = pairs.filter { plan.referenceFormats[plan.pairs[$0].reference]?.isQuantized == false }
  }

  /// Takes the numbers of the layers on one more input.
  mutating func sample(_ run: PairRun, _ input: DiagnosisInput) throws {
    samples.append(try run.isolatedValues(pairs, on: input))
  }

  /// Returns the signal-to-noise ratio of the outputs with the error of one layer; `nil` if no output depends on it.
  ///
  /// - Parameter inputs: The inputs that were sampled, in order, and any others.
  func signalToNoise(
    of pair: Int, _ reference: Model, _ inputs: [DiagnosisInput], options: RuntimeOptions
  ) throws -> Double? {
    guard pairs.contains(pair), !samples.isEmpty else { return nil }
    let source = plan.pairs[pair].reference
    var cut = CutGraph(plan.theirs.graph)
    for reader in plan.theirs.graph.operators.indices {
      for (position, input) in plan.theirs.graph.operators[reader].inputs.enumerated() {
        guard let input, plan.theirs.root(of: input) == source else { continue }
        cut.cut(reader, position: position, tensor: input, source: nil)
      }
    }
    let outputs = plan.floatOutputs.filter { plan.theirs.root(of: $0) != source }
    var sums = ErrorSums()
    if !outputs.isEmpty, !cut.inputs.isEmpty {
      let tail = try ObservedModel(reference, graph: cut.graph, returning: outputs, options: options)
      for (sample, input) in zip(samples, inputs) {
        guard let values = sample.values[pair] else { continue }
        tail.resetState()
        try input.write(plan.theirs, into: [tail])
        for (key, input) in cut.inputs {
          guard let format = plan.referenceFormats[key.tensor] else { continue }
          _ = try tail.withInput(input) { memory in values.withUnsafeBufferPointer { format.write($0, into: memory) } }
        }
        try tail.run()
        for output in outputs {
          _ = try tail.withTensor(output) { add($0.assumingMemoryBound(to: Float.self), sample.outputs[output], &sums) }
        }
      }
    }
    for sample in samples {
      for output in plan.floatOutputs where plan.theirs.root(of: output) == source {
        sample.values[pair]?.withUnsafeBufferPointer { add($0, sample.outputs[output], &sums) }
      }
    }
    return sums.figures?.signalToNoise
  }

  private func add(_ values: UnsafeBufferPointer<Float>, _ reference: [Float]?, _ sums: inout ErrorSums) {
    reference?.withUnsafeBufferPointer { sums.add(values, reference: $0) }
  }
}
