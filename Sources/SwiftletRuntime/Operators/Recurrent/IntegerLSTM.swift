import SwiftletFlatBuffers
import SwiftletKernels
import SwiftletSchema

/// A long short-term memory in integers: 8-bit activations and weights, 16-bit cells and gates.
///
/// - Source: the 8x8_16 kernel of the reference runtime, to the last bit. Gates are sums with 12 bits behind the point,
///   cells have a scale that is a power of two, and zero points are part of the biases.
struct IntegerLSTM: Sendable {
  private let dimensions: LSTMDimensions
  private let input: TensorSlot
  private let output: TensorSlot
  private let outputState: TensorSlot
  private let cellState: TensorSlot
  private let outputZeroPoint: Int32
  private let gates: [Gate]
  /// The exponent of the cells' scale.
  private let cellExponent: Int32
  /// 0 for no limit.
  private let cellLimit: Int16
  private let hidden: QuantizedMultiplier
  private let hiddenZeroPoint: Int32
  private let projection: Projection?
  private let inputSums: TensorSlot
  private let gateBytes: Int
  private let cellBytes: Int

  /// What one gate is computed from.
  private struct Gate: Sendable {
    var weights: TensorSlot
    var weightsBias: AlignedBytes
    var weightsFactor: QuantizedMultiplier
    var recurrent: TensorSlot
    var recurrentBias: AlignedBytes
    var recurrentFactor: QuantizedMultiplier
    var peephole: (slot: TensorSlot, factor: QuantizedMultiplier)?
    var normalization: ShortNormalization?
  }

  private struct Projection: Sendable {
    var weights: TensorSlot
    var bias: AlignedBytes
    var factor: QuantizedMultiplier
    /// 0 for no limit.
    var limit: Int8
  }

  /// Where the quantisation of the values between cells and projection is kept.
  private static let hiddenIntermediate = 4
  private static let gateScale: Float = 1 / 4096

  init(
    _ context: PrepareContext, _ inputs: LSTMInputs, _ dimensions: LSTMDimensions, _ options: LSTMOptions
  ) throws {
    let node = context.node
    self.dimensions = dimensions
    let state = try node.inputQuantization(inputs.outputState)
    let cellScale = try node.inputQuantization(inputs.cellState).scale
    guard let exponent = cellScale.exponentOfTwo, (-15...(-9)).contains(exponent) else {
      throw node.invalid(
        "cells \(try node.input(inputs.cellState)) have the scale \(cellScale), which must be 2^-15 to 2^-9")
    }
    guard let hiddenQuantization = node.intermediate(Self.hiddenIntermediate)?.quantization,
      let hiddenScale = hiddenQuantization.scales.first, hiddenScale > 0, hiddenScale.isFinite,
      let hiddenZeroPoint = hiddenQuantization.zeroPoints.first
    else {
      throw node.invalid("intermediate \(Self.hiddenIntermediate) must give the quantisation of the hidden values")
    }
    cellExponent = exponent
    self.hiddenZeroPoint = hiddenZeroPoint
    outputZeroPoint = state.zeroPoint
    hidden = QuantizedMultiplier(Double(Float(0x1p-15 / Double(hiddenScale) * 0x1p-15)))
    cellLimit = options.cellClip > 0 ? Int16(saturating: options.cellClip / cellScale) : 0
    input = try context.inputSlot(inputs.data)
    output = try context.outputSlot(0)
    outputState = try context.inputSlot(inputs.outputState)
    cellState = try context.inputSlot(inputs.cellState)
    gates = try dimensions.gates.map { kind in
      try Self.gate(
        context, inputs, kind, dimensions, stateScale: state.scale, stateZeroPoint: state.zeroPoint,
        cellExponent: exponent)
    }
    if dimensions.hasProjection {
      let weightScale = try node.inputQuantization(inputs.projection).scale
      let outputScale = try node.outputQuantization(0).scale
      projection = Projection(
        weights: try context.inputSlot(inputs.projection),
        bias: try Self.effectiveBias(
          context, weights: inputs.projection, bias: node.hasInput(inputs.projectionBias) ? inputs.projectionBias : nil,
          columns: dimensions.outputs, depth: dimensions.cells, factor: hiddenZeroPoint),
        factor: QuantizedMultiplier(Double(weightScale * hiddenScale / state.scale)),
        limit: options.projectionClip > 0 ? Int8(saturating: options.projectionClip / outputScale) : 0)
    } else {
      projection = nil
    }
    inputSums = try context.scratch(
      elements: [dimensions.batches, dimensions.steps, gates.count, dimensions.cells], of: Int16.self)
    gateBytes = try context.byteCount(elements: [gates.count, dimensions.cells], of: Int16.self)
    cellBytes = try context.byteCount(elements: [dimensions.cells], of: Int16.self)
    context.requireWorkerScratch(bytes: gateBytes + 2 * cellBytes)
  }

