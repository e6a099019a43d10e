import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// The basic form of LSTM: one matrix for all gates, and the states as inputs and outputs of the node.
///
/// If the states are variable tensors, a run stores the new states in them.
///
/// - Source: the basic kernel of the reference runtime; gates in the order input, new value, forget, output. The
///   quantized form is from "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only
///   Inference" (Jacob et al., 2017): 8-bit numbers from −1 to 1 around 128, gates with 3 integer bits, and cells with
///   4 integer bits.
enum BasicLSTM {
  static let quantizedTypes: [TypeCombination] = [
    TypeCombination(
      inputs: [.uint8, .uint8, .uint8, .int32, .int16], outputs: [.uint8, .int16, .uint8, .int16])
  ]

  private struct Sizes {
    let batches: Int
    let inputs: Int
    let cells: Int
    var depth: Int { inputs + cells }
    var multiplyAdds: Int { batches &* 4 &* cells &* depth }

    /// Returns the approximate time of a run in nanoseconds, given the time per product.
    func work(product: Double) -> Double { Double(batches) * Double(cells) * 4 * (Double(depth) * product + 20) }

    init(_ node: NodeView) throws {
      let data = try node.input(0)
      let activation = try node.input(1)
      guard data.shape.rank == 2, activation.shape.rank == 2 else {
        throw node.invalid("input \(data) and former output \(activation) must have rank 2")
      }
      batches = data.shape[0]
      inputs = data.shape[1]
      cells = activation.shape[1]
      guard inputs > 0, cells > 0 else { throw node.invalid("has no inputs or no cells") }
      let expected: [Shape] = [[batches, cells], [4 * cells, inputs + cells], [4 * cells], [batches, cells]]
      for (index, shape) in zip(1...4, expected) where try node.input(index).shape != shape {
        throw node.invalid("input \(index) \(try node.input(index)) must have the shape \(shape)")
      }
    }
  }

  static func shapes(_ node: NodeView) throws -> [Shape] {
    let sizes = try Sizes(node)
    return [
      [sizes.batches, sizes.cells], [sizes.batches, sizes.cells], [sizes.batches, sizes.depth],
      [sizes.batches, 4 * sizes.cells],
    ]
  }

