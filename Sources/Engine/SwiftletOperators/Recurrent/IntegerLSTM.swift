import SwiftletEngine
import SwiftletBase
import SwiftletKernels
import SwiftletSchema

/// An LSTM with integer arithmetic: 8-bit activations and weights, and 16-bit cells and gates.
///
/// - Source: the 8x8_16 kernel of the reference runtime, bit-exact. Gate sums have 12 fraction bits, the scale of cells
///   is a power of two, and zero points are part of the biases.
final class IntegerLSTM: Sendable {
  private let dimensions: LSTMDimensions
  private let input: TensorSlot
  private let output: TensorSlot
  private let outputState: TensorSlot
  private let cellState: TensorSlot
  private let outputZeroPoint: Int32
  private let gates: [Gate]
  /// The exponent of the cell scale.
  private let cellExponent: Int32
  /// The limit of cell values; 0 for no limit.
  private let cellLimit: Int16
  private let hidden: QuantizedMultiplier
  private let hiddenZeroPoint: Int32
  private let inputProducts: Int8MatVec
  private let recurrentProducts: Int8MatVec
  private let projection: Projection?
  private let inputSums: TensorSlot
  private let kernels: RecurrentKernels
  private let scratch: Scratch

  /// The processing of the sums of one gate after the products.
  private struct Gate: Sendable {
    var peephole: (slot: TensorSlot, factor: QuantizedMultiplier)?
    var normalization: ShortNormalization?

    var isPlain: Bool { peephole == nil && normalization == nil }
  }

  private struct Projection: Sendable {
    var products: Int8MatVec
    /// The limit of projected values; 0 for no limit.
    var limit: Int8
  }

  /// The layout of a worker's scratch memory, in bytes.
  private struct Scratch: Sendable {
    var sums: Int
    var values: Int
    var products: Int
  }

  /// The index of the intermediate tensor with the quantization of the values between cells and projection.
  private static let hiddenIntermediate = 4
  private static let gateScale: Float = 1 / 4096

