import SwiftletEngine
import SwiftletBase
import SwiftletKernels
import SwiftletSchema

/// SVDF: a dense layer over the last steps of a stream, factored into a product over features and a product over time.
///
/// Every unit has `rank` filters. A filter stores the products of its feature weights with the last inputs, and
/// multiplies these values by its time weights. A unit is the sum of its filters.
///
/// - Shapes: input `[batch, inputs]`, feature weights `[filters, inputs]`, time weights `[filters, memory]`, bias
///   `[units]` (optional), state `[batch, filters × memory]` (a variable tensor); output `[batch, units]` with `units =
///   filters / rank`.
/// - Types: float32; float32 with int8 (or uint8) weights; int8 with int16 time weights and state.
/// - Throws: `invalidModel` for an integer node whose activation isn't RELU, as in the reference, which clamps to the
///   range of the output type.
/// - Source: operator 27 of the model format; "Compressing Deep Neural Networks using a Rank-Constrained Topology"
///   (Nakkiran et al., 2015).
struct SVDFOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .svdf, versions: 1...4, floatError: 1e-6,
      types: [TypeSet.float32, .int8, .uint8].map { weights in
        TypeCombination(inputs: [.float32, weights, weights, .float32, .float32], outputs: [.float32])
      } + [TypeCombination(inputs: [.int8, .int8, .int16, .int32, .int16], outputs: [.int8])])
  }

  private let rank: Int
  private let activation: FusedActivation
  private let isAsymmetric: Bool

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 5...5)
    rank = try node.options[SVDFOptions.rank]
    guard rank > 0 else { throw node.invalid("has rank \(rank); it must be positive") }
    activation = try FusedActivation(
      node, field: SVDFOptions.fusedActivation, allowed: [.none, .relu, .reluN1To1, .relu6, .tanh, .signBit])
    isAsymmetric = try node.options[SVDFOptions.asymmetricQuantizeInputs]
  }

  private func sizes(_ node: NodeView) throws -> SVDFSizes {
    let data = try node.input(0)
    let features = try node.input(1)
    let time = try node.input(2)
    guard data.shape.rank == 2, features.shape.rank == 2, time.shape.rank == 2 else {
      throw node.invalid("input \(data) and weights \(features), \(time) must have rank 2")
    }
    let filters = features.shape[0]
    guard filters > 0, filters % rank == 0, data.shape[1] > 0, time.shape[1] > 0 else {
      throw node.invalid("weights \(features) and \(time) are inconsistent with rank \(rank)")
    }
    let sizes = SVDFSizes(
      batches: data.shape[0], inputs: data.shape[1], filters: filters, memory: time.shape[1], rank: rank)
    var expected: [(Int, Shape)] = [
      (1, [filters, sizes.inputs]), (2, [filters, sizes.memory]),
      (4, [sizes.batches, filters.multipliedReportingOverflow(by: sizes.memory).partialValue]),
    ]
    if node.hasInput(3) { expected.append((3, [sizes.units])) }
    for (index, shape) in expected where try node.input(index).shape != shape {
      throw node.invalid("input \(index) \(try node.input(index)) must have the shape \(shape)")
    }
    guard node.isVariable(4) else { throw node.invalid("state \(try node.input(4)) must be a variable tensor") }
    return sizes
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let sizes = try sizes(node)
    return [[sizes.batches, sizes.units]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let sizes = try sizes(context.node)
    if try context.node.input(0).elementType == .int8 {
      guard activation == .relu else {
        throw context.node.invalid("has activation \(activation); an integer SVDF must have relu")
      }
      let layer = try IntegerSVDF(context, sizes)
      return PreparedOperator(tiles: sizes.batches, work: sizes.work, multiplyAdds: sizes.multiplyAdds) { run, batch in
        layer.run(batch, run)
      }
    }
    let layer = try FloatSVDF(context, sizes, activation: activation, isAsymmetric: isAsymmetric)
    return PreparedOperator(tiles: sizes.batches, work: sizes.work, multiplyAdds: sizes.multiplyAdds) { run, batch in
      layer.run(batch, run)
    }
  }
}

struct SVDFSizes: Sendable {
  let batches: Int
  let inputs: Int
  let filters: Int
  let memory: Int
  let rank: Int

  var units: Int { filters / rank }
  /// The approximate time of a run in nanoseconds. The products over time are computed one by one.
  var work: Double { Double(batches) * Double(filters) * (Double(inputs) * 0.1 + Double(memory) * 1.5 + 20) }
  var multiplyAdds: Int { batches &* filters &* (inputs &+ memory) }
}

private final class FloatSVDF: Sendable {
  private let sizes: SVDFSizes
  private let activation: FusedActivation
  private let activations: VectorActivations
  private let input: TensorSlot
  private let features: VectorProducts
  private let time: AlignedBytes
  private let bias: TensorSlot?
  private let state: TensorSlot
  private let output: TensorSlot
  private let filterBytes: Int

  init(
    _ context: PrepareContext, _ sizes: SVDFSizes, activation: FusedActivation, isAsymmetric: Bool
  ) throws {
    self.sizes = sizes
    self.activation = activation
    activations = VectorActivations(context)
    input = try context.inputSlot(0)
    features = try VectorProducts(
      context, weights: [1], biases: [nil], columns: sizes.filters, depth: sizes.inputs, isAsymmetric: isAsymmetric)
    time = try Self.timeWeights(context, count: sizes.filters * sizes.memory)
    bias = context.optionalInputSlot(3)
    state = try context.inputSlot(4)
    output = try context.outputSlot(0)
    filterBytes = try context.byteCount(elements: [sizes.filters], of: Float.self)
    context.requireWorkerScratch(bytes: filterBytes + features.scratchBytes)
  }

