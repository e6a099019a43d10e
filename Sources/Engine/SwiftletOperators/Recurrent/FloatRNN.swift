import SwiftletEngine
import SwiftletSchema

/// A simple recurrent layer: `state = activation(weights · input + recurrent · state + bias)`, in float32 with float32
/// or int8 weights.
final class FloatRNN: Sendable {
  private let dimensions: RNNDimensions
  private let activation: FusedActivation
  private let activations: VectorActivations
  private let isReversed: Bool
  private let input: TensorSlot
  private let auxiliary: TensorSlot?
  private let output: TensorSlot
  private let outputStride: Int
  private let outputOffset: Int
  private let state: TensorSlot
  private let inputProducts: VectorProducts
  private let auxiliaryProducts: VectorProducts?
  private let recurrentProducts: VectorProducts
  /// The sums over the inputs, for every row of the sequence.
  private let inputSums: TensorSlot
  private let unitBytes: Int

  init(
    _ context: PrepareContext, _ inputs: RNNInputs, _ dimensions: RNNDimensions, activation: FusedActivation,
    isAsymmetric: Bool, output: TensorSlot, outputStride: Int, outputOffset: Int = 0, isReversed: Bool = false
  ) throws {
    self.dimensions = dimensions
    context.uses("RNN float32, GEMM by step")
    self.activation = activation
    activations = VectorActivations(context)
    self.isReversed = isReversed
    self.output = output
    self.outputStride = outputStride
    self.outputOffset = outputOffset
    func products(_ weights: Int, bias: Int?, depth: Int) throws -> VectorProducts {
      try VectorProducts(
        context, weights: [weights], biases: [bias], columns: dimensions.units, depth: depth, isAsymmetric: isAsymmetric
      )
    }
    input = try context.inputSlot(inputs.data)
    state = try context.inputSlot(inputs.state)
    inputProducts = try products(inputs.weights, bias: inputs.bias, depth: dimensions.inputs)
    recurrentProducts = try products(inputs.recurrent, bias: nil, depth: dimensions.units)
    if dimensions.auxiliaryInputs > 0, let index = inputs.auxiliary, let weights = inputs.auxiliaryWeights {
      auxiliary = try context.inputSlot(index)
      auxiliaryProducts = try products(weights, bias: nil, depth: dimensions.auxiliaryInputs)
    } else {
      auxiliary = nil
      auxiliaryProducts = nil
    }
    inputSums = try context.scratch(elements: [dimensions.batches, dimensions.steps, dimensions.units], of: Float.self)
    unitBytes = try context.byteCount(elements: [dimensions.units], of: Float.self)
    let largest = [inputProducts, recurrentProducts, auxiliaryProducts].compactMap { $0?.scratchBytes }.max() ?? 0
    context.requireWorkerScratch(bytes: unitBytes + largest)
  }

  var stages: [PreparedOperator.Stage] {
    let cost = Double(dimensions.units * (dimensions.inputs + dimensions.auxiliaryInputs)) * 0.05 + 20
    return [
      .init(items: dimensions.batches * dimensions.steps, cost: cost) { [self] run, rows in sumInputs(rows, run) }
    ]
      + PreparedOperator.Stage.inOrder(lanes: dimensions.batches, items: dimensions.steps, cost: stepCost) {
        [self] run, batch, steps in
        runSteps(steps, ofBatch: batch, run)
      }
  }

  /// The approximate time per step of one batch entry in nanoseconds.
  private var stepCost: Double { Double(dimensions.units) * (Double(dimensions.units) * 0.1 + 10) + 100 }

  var multiplyAdds: Int {
    dimensions.batches &* dimensions.steps &* dimensions.units
      &* (dimensions.inputs &+ dimensions.auxiliaryInputs &+ dimensions.units)
  }

  private func sumInputs(_ rows: Range<Int>, _ run: RunContext) {
    let units = dimensions.units
    let sums = run.pointer(inputSums, as: Float.self)
    let products = run.workerScratch.advanced(by: unitBytes)
    inputProducts.multiply(
      rows: rows.count, run.pointer(input, as: Float.self) + rows.lowerBound &* dimensions.inputs,
      stride: dimensions.inputs, into: sums + rows.lowerBound &* units, resultStride: units, scratch: products, run)
    guard let auxiliary, let auxiliaryProducts else { return }
    let added = run.workerScratch.assumingMemoryBound(to: Float.self)
    for row in rows {
      auxiliaryProducts.multiply(
        rows: 1, run.pointer(auxiliary, as: Float.self) + row &* dimensions.auxiliaryInputs,
        stride: dimensions.auxiliaryInputs, into: added, resultStride: units, scratch: products, run)
      let row = sums + row &* units
      for index in 0..<units { row[index] += added[index] }
    }
  }

  private func runSteps(_ positions: Range<Int>, ofBatch batch: Int, _ run: RunContext) {
    let units = dimensions.units
    let state = run.pointer(state, as: Float.self) + batch &* units
    let recurrent = run.workerScratch.assumingMemoryBound(to: Float.self)
    for position in positions {
      let row = dimensions.row(step: isReversed ? dimensions.steps &- 1 &- position : position, batch: batch)
      recurrentProducts.multiply(
        rows: 1, state, stride: units, into: recurrent, resultStride: units,
        scratch: run.workerScratch.advanced(by: unitBytes), run)
      let sums = run.pointer(inputSums, as: Float.self) + row &* units
      for index in 0..<units { recurrent[index] += sums[index] }
      activations.apply(activation, recurrent, count: units, into: state)
      (run.pointer(output, as: Float.self) + (row &* outputStride &+ outputOffset)).update(from: state, count: units)
    }
  }
}
