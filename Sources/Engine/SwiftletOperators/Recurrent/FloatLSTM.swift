import SwiftletEngine

/// An LSTM that computes in float32 with float32 or int8 weights.
///
/// The products with the inputs don't depend on earlier steps, so they are computed first, for all steps at once and on
/// all threads. Then each batch entry processes its steps independently.
///
/// - Source: Hochreiter, Schmidhuber, "Long short-term memory" (1997); peepholes, coupled gates, projection, and layer
///   normalization as in the reference runtime.
final class FloatLSTM: Sendable {
  private let dimensions: LSTMDimensions
  private let options: LSTMParameters
  private let activations: VectorActivations
  private let isReversed: Bool
  private let input: TensorSlot
  private let auxiliary: TensorSlot?
  private let output: TensorSlot
  /// The number of elements between two output rows, and the offset of this LSTM's part in a row.
  private let outputStride: Int
  private let outputOffset: Int
  private let outputState: TensorSlot
  private let cellState: TensorSlot
  private let inputProducts: VectorProducts
  private let auxiliaryProducts: VectorProducts?
  private let recurrentProducts: VectorProducts
  private let projection: VectorProducts?
  /// The peepholes of the computed gates.
  private let peepholes: [Peephole?]
  private let normalizations: [(coefficients: TensorSlot, bias: TensorSlot)]
  /// The gate sums over the inputs, for every row of the sequence.
  private let inputSums: TensorSlot
  private let scratch: Scratch

  private struct Peephole: Sendable {
    var slot: TensorSlot
    /// The scale; `nil` for float32 weights.
    var scale: Float?
  }

  /// The layout of a worker's scratch memory, in bytes.
  private struct Scratch: Sendable {
    var gates: Int
    var recurrent: Int
    var cells: Int
    var products: Int
    var total: Int
  }

  /// The term added to the variance, so that a constant vector can be normalized.
  private static let varianceGuard: Float = 1e-8

  init(
    _ context: PrepareContext, _ inputs: LSTMInputs, _ dimensions: LSTMDimensions, _ options: LSTMParameters,
    output: TensorSlot, outputStride: Int, outputOffset: Int = 0, isReversed: Bool = false
  ) throws {
    self.dimensions = dimensions
    context.uses("LSTM float32, GEMM by step")
    self.options = options
    activations = VectorActivations(context)
    self.isReversed = isReversed
    self.output = output
    self.outputStride = outputStride
    self.outputOffset = outputOffset
    let gates = dimensions.gates.map { inputs[$0] }
    let cells = dimensions.cells
    input = try context.inputSlot(inputs.data)
    outputState = try context.inputSlot(inputs.outputState)
    cellState = try context.inputSlot(inputs.cellState)
    func products(_ weights: [Int], _ biases: [Int?], depth: Int) throws -> VectorProducts {
      try VectorProducts(
        context, weights: weights, biases: biases, columns: cells, depth: depth, isAsymmetric: options.isAsymmetric)
    }
    let none = [Int?](repeating: nil, count: gates.count)
    // The bias is added to normalized sums later.
    inputProducts = try products(
      gates.map(\.weights), dimensions.isNormalized ? none : gates.map(\.bias), depth: dimensions.inputs)
    recurrentProducts = try products(gates.map(\.recurrent), none, depth: dimensions.outputs)
    if dimensions.auxiliaryInputs > 0, let index = inputs.auxiliary {
      auxiliary = try context.inputSlot(index)
      auxiliaryProducts = try products(gates.compactMap(\.auxiliary), none, depth: dimensions.auxiliaryInputs)
    } else {
      auxiliary = nil
      auxiliaryProducts = nil
    }
    let hasProjectionBias = context.node.hasInput(inputs.projectionBias)
    projection =
      dimensions.hasProjection
      ? try VectorProducts(
        context, weights: [inputs.projection], biases: [hasProjectionBias ? inputs.projectionBias : nil],
        columns: dimensions.outputs, depth: cells, isAsymmetric: options.isAsymmetric) : nil
    peepholes = try gates.map { gate in
      guard dimensions.hasPeephole, let index = gate.peephole else { return nil }
      let isFloat = try context.node.input(index).elementType == .float32
      return Peephole(
        slot: try context.inputSlot(index), scale: isFloat ? nil : try context.node.inputQuantization(index).scale)
    }
    normalizations = try gates.compactMap { gate in
      guard dimensions.isNormalized, let index = gate.normalization else { return nil }
      return (try context.inputSlot(index), try context.inputSlot(gate.bias))
    }
    inputSums = try context.scratch(
      elements: [dimensions.batches, dimensions.steps, gates.count, cells], of: Float.self)
    scratch = try Self.layScratch(
      context, gates: gates.count, cells: cells,
      products: [inputProducts, recurrentProducts, auxiliaryProducts, projection].compactMap { $0?.scratchBytes }.max()
        ?? 0)
  }