  /// Returns the time weights in float32 for any stored type.
  private static func timeWeights(_ context: PrepareContext, count: Int) throws -> AlignedBytes {
    if try context.node.input(2).elementType == .float32 {
      return try context.packed(input: 2, layout: PackedLayout("copy")) { AlignedBytes(copying: $0) }
    }
    let scale = try context.node.inputQuantization(2).scale
    return try context.packed(input: 2, layout: PackedLayout("float32 of a scale", [Int(scale.bitPattern)])) { source in
      let values = try AlignedBytes.available(count * 4, for: "packed weights")
      for index in 0..<count {
        values.bytes.storeBytes(
          of: Float(Int8(bitPattern: source[index])) * scale, toByteOffset: index * 4, as: Float.self)
      }
      return values
    }
  }

  func run(_ batch: Int, _ run: RunContext) {
    let latest = run.workerScratch.assumingMemoryBound(to: Float.self)
    features.multiply(
      rows: 1, run.pointer(input, as: Float.self) + batch &* sizes.inputs, stride: sizes.inputs, into: latest,
      resultStride: sizes.filters, scratch: run.workerScratch.advanced(by: filterBytes), run)
    let state = run.pointer(state, as: Float.self) + batch &* sizes.filters &* sizes.memory
    let weights = time.start.assumingMemoryBound(to: Float.self)
    let output = run.pointer(output, as: Float.self) + batch &* sizes.units
    let bias = bias.map { run.pointer($0, as: Float.self) }
    for unit in 0..<sizes.units {
      var sum: Float = 0
      for filter in (unit &* sizes.rank)..<(unit &* sizes.rank &+ sizes.rank) {
        let memory = state + filter &* sizes.memory
        let filterWeights = weights + filter &* sizes.memory
        memory.remember(latest[filter], count: sizes.memory)
        var product: Float = 0
        for place in 0..<sizes.memory { product += filterWeights[place] * memory[place] }
        sum += product
      }
      output[unit] = sum + (bias?[unit] ?? 0)
    }
    activations.apply(activation, output, count: sizes.units, into: output)
  }
}

/// The integer form.
///
/// - Source: the integer kernel of the reference runtime, bit-exact.
private struct IntegerSVDF: Sendable {
  private let sizes: SVDFSizes
  private let input: TensorSlot
  private let features: Int8MatVec
  private let latestBytes: Int
  private let time: TensorSlot
  private let bias: TensorSlot?
  private let state: TensorSlot
  private let output: TensorSlot
  private let outputZeroPoint: Int32
  private let timeFactor: QuantizedMultiplier

  init(_ context: PrepareContext, _ sizes: SVDFSizes) throws {
    let node = context.node
    self.sizes = sizes
    input = try context.inputSlot(0)
    context.requireSlack(behind: input)
    time = try context.inputSlot(2)
    bias = context.optionalInputSlot(3)
    state = try context.inputSlot(4)
    output = try context.outputSlot(0)
    let data = try node.inputQuantization(0)
    let result = try node.outputQuantization(0)
    let stateScale = try node.inputQuantization(4).scale
    outputZeroPoint = result.zeroPoint
    let featureFactor = QuantizedMultiplier(Double(data.scale * (try node.inputQuantization(1).scale) / stateScale))
    features = try Int8MatVec(
      context, matrices: [.init(weights: 1, bias: nil, factor: featureFactor)], columns: sizes.filters,
      depth: sizes.inputs, zeroPoint: data.zeroPoint)
    latestBytes = try context.byteCount(elements: [features.width], of: Int16.self)
    context.requireWorkerScratch(bytes: latestBytes + features.scratchBytes(rows: 1))
    timeFactor = QuantizedMultiplier(Double(stateScale * (try node.inputQuantization(2).scale) / result.scale))
  }

  func run(_ batch: Int, _ run: RunContext) {
    let vector = run.pointer(input, as: Int8.self) + batch &* sizes.inputs
    let latest = run.workerScratch.assumingMemoryBound(to: Int16.self)
    features.multiply(
      rows: 1, vector, stride: sizes.inputs, into: latest, scratch: run.workerScratch.advanced(by: latestBytes))
    let time = run.pointer(time, as: Int16.self)
    let state = run.pointer(state, as: Int16.self) + batch &* sizes.filters &* sizes.memory
    let output = run.pointer(output, as: Int8.self) + batch &* sizes.units
    let bias = bias.map { run.pointer($0, as: Int32.self) }
    for unit in 0..<sizes.units {
      var sum = bias?[unit] ?? 0
      for filter in (unit &* sizes.rank)..<(unit &* sizes.rank &+ sizes.rank) {
        let memory = state + filter &* sizes.memory
        memory.remember(latest[filter], count: sizes.memory)
        let filterTime = time + filter &* sizes.memory
        for place in 0..<sizes.memory { sum &+= Int32(filterTime[place]) &* Int32(memory[place]) }
      }
      output[unit] = Int8(clamping: timeFactor.apply(sum) &+ outputZeroPoint)
    }
  }
}

extension UnsafeMutablePointer {
  /// Moves all elements forward by one position and stores the latest element last.
  fileprivate func remember(_ latest: Pointee, count: Int) where Pointee: BitwiseCopyable {
    update(from: self + 1, count: count &- 1)
    self[count &- 1] = latest
  }
}