  private static func gate(
    _ context: PrepareContext, _ inputs: LSTMInputs, _ kind: LSTMInputs.GateKind, _ dimensions: LSTMDimensions,
    stateScale: Float, stateZeroPoint: Int32, cellExponent: Int32
  ) throws -> Gate {
    let node = context.node
    let gate = inputs[kind]
    guard try node.input(gate.recurrent).shape.rank == 2 else {
      throw node.invalid("recurrent weights \(try node.input(gate.recurrent)) must be a matrix")
    }
    let data = try node.inputQuantization(inputs.data)
    let weightScale = try node.inputQuantization(gate.weights).scale
    let recurrentScale = try node.inputQuantization(gate.recurrent).scale
    var gateScale = Self.gateScale
    if dimensions.isNormalized {
      // Normalised gates are summed in a scale of their own.
      guard let scale = node.intermediate(kind.rawValue)?.quantization?.scales.first, scale > 0, scale.isFinite else {
        throw node.invalid("intermediate \(kind.rawValue) must give the scale of the \(kind) gate's sums")
      }
      gateScale = scale
    }
    var peephole: (TensorSlot, QuantizedMultiplier)?
    if dimensions.hasPeephole, let index = gate.peephole {
      let scale = try node.inputQuantization(index).scale
      let factor = Float(
        Double(sign: .plus, exponent: Int(cellExponent), significand: 1) * Double(scale) / Double(gateScale))
      peephole = (try context.inputSlot(index), QuantizedMultiplier(Double(factor)))
    }
    return Gate(
      weights: try context.inputSlot(gate.weights),
      weightsBias: try effectiveBias(
        context, weights: gate.weights, bias: dimensions.isNormalized ? nil : gate.bias, columns: dimensions.cells,
        depth: dimensions.inputs, factor: 0 &- data.zeroPoint),
      weightsFactor: QuantizedMultiplier(Double(weightScale * data.scale / gateScale)),
      recurrent: try context.inputSlot(gate.recurrent),
      recurrentBias: try effectiveBias(
        context, weights: gate.recurrent, bias: nil, columns: dimensions.cells, depth: dimensions.outputs,
        factor: 0 &- stateZeroPoint),
      recurrentFactor: QuantizedMultiplier(Double(recurrentScale * stateScale / gateScale)),
      peephole: peephole,
      normalization: dimensions.isNormalized ? try ShortNormalization(context, gate) : nil)
  }