  private static func layScratch(
    _ context: PrepareContext, gates: Int, cells: Int, products: Int
  ) throws -> Scratch {
    let row = try context.byteCount(elements: [gates, cells], of: Float.self)
    let scratch = Scratch(
      gates: 0, recurrent: row, cells: 2 * row, products: 3 * row, total: 3 * row + products)
    context.requireWorkerScratch(bytes: scratch.total)
    return scratch
  }

  var stages: [PreparedOperator.Stage] {
    let width = dimensions.gates.count * dimensions.cells
    let rows = dimensions.batches * dimensions.steps
    return [
      .init(items: rows, cost: Double(width * (dimensions.inputs + dimensions.auxiliaryInputs)) * 0.05 + 20) {
        [self] run, range in sumInputs(range, run)
      }
    ]
      + PreparedOperator.Stage.inOrder(lanes: dimensions.batches, items: dimensions.steps, cost: stepCost) {
        [self] run, batch, steps in
        runSteps(steps, ofBatch: batch, run)
      }
  }

  /// The approximate time per step of one batch entry in nanoseconds.
  private var stepCost: Double {
    let width = Double(dimensions.gates.count * dimensions.cells), outputs = Double(dimensions.outputs)
    let projection = dimensions.hasProjection ? Double(dimensions.cells) * outputs * 0.1 : 0
    return width * (outputs * 0.1 + 10) + projection + outputs * 10 + 100
  }

  var multiplyAdds: Int {
    let width = dimensions.gates.count &* dimensions.cells
    let depth = dimensions.inputs &+ dimensions.auxiliaryInputs &+ dimensions.outputs
    let step = width &* depth &+ (dimensions.hasProjection ? dimensions.cells &* dimensions.outputs : 0)
    return step &* dimensions.batches &* dimensions.steps
  }

  private func sumInputs(_ rows: Range<Int>, _ run: RunContext) {
    let width = dimensions.gates.count &* dimensions.cells
    let sums = run.pointer(inputSums, as: Float.self)
    let products = run.workerScratch.advanced(by: scratch.products)
    inputProducts.multiply(
      rows: rows.count, run.pointer(input, as: Float.self) + rows.lowerBound &* dimensions.inputs,
      stride: dimensions.inputs, into: sums + rows.lowerBound &* width, resultStride: width, scratch: products, run)
    guard let auxiliary, let auxiliaryProducts else { return }
    let added = run.workerScratch.advanced(by: scratch.recurrent).assumingMemoryBound(to: Float.self)
    for row in rows {
      auxiliaryProducts.multiply(
        rows: 1, run.pointer(auxiliary, as: Float.self) + row &* dimensions.auxiliaryInputs,
        stride: dimensions.auxiliaryInputs, into: added, resultStride: width, scratch: products, run)
      let row = sums + row &* width
      for index in 0..<width { row[index] += added[index] }
    }
  }