  static func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .float32: return try floatingPoint(context)
    case .uint8: return try quantized(context)
    default: throw context.node.unexpectedType(try context.node.input(0))
    }
  }

  /// The tensors of a node: the previous output and cells, and the results of a run.
  private struct Slots {
    let data: TensorSlot
    let formerOutput: TensorSlot
    let formerCells: TensorSlot
    let output: TensorSlot
    let cells: TensorSlot
    let joined: TensorSlot
    let sums: TensorSlot
    let keepsState: Bool

    init(_ context: PrepareContext) throws {
      data = try context.inputSlot(0)
      formerOutput = try context.inputSlot(1)
      formerCells = try context.inputSlot(4)
      output = try context.outputSlot(0)
      cells = try context.outputSlot(1)
      joined = try context.outputSlot(2)
      sums = try context.outputSlot(3)
      keepsState = context.node.isVariable(1) && context.node.isVariable(4)
    }

    func join<Element>(_ batch: Int, _ inputs: Int, _ cells: Int, as type: Element.Type, _ run: RunContext)
      -> UnsafeMutablePointer<Element>
    {
      let row = run.pointer(joined, as: Element.self) + batch &* (inputs &+ cells)
      row.update(from: run.pointer(data, as: Element.self) + batch &* inputs, count: inputs)
      (row + inputs).update(from: run.pointer(formerOutput, as: Element.self) + batch &* cells, count: cells)
      return row
    }

    func keep<Value, Cell>(_ batch: Int, _ cells: Int, _ value: Value.Type, _ cell: Cell.Type, _ run: RunContext) {
      guard keepsState else { return }
      let first = batch &* cells
      (run.pointer(formerOutput, as: Value.self) + first).update(
        from: run.pointer(output, as: Value.self) + first, count: cells)
      (run.pointer(formerCells, as: Cell.self) + first).update(
        from: run.pointer(self.cells, as: Cell.self) + first, count: cells)
    }
  }

  private static func floatingPoint(_ context: PrepareContext) throws -> PreparedOperator {
    let sizes = try Sizes(context.node)
    let slots = try Slots(context)
    let products = try VectorProducts(
      context, weights: [2], biases: [3], columns: 4 * sizes.cells, depth: sizes.depth, isAsymmetric: false)
    let (inputs, cells, depth) = (sizes.inputs, sizes.cells, sizes.depth)
    return PreparedOperator(tiles: sizes.batches, work: sizes.work(product: 0.1), multiplyAdds: sizes.multiplyAdds) {
      run, batch in
      let row = slots.join(batch, inputs, cells, as: Float.self, run)
      let sums = run.pointer(slots.sums, as: Float.self) + batch &* 4 &* cells
      products.multiply(
        rows: 1, row, stride: depth, into: sums, resultStride: 4 &* cells, scratch: run.workerScratch, run)
      let former = run.pointer(slots.formerCells, as: Float.self) + batch &* cells
      let output = run.pointer(slots.output, as: Float.self) + batch &* cells
      let state = run.pointer(slots.cells, as: Float.self) + batch &* cells
      for cell in 0..<cells {
        let admitted = sigmoid(sums[cell]) * tanhf(sums[cells &+ cell])
        state[cell] = admitted + sigmoid(sums[2 &* cells &+ cell]) * former[cell]
        output[cell] = sigmoid(sums[3 &* cells &+ cell]) * tanhf(state[cell])
      }
      slots.keep(batch, cells, Float.self, Float.self, run)
    }
  }

  private static func sigmoid(_ x: Float) -> Float { 1 / (1 + expf(-x)) }

  private static func quantized(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let sizes = try Sizes(node)
    let slots = try Slots(context)
    let cellScale = try node.outputQuantization(1).scale
    guard cellScale.exponentOfTwo == -11 else {
      throw node.invalid("cells \(try node.output(1)) have the scale \(cellScale); it must be 2^-11")
    }
    let weights = try context.inputSlot(2)
    let weightZeroPoint = try node.inputQuantization(2).zeroPoint
    let bias = try context.inputSlot(3)
    let factor = QuantizedMultiplier(Double(4096 * (try node.inputQuantization(3).scale)))
    let (inputs, cells, depth) = (sizes.inputs, sizes.cells, sizes.depth)
    return PreparedOperator(tiles: sizes.batches, work: sizes.work(product: 1), multiplyAdds: sizes.multiplyAdds) {
      run, batch in
      let row = slots.join(batch, inputs, cells, as: UInt8.self, run)
      let sums = run.pointer(slots.sums, as: Int16.self) + batch &* 4 &* cells
      let weights = run.pointer(weights, as: UInt8.self)
      let bias = run.pointer(bias, as: Int32.self)
      for column in 0..<(4 &* cells) {
        var sum = bias[column]
        let weight = weights + column &* depth
        for place in 0..<depth {
          sum &+= (Int32(row[place]) &- 128) &* (Int32(weight[place]) &- weightZeroPoint)
        }
        sums[column] = Int16(clamping: halfUp(sum, times: factor))
      }
      let former = run.pointer(slots.formerCells, as: Int16.self) + batch &* cells
      let output = run.pointer(slots.output, as: UInt8.self) + batch &* cells
      let state = run.pointer(slots.cells, as: Int16.self) + batch &* cells
      for cell in 0..<cells {
        (output[cell], state[cell]) = step(
          input: sums[cell], new: sums[cells &+ cell], forget: sums[2 &* cells &+ cell],
          output: sums[3 &* cells &+ cell], former: former[cell])
      }
      slots.keep(batch, cells, UInt8.self, Int16.self, run)
    }
  }

  /// Returns `value` times the factor, like `QuantizedMultiplier.apply`, but with halves rounded up instead of away
  /// from zero when the power of two is removed. The reference computes this sum with a matrix library that rounds this
  /// way.
  private static func halfUp(_ value: Int32, times factor: QuantizedMultiplier) -> Int32 {
    let left = max(factor.shift, 0)
    let right = min(max(0 &- factor.shift, 0), 31)
    let product = FixedPoint.saturatingRoundingDoublingHighMultiply(value << left, factor.multiplier)
    guard right > 0 else { return product }
    return Int32(truncatingIfNeeded: (Int64(product) &+ (1 << Int64(right &- 1))) >> Int64(right))
  }

  /// Computes one cell: its 8-bit output and its new state.
  private static func step(
    input: Int16, new: Int16, forget: Int16, output: Int16, former: Int16
  ) -> (UInt8, Int16) {
    func multiply(_ first: Int16, _ second: Int16) -> Int16 {
      FixedPoint.saturatingRoundingDoublingHighMultiply(first, second)
    }
    let admitted = multiply(
      ShortFixedPoint.logistic(input, integerBits: 3), ShortFixedPoint.hyperbolicTangent(new, integerBits: 3))
    let kept = multiply(ShortFixedPoint.logistic(forget, integerBits: 3), former)
    let scaled = FixedPoint.roundingDivide(Int32(admitted), byPowerOfTwo: 4)
    let state = Int16(clamping: scaled &+ Int32(kept))
    // The hyperbolic tangent expects one integer bit less.
    let squashed = ShortFixedPoint.hyperbolicTangent(Int16(clamping: Int32(state) &* 2), integerBits: 3)
    let value = multiply(ShortFixedPoint.logistic(output, integerBits: 3), squashed)
    let rounded = FixedPoint.roundingDivide(Int32(value), byPowerOfTwo: 8)
    return (UInt8(clamping: 128 &+ max(-128, min(127, rounded))), state)
  }
}