  init(
    _ context: PrepareContext, _ inputs: LSTMInputs, _ dimensions: LSTMDimensions, _ options: LSTMParameters
  ) throws {
    let node = context.node
    self.dimensions = dimensions
    context.uses("LSTM int8, GEMM by step")
    let state = try node.inputQuantization(inputs.outputState)
    let cellScale = try node.inputQuantization(inputs.cellState).scale
    guard let exponent = cellScale.exponentOfTwo, (-15...(-9)).contains(exponent) else {
      throw node.invalid(
        "cells \(try node.input(inputs.cellState)) have the scale \(cellScale); it must be 2^-15 to 2^-9")
    }
    guard let hiddenQuantization = node.intermediate(Self.hiddenIntermediate)?.quantization,
      let hiddenScale = hiddenQuantization.scales.first, hiddenScale > 0, hiddenScale.isFinite,
      let hiddenZeroPoint = hiddenQuantization.zeroPoints.first
    else {
      throw node.invalid("intermediate \(Self.hiddenIntermediate) must have the quantization of the hidden values")
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
    for slot in [input, outputState] { context.requireSlack(behind: slot) }
    kernels = context.kernels.recurrent
    let gateScales = try dimensions.gates.map { try Self.gateScale(node, $0, dimensions) }
    gates = try zip(dimensions.gates, gateScales).map { kind, scale in
      try Self.gate(context, inputs[kind], dimensions, gateScale: scale, cellExponent: exponent)
    }
    let data = try node.inputQuantization(inputs.data)
    inputProducts = try Int8MatVec(
      context,
      matrices: zip(dimensions.gates, gateScales).map { kind, scale in
        let gate = inputs[kind]
        let weightScale = try node.inputQuantization(gate.weights).scale
        return .init(
          weights: gate.weights, bias: dimensions.isNormalized ? nil : gate.bias,
          factor: QuantizedMultiplier(Double(weightScale * data.scale / scale)))
      }, columns: dimensions.cells, depth: dimensions.inputs, zeroPoint: data.zeroPoint)
    recurrentProducts = try Int8MatVec(
      context,
      matrices: zip(dimensions.gates, gateScales).map { kind, scale in
        let index = inputs[kind].recurrent
        guard try node.input(index).shape.rank == 2 else {
          throw node.invalid("recurrent weights \(try node.input(index)) must be a matrix")
        }
        let weightScale = try node.inputQuantization(index).scale
        return .init(
          weights: index, bias: nil, factor: QuantizedMultiplier(Double(weightScale * state.scale / scale)))
      }, columns: dimensions.cells, depth: dimensions.outputs, zeroPoint: state.zeroPoint)
    if dimensions.hasProjection {
      let weightScale = try node.inputQuantization(inputs.projection).scale
      let outputScale = try node.outputQuantization(0).scale
      // Hidden values include their zero point, with its sign inverted.
      projection = Projection(
        products: try Int8MatVec(
          context,
          matrices: [
            .init(
              weights: inputs.projection, bias: node.hasInput(inputs.projectionBias) ? inputs.projectionBias : nil,
              factor: QuantizedMultiplier(Double(weightScale * hiddenScale / state.scale)))
          ], columns: dimensions.outputs, depth: dimensions.cells, zeroPoint: 0 &- hiddenZeroPoint),
        limit: options.projectionClip > 0 ? Int8(saturating: options.projectionClip / outputScale) : 0)
    } else {
      projection = nil
    }
    let width = inputProducts.width
    inputSums = try context.scratch(elements: [dimensions.batches, dimensions.steps, width], of: Int16.self)
    let sumBytes = try context.byteCount(elements: [width], of: Int16.self)
    // The products read whole groups of four bytes.
    let valueBytes = try context.byteCount(elements: [dimensions.cells / 64 + 2], of: SIMD64<Int8>.self)
    scratch = Scratch(sums: 0, values: sumBytes, products: sumBytes + valueBytes)
    let products = max(
      inputProducts.scratchBytes(rows: min(Self.rowsPerProduct, dimensions.batches * dimensions.steps)),
      recurrentProducts.scratchBytes(rows: 1),
      projection?.products.scratchBytes(rows: 1) ?? 0)
    context.requireWorkerScratch(bytes: scratch.products + products)
  }

  /// Returns the scale of a gate's sums.
  private static func gateScale(
    _ node: NodeView, _ kind: LSTMInputs.GateKind, _ dimensions: LSTMDimensions
  ) throws -> Float {
    guard dimensions.isNormalized else { return Self.gateScale }
    // Sums of normalized gates have their own scale.
    guard let scale = node.intermediate(kind.rawValue)?.quantization?.scales.first, scale > 0, scale.isFinite else {
      throw node.invalid("intermediate \(kind.rawValue) must have the scale of the \(kind) gate's sums")
    }
    return scale
  }

  private static func gate(
    _ context: PrepareContext, _ gate: LSTMInputs.Gate, _ dimensions: LSTMDimensions, gateScale: Float,
    cellExponent: Int32
  ) throws -> Gate {
    var peephole: (TensorSlot, QuantizedMultiplier)?
    if dimensions.hasPeephole, let index = gate.peephole {
      let scale = try context.node.inputQuantization(index).scale
      let factor = Float(
        Double(sign: .plus, exponent: Int(cellExponent), significand: 1) * Double(scale) / Double(gateScale))
      peephole = (try context.inputSlot(index), QuantizedMultiplier(Double(factor)))
    }
    return Gate(
      peephole: peephole, normalization: dimensions.isNormalized ? try ShortNormalization(context, gate) : nil)
  }

  /// The number of input rows that are multiplied at once.
  private static let rowsPerProduct = 24

  var stages: [PreparedOperator.Stage] {
    let rows = dimensions.batches * dimensions.steps
    let blocks = (rows + Self.rowsPerProduct - 1) / Self.rowsPerProduct
    let cost = Double(min(rows, Self.rowsPerProduct) * inputProducts.width * dimensions.inputs) * 0.02 + 50
    return [
      .init(items: blocks, cost: cost) { [self] run, items in
        for block in items {
          let first = block &* Self.rowsPerProduct
          inputProducts.multiply(
            rows: min(rows &- first, Self.rowsPerProduct),
            run.pointer(input, as: Int8.self) + first &* dimensions.inputs, stride: dimensions.inputs,
            into: run.pointer(inputSums, as: Int16.self) + first &* inputProducts.width,
            scratch: run.workerScratch.advanced(by: scratch.products))
        }
      }
    ]
      + PreparedOperator.Stage.inOrder(lanes: dimensions.batches, items: dimensions.steps, cost: stepCost) {
        [self] run, batch, steps in
        runSteps(steps, ofBatch: batch, run)
      }
  }

  /// The approximate time per step of one batch entry in nanoseconds.
  private var stepCost: Double {
    let outputs = Double(dimensions.outputs)
    let projection = dimensions.hasProjection ? Double(dimensions.cells) * outputs * 0.03 : 0
    return Double(recurrentProducts.width) * (outputs * 0.03 + 10) + projection + outputs * 5 + 100
  }

  var multiplyAdds: Int {
    let width = gates.count &* dimensions.cells
    let step =
      width &* (dimensions.inputs &+ dimensions.outputs)
      &+ (dimensions.hasProjection ? dimensions.cells &* dimensions.outputs : 0)
    return step &* dimensions.batches &* dimensions.steps
  }

  private func runSteps(_ steps: Range<Int>, ofBatch batch: Int, _ run: RunContext) {
    let state = run.pointer(outputState, as: Int8.self) + batch &* dimensions.outputs
    let cells = run.pointer(cellState, as: Int16.self) + batch &* dimensions.cells
    for step in steps {
      let row = dimensions.row(step: step, batch: batch)
      runStep(row, state: state, cells: cells, run)
      (run.pointer(output, as: Int8.self) + row &* dimensions.outputs).update(from: state, count: dimensions.outputs)
    }
  }

  private func runStep(
    _ row: Int, state: UnsafeMutablePointer<Int8>, cells: UnsafeMutablePointer<Int16>, _ run: RunContext
  ) {
    let count = dimensions.cells
    let sums = run.workerScratch.advanced(by: scratch.sums).assumingMemoryBound(to: Int16.self)
    recurrentProducts.multiply(
      state, adding: run.pointer(inputSums, as: Int16.self) + row &* inputProducts.width, into: sums, kernels,
      scratch: run.workerScratch.advanced(by: scratch.products))

    // Without an input gate, the other gates move up by one position.
    let forgetPlace = dimensions.isCoupled ? 0 : 1
    let distance = recurrentProducts.matrixWidth
    let forget = sums + forgetPlace &* distance
    let new = forget + distance
    let out = new + distance
    for place in 0...(forgetPlace &+ 1) where !gates[place].isPlain {
      finish(gates[place], sums + place &* distance, cells: cells, run)
    }
    kernels.updateCells(
      count: count, input: dimensions.isCoupled ? nil : UnsafePointer(sums), forget: forget, new: new,
      cellExponent: cellExponent, limit: cellLimit, cells: cells)
    if !gates[forgetPlace &+ 2].isPlain { finish(gates[forgetPlace &+ 2], out, cells: cells, run) }
    guard let projection else {
      return kernels.emit(
        count: count, gate: out, cells: cells, cellExponent: cellExponent, factor: hidden, zeroPoint: hiddenZeroPoint,
        into: state)
    }
    let values = run.workerScratch.advanced(by: scratch.values).assumingMemoryBound(to: Int8.self)
    kernels.emit(
      count: count, gate: out, cells: cells, cellExponent: cellExponent, factor: hidden,
      zeroPoint: 0 &- hiddenZeroPoint, into: values)
    projection.products.multiply(
      values, zeroPoint: outputZeroPoint, into: state, scratch: run.workerScratch.advanced(by: scratch.products))
    guard projection.limit > 0 else { return }
    for index in 0..<dimensions.outputs {
      state[index] = min(max(state[index], 0 &- projection.limit), projection.limit)
    }
  }

  /// Adds the peephole contribution of the cells to a gate, and normalizes its sums.
  private func finish(
    _ gate: Gate, _ sums: UnsafeMutablePointer<Int16>, cells: UnsafePointer<Int16>?, _ run: RunContext
  ) {
    if let peephole = gate.peephole, let cells {
      let weights = run.pointer(peephole.slot, as: Int16.self)
      // The reference processes as many cells as there are outputs.
      for cell in 0..<min(dimensions.cells, dimensions.outputs) {
        let product = peephole.factor.apply(Int32(weights[cell]) &* Int32(cells[cell]))
        sums[cell] = Int16(clamping: product &+ Int32(sums[cell]))
      }
    }
    gate.normalization?.apply(to: sums, count: dimensions.cells, run)
  }
}