  /// The bias with what the vectors' zero point adds to every product.
  private static func effectiveBias(
    _ context: PrepareContext, weights index: Int, bias: Int?, columns: Int, depth: Int, factor: Int32
  ) throws -> AlignedBytes {
    try context.packed(
      inputs: [index] + (bias.map { [$0] } ?? []), layout: PackedLayout("bias with row sums", [columns, depth, Int(factor)])
    ) { sources in
      let result = AlignedBytes(zeroed: columns * 4)
      for column in 0..<columns {
        var sum: Int32 = 0
        for place in (column * depth)..<((column + 1) * depth) { sum &+= Int32(Int8(bitPattern: sources[0][place])) }
        let base = sources.count > 1 ? sources[1].loadUnaligned(fromByteOffset: column * 4, as: Int32.self) : 0
        result.bytes.storeBytes(of: base &+ sum &* factor, toByteOffset: column * 4, as: Int32.self)
      }
      return result
    }
  }

  var stages: [PreparedOperator.Stage] {
    let width = gates.count * dimensions.cells
    return [
      .init(items: dimensions.batches * dimensions.steps, cost: Double(width * dimensions.inputs) * 0.15 + 20) {
        run, range in for row in range { sumInputs(row, run) }
      },
      .init(tileCount: dimensions.batches) { run, batch in runSteps(ofBatch: batch, run) },
    ]
  }

  var multiplyAdds: Int {
    let width = gates.count &* dimensions.cells
    let step =
      width &* (dimensions.inputs &+ dimensions.outputs)
      &+ (dimensions.hasProjection ? dimensions.cells &* dimensions.outputs : 0)
    return step &* dimensions.batches &* dimensions.steps
  }

  private func sumInputs(_ row: Int, _ run: RunContext) {
    let count = dimensions.cells
    let vector = run.pointer(input, as: Int8.self) + row &* dimensions.inputs
    for (place, gate) in gates.enumerated() {
      let sums = run.pointer(inputSums, as: Int16.self) + (row &* gates.count &+ place) &* count
      let weights = run.pointer(gate.weights, as: Int8.self)
      let bias = gate.weightsBias.start.assumingMemoryBound(to: Int32.self)
      for cell in 0..<count {
        let product = bias[cell] &+ dotProduct(vector, weights + cell &* dimensions.inputs, count: dimensions.inputs)
        sums[cell] = Int16(clamping: gate.weightsFactor.apply(product))
      }
    }
  }

  private func runSteps(ofBatch batch: Int, _ run: RunContext) {
    let state = run.pointer(outputState, as: Int8.self) + batch &* dimensions.outputs
    let cells = run.pointer(cellState, as: Int16.self) + batch &* dimensions.cells
    for step in 0..<dimensions.steps {
      let row = dimensions.row(step: step, batch: batch)
      runStep(row, state: state, cells: cells, run)
      (run.pointer(output, as: Int8.self) + row &* dimensions.outputs).update(from: state, count: dimensions.outputs)
    }
  }

  private func runStep(
    _ row: Int, state: UnsafeMutablePointer<Int8>, cells: UnsafeMutablePointer<Int16>, _ run: RunContext
  ) {
    let count = dimensions.cells
    let sums = run.workerScratch.assumingMemoryBound(to: Int16.self)
    sums.update(from: run.pointer(inputSums, as: Int16.self) + row &* gates.count &* count, count: gates.count &* count)
    for (place, gate) in gates.enumerated() { addRecurrent(gate, to: sums + place &* count, state: state, run) }

    // Without an input gate the others move one place forward.
    let forgetPlace = dimensions.isCoupled ? 0 : 1
    let forget = sums + forgetPlace &* count
    let new = forget + count
    let out = new + count
    if !dimensions.isCoupled {
      finish(gates[0], sums, cells: cells, run)
      activate(sums, logistic: true)
    }
    finish(gates[forgetPlace], forget, cells: cells, run)
    activate(forget, logistic: true)
    finish(gates[forgetPlace + 1], new, cells: nil, run)
    activate(new, logistic: false)
    for cell in 0..<count {
      let kept = FixedPoint.roundingDivide(Int32(forget[cell]) &* Int32(cells[cell]), byPowerOfTwo: 15)
      let admitted = dimensions.isCoupled ? Int16.max &- forget[cell] : sums[cell]
      let added = FixedPoint.roundingDivide(Int32(admitted) &* Int32(new[cell]), byPowerOfTwo: 30 &+ cellExponent)
      cells[cell] = Int16(
        clamping: Int32(Int16(truncatingIfNeeded: kept)) &+ Int32(Int16(truncatingIfNeeded: added)))
    }
    if cellLimit > 0 {
      for cell in 0..<count { cells[cell] = min(max(cells[cell], 0 &- cellLimit), cellLimit) }
    }
    finish(gates[forgetPlace + 2], out, cells: cells, run)
    activate(out, logistic: true)
    emit(out, cells: cells, state: state, run)
  }