  private func runSteps(_ positions: Range<Int>, ofBatch batch: Int, _ run: RunContext) {
    let state = run.pointer(outputState, as: Float.self) + batch &* dimensions.outputs
    let cells = run.pointer(cellState, as: Float.self) + batch &* dimensions.cells
    for position in positions {
      let step = isReversed ? dimensions.steps &- 1 &- position : position
      let row = dimensions.row(step: step, batch: batch)
      runStep(row, state: state, cells: cells, run)
      let output = run.pointer(output, as: Float.self) + (row &* outputStride &+ outputOffset)
      output.update(from: state, count: dimensions.outputs)
    }
  }

  private func runStep(
    _ row: Int, state: UnsafeMutablePointer<Float>, cells: UnsafeMutablePointer<Float>, _ run: RunContext
  ) {
    let count = dimensions.cells
    let width = dimensions.gates.count &* count
    let gates = run.workerScratch.advanced(by: scratch.gates).assumingMemoryBound(to: Float.self)
    let recurrent = run.workerScratch.advanced(by: scratch.recurrent).assumingMemoryBound(to: Float.self)
    let hidden = run.workerScratch.advanced(by: scratch.cells).assumingMemoryBound(to: Float.self)
    let products = run.workerScratch.advanced(by: scratch.products)
    recurrentProducts.multiply(
      rows: 1, state, stride: dimensions.outputs, into: recurrent, resultStride: width, scratch: products, run)
    let sums = run.pointer(inputSums, as: Float.self) + row &* width
    for index in 0..<width { gates[index] = sums[index] + recurrent[index] }

    // Without an input gate, the other gates move up by one position.
    let forgetPlace = dimensions.isCoupled ? 0 : 1
    let forget = gates + forgetPlace &* count
    let new = forget + count
    let out = new + count
    if !dimensions.isCoupled {
      finish(gates, place: 0, cells: cells, run)
      activations.sigmoid(gates, count: count)
    }
    finish(forget, place: forgetPlace, cells: cells, run)
    activations.sigmoid(forget, count: count)
    finish(new, place: forgetPlace &+ 1, cells: cells, run)
    activations.apply(options.activation, new, count: count, into: new)
    for index in 0..<count {
      let admitted = dimensions.isCoupled ? 1 - forget[index] : gates[index]
      cells[index] = forget[index] * cells[index] + admitted * new[index]
    }
    VectorActivations.clip(cells, count: count, limit: options.cellClip)
    finish(out, place: forgetPlace &+ 2, cells: cells, run)
    activations.sigmoid(out, count: count)

    activations.apply(options.activation, cells, count: count, into: hidden)
    for index in 0..<count { hidden[index] *= out[index] }
    guard let projection else { return state.update(from: hidden, count: count) }
    projection.multiply(
      rows: 1, hidden, stride: count, into: state, resultStride: dimensions.outputs, scratch: products, run)
    VectorActivations.clip(state, count: dimensions.outputs, limit: options.projectionClip)
  }

  /// Adds the peephole contribution of the cells to a gate, and normalizes its sums.
  private func finish(
    _ gate: UnsafeMutablePointer<Float>, place: Int, cells: UnsafePointer<Float>, _ run: RunContext
  ) {
    let count = dimensions.cells
    if let peephole = peepholes[place] {
      if let scale = peephole.scale {
        let weights = run.pointer(peephole.slot, as: Int8.self)
        for index in 0..<count { gate[index] += scale * Float(weights[index]) * cells[index] }
      } else {
        let weights = run.pointer(peephole.slot, as: Float.self)
        for index in 0..<count { gate[index] += weights[index] * cells[index] }
      }
    }
    guard dimensions.isNormalized else { return }
    var sum: Float = 0
    for index in 0..<count { sum += gate[index] }
    let mean = sum / Float(count)
    var squares: Float = 0
    for index in 0..<count {
      let distance = gate[index] - mean
      squares += distance * distance
    }
    let factor = 1 / (squares / Float(count) + Self.varianceGuard).squareRoot()
    let coefficients = run.pointer(normalizations[place].coefficients, as: Float.self)
    let bias = run.pointer(normalizations[place].bias, as: Float.self)
    for index in 0..<count { gate[index] = (gate[index] - mean) * factor * coefficients[index] + bias[index] }
  }
}