  private func addRecurrent(
    _ gate: Gate, to sums: UnsafeMutablePointer<Int16>, state: UnsafePointer<Int8>, _ run: RunContext
  ) {
    let depth = dimensions.outputs
    let weights = run.pointer(gate.recurrent, as: Int8.self)
    let bias = gate.recurrentBias.start.assumingMemoryBound(to: Int32.self)
    for cell in 0..<dimensions.cells {
      let product = bias[cell] &+ dotProduct(state, weights + cell &* depth, count: depth)
      sums[cell] = Int16(clamping: gate.recurrentFactor.apply(product) &+ Int32(sums[cell]))
    }
  }

  /// Adds what a gate sees of the cells, and normalises its sums.
  private func finish(
    _ gate: Gate, _ sums: UnsafeMutablePointer<Int16>, cells: UnsafePointer<Int16>?, _ run: RunContext
  ) {
    if let peephole = gate.peephole, let cells {
      let weights = run.pointer(peephole.slot, as: Int16.self)
      // The reference goes over as many cells as there are outputs.
      for cell in 0..<min(dimensions.cells, dimensions.outputs) {
        let product = peephole.factor.apply(Int32(weights[cell]) &* Int32(cells[cell]))
        sums[cell] = Int16(clamping: product &+ Int32(sums[cell]))
      }
    }
    gate.normalization?.apply(to: sums, count: dimensions.cells, run)
  }

  private func activate(_ sums: UnsafeMutablePointer<Int16>, logistic: Bool) {
    for cell in 0..<dimensions.cells {
      sums[cell] =
        logistic
        ? ShortFixedPoint.logistic(sums[cell], integerBits: 3)
        : ShortFixedPoint.hyperbolicTangent(sums[cell], integerBits: 3)
    }
  }

  /// The output gate times the squashed cells, projected if there is a projection.
  private func emit(
    _ out: UnsafePointer<Int16>, cells: UnsafePointer<Int16>, state: UnsafeMutablePointer<Int8>, _ run: RunContext
  ) {
    let count = dimensions.cells
    let integerBits = Int(15 &+ cellExponent)
    let values = run.workerScratch.advanced(by: gateBytes).assumingMemoryBound(to: Int8.self)
    // Projected values come without their zero point: the bias of the projection has it.
    let zeroPoint = projection == nil ? hiddenZeroPoint : 0 &- hiddenZeroPoint
    for cell in 0..<count {
      let squashed = ShortFixedPoint.hyperbolicTangent(cells[cell], integerBits: integerBits)
      let value = hidden.apply(Int32(out[cell]) &* Int32(squashed)) &+ zeroPoint
      values[cell] = Int8(clamping: value)
    }
    guard let projection else { return state.update(from: values, count: count) }
    let weights = run.pointer(projection.weights, as: Int8.self)
    let bias = projection.bias.start.assumingMemoryBound(to: Int32.self)
    for index in 0..<dimensions.outputs {
      let product = bias[index] &+ dotProduct(values, weights + index &* count, count: count)
      var value = Int8(clamping: projection.factor.apply(product) &+ outputZeroPoint)
      if projection.limit > 0 { value = min(max(value, 0 &- projection.limit), projection.limit) }
      state[index] = value
    }
  }
}
