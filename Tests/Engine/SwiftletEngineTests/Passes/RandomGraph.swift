import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport

/// A seeded graph of small tensors that contains the patterns of passes, and similar patterns that must not match.
struct RandomGraph {
  private struct Value {
    var id: Int
    var shape: [Int]
    /// The scale and zero point of int8, or `nil` for float32.
    var quantization: (scale: Float, zeroPoint: Int32)?

    var count: Int { shape.reduce(1, *) }
  }

  private var graph = TestGraph()
  private var random: SplitMix64
  private var values: [Value] = []
  /// Whether float32 values can be quantized, which amplifies small differences.
  private let rounds: Bool
  private(set) var inputs: [Tensor] = []
  private(set) var nodeCount = 0

  init(seed: Int, nodes: Int, rounds: Bool) throws {
    random = SplitMix64(state: UInt64(seed) &* 7919 &+ 17)
    self.rounds = rounds
    try addFloatInput([2, 5, 4, 3])
    try addFloatInput([2, 4, 3, 5])
    let shape = [1, 5, 6, 3]
    let id = graph.input(.int8, shape, scale: 0.05, zeroPoint: -3)
    values.append(Value(id: id, shape: shape, quantization: (0.05, -3)))
    inputs.append(
      try Tensor((0..<90).map { _ in Int8.random(in: -128...127, using: &random) }, shape: Shape(shape)))
    while nodeCount < nodes { addPiece() }
  }

  /// Returns the model, with the last value and some inner ones as outputs.
  mutating func model() throws -> Model {
    var results = Set([values.count - 1])
    for _ in 0..<2 { results.insert(Int.random(in: 3..<values.count, using: &random)) }
    for result in results.sorted() { graph.addOutput(values[result].id) }
    return try graph.model()
  }

  // MARK: Values

  private mutating func addFloatInput(_ shape: [Int]) throws {
    values.append(Value(id: graph.input(.float32, shape), shape: shape))
    inputs.append(try Tensor(numbers(shape.reduce(1, *)), shape: Shape(shape)))
  }

  private mutating func numbers(_ count: Int, within bound: Float = 1) -> [Float] {
    (0..<count).map { _ in Float.random(in: -bound...bound, using: &random) }
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  /// Returns one of the values that meet a condition, preferring later ones.
  private mutating func pick(_ isWanted: (Value) -> Bool) -> Value? {
    let wanted = values.filter { isWanted($0) && $0.count <= 2000 }
    guard !wanted.isEmpty else { return nil }
    let places = (0..<2).map { _ in Int.random(in: 0..<wanted.count, using: &random) }
    return wanted[max(places[0], places[1])]
  }

  private mutating func add(
    _ kind: BuiltinOperator, _ inputs: [Int?], _ shape: [Int], like source: Value, _ options: WrittenOptions? = nil,
    version: Int = 2
  ) -> Value {
    let type: ElementType = source.quantization == nil ? .float32 : .int8
    let id = graph.tensor(
      type, shape, scale: source.quantization?.scale, zeroPoint: source.quantization?.zeroPoint ?? 0)
    graph.add(kind, inputs, [id], options: options, version: version)
    values.append(Value(id: id, shape: shape, quantization: source.quantization))
    nodeCount += 1
    return values[values.count - 1]
  }

  private mutating func integers(_ values: [Int], _ shape: [Int]? = nil) -> Int {
    graph.constant(values.map { Int32($0) }, shape: shape)
  }

  // MARK: Pieces

  private mutating func addPiece() {
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: addConvolution()
    case 2: addArithmetic()
    case 3: addFunction()
    case 4: addSwish()
    case 5, 6: addTranspose()
    case 7: addPadding()
    case 8: addJoinOrReshape()
    case 9: addReduction()
    case 10: addWrittenFunction()
    case 11: addNormalization()
    case 12: addAttention()
    default: addQuantizedPiece()
    }
  }

  private mutating func addPadding() {
    guard let source = pick({ $0.shape.count == 4 }) else { return }
    var amounts = [Int](repeating: 0, count: 8)
    for place in 2..<6 { amounts[place] = Int.random(in: 0...1, using: &random) }
    // A convolution cannot fold padded channels.
    if chance(20) { amounts[7] = 1 }
    var shape = source.shape
    for axis in 0..<4 { shape[axis] += amounts[2 * axis] + amounts[2 * axis + 1] }
    let padded = add(.pad, [source.id, integers(amounts, [4, 2])], shape, like: source)
    if chance(70) { addConvolution(of: padded) }
  }

  private mutating func addConvolution(of given: Value? = nil) {
    guard let source = given ?? pick({ $0.shape.count == 4 && $0.shape[1] >= 3 && $0.shape[2] >= 3 }) else { return }
    let isDepthwise = chance(30), isSame = chance(30), stride = chance(25) ? 2 : 1
    let size = isDepthwise || chance(60) ? 3 : 1, channels = source.shape[3]
    guard source.shape[1] >= size, source.shape[2] >= size, channels <= 12 else { return }
    let filters = isDepthwise ? channels : Int.random(in: 2...6, using: &random)
    let filterShape = isDepthwise ? [1, 3, 3, channels] : [filters, size, size, channels]
    let count = filterShape.reduce(1, *), bound = 1 / Float(size * size).squareRoot()
    var result = source, weights: Int, bias: Int?
    if source.quantization == nil {
      weights = graph.constant(numbers(count, within: bound), shape: filterShape)
      bias = chance(60) ? graph.constant(numbers(filters)) : nil
    } else {
      weights = graph.constant(
        (0..<count).map { _ in Int8.random(in: -127...127, using: &random) }, shape: filterShape, scale: 0.005)
      bias = graph.constant((0..<filters).map { _ in Int32.random(in: -4000...4000, using: &random) })
      result.quantization = (0.04, Int32.random(in: -20...20, using: &random))
    }
    let sizes = source.shape[1...2].map { (length: Int) -> Int in
      isSame ? (length + stride - 1) / stride : (length - size) / stride + 1
    }
    let activation: FusedActivation = chance(20) ? .relu : .none
    let options =
      isDepthwise
      ? DepthwiseConv2DOptions.with {
        [
          $0.padding(isSame ? .same : .valid), $0.strideWidth(stride), $0.strideHeight(stride), $0.depthMultiplier(1),
          $0.fusedActivation(activation),
        ]
      }
      : Conv2DOptions.with {
        [
          $0.padding(isSame ? .same : .valid), $0.strideWidth(stride), $0.strideHeight(stride),
          $0.fusedActivation(activation),
        ]
      }
    let convolved = add(
      isDepthwise ? .depthwiseConv2D : .conv2D, [source.id, weights, bias],
      [source.shape[0], sizes[0], sizes[1], filters], like: result, options, version: 3)
    if chance(50) { addFunction(of: convolved) }
  }

  private mutating func addArithmetic() {
    guard let source = pick({ $0.quantization == nil }) else { return }
    let kind = [BuiltinOperator.add, .mul, .sub][Int.random(in: 0..<3, using: &random)]
    let other: Int
    if chance(40), let second = pick({ $0.quantization == nil && $0.shape == source.shape }) {
      other = second.id
    } else if chance(50) {
      other = graph.constant(numbers(source.shape.last ?? 1), shape: [source.shape.last ?? 1])
    } else {
      other = graph.constant(numbers(1), shape: chance(50) ? [1] : [Int](repeating: 1, count: source.shape.count))
    }
    _ = add(kind, chance(70) ? [source.id, other] : [other, source.id], source.shape, like: source)
  }

  private mutating func addFunction(of given: Value? = nil) {
    guard let source = given ?? pick({ _ in true }) else { return }
    if source.quantization != nil { return addClamp(of: source) }
    let kinds: [BuiltinOperator] = [.relu, .relu6, .reluN1To1, .logistic, .tanh, .hardSwish, .prelu]
    let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
    var operands: [Int?] = [source.id]
    if kind == .prelu {
      let count = source.shape.last ?? 1
      var shape = [Int](repeating: 1, count: max(1, source.shape.count - 1))
      shape[shape.count - 1] = count
      operands.append(graph.constant(numbers(count), shape: shape))
    }
    _ = add(kind, operands, source.shape, like: source, version: 1)
  }

  private mutating func addSwish() {
    guard let source = pick({ $0.quantization == nil }) else { return }
    let gate = add(.logistic, [source.id], source.shape, like: source, version: 1)
    _ = add(.mul, chance(50) ? [source.id, gate.id] : [gate.id, source.id], source.shape, like: source)
  }

  /// Adds an activation function as several operators, sometimes with another constant.
  private mutating func addWrittenFunction() {
    guard let source = pick({ $0.quantization == nil }) else { return }
    let shape = source.shape
    func node(_ graph: inout RandomGraph, _ kind: BuiltinOperator, _ inputs: [Int], version: Int = 1) -> Int {
      graph.add(kind, graph.chance(50) ? inputs : inputs.reversed(), shape, like: source, version: version).id
    }
    func number(_ graph: inout RandomGraph, _ value: Float) -> Int {
      graph.graph.constant([graph.chance(10) ? value * 1.5 : value], shape: [])
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let slopes =
        chance(50) ? graph.constant(numbers(shape.last ?? 1), shape: [shape.last ?? 1]) : number(&self, 0.3)
      let upper = node(&self, .relu, [source.id]), negative = node(&self, .neg, [source.id])
      let lower = node(&self, .relu, [negative])
      let product = node(&self, .mul, [lower, slopes])
      _ = node(&self, .add, [upper, product])
    case 1:
      let slopes = number(&self, 0.7), product = node(&self, .mul, [source.id, slopes])
      _ = node(&self, .maximum, [source.id, product])
    case 2:
      let three = number(&self, 3), sixth = number(&self, 1 / 6)
      let shifted = node(&self, .add, [source.id, three])
      let gate = node(&self, .relu6, [shifted])
      let scaled = node(&self, .mul, [chance(50) ? gate : source.id, sixth])
      _ = node(&self, .mul, [scaled, chance(50) ? source.id : gate])
    default:
      let cubic = number(&self, 0.044715), slope = number(&self, 0.797_884_56)
      let half = number(&self, 0.5), one = number(&self, 1)
      let square = node(&self, .mul, [source.id, source.id])
      let cube = node(&self, .mul, [source.id, square])
      let scaled = node(&self, .mul, [cubic, cube])
      let sum = node(&self, .add, [source.id, scaled])
      let argument = node(&self, .mul, [slope, sum])
      let tangent = node(&self, .tanh, [argument])
      let gate = node(&self, .add, [tangent, one])
      let product = node(&self, .mul, [source.id, gate])
      _ = node(&self, .mul, [product, half])
    }
  }

  /// Adds a layer normalization as several operators, sometimes over another axis.
  private mutating func addNormalization() {
    guard let source = pick({ $0.quantization == nil && $0.shape.count > 1 }) else { return }
    let axis = chance(80) ? source.shape.count - 1 : 0, count = source.shape[source.shape.count - 1]
    var rows = source.shape
    rows[axis] = 1
    let keeping = ReducerOptions.with { [$0.keepDimensions(true)] }
    let mean = add(.mean, [source.id, integers([axis])], rows, like: source, keeping)
    let difference = add(.sub, [source.id, mean.id], source.shape, like: source)
    let squares = add(.mul, [difference.id, difference.id], source.shape, like: source)
    let variance = add(.mean, [squares.id, integers([axis])], rows, like: source, keeping)
    let sum = add(.add, [variance.id, graph.constant([Float(0.01)], shape: [])], rows, like: source)
    let root = add(.rsqrt, [sum.id], rows, like: source, version: 1)
    var last = add(.mul, [difference.id, root.id], source.shape, like: source)
    if chance(60) { last = add(.mul, [last.id, graph.constant(numbers(count))], source.shape, like: source) }
    if chance(60) { _ = add(.add, [last.id, graph.constant(numbers(count))], source.shape, like: source) }
  }

  /// Adds the attention of a value to itself as several operators.
  private mutating func addAttention() {
    guard let source = pick({ $0.quantization == nil && $0.shape.count > 2 }) else { return }
    let rows = source.shape[source.shape.count - 2]
    guard source.count * rows <= 6000 else { return }
    let shape = Array(source.shape.dropLast()) + [rows]
    let scores = add(
      .batchMatMul, [source.id, source.id], shape, like: source, BatchMatMulOptions.with { [$0.adjointY(true)] })
    // Large scores would turn a difference in the last bit into another result.
    var last = add(.mul, [scores.id, graph.constant([Float(0.02)], shape: [])], shape, like: source)
    if chance(60) { last = add(.add, [last.id, graph.constant(numbers(rows))], shape, like: source) }
    let shares = add(.softmax, [last.id], shape, like: source, SoftmaxOptions.with { [$0.beta(1)] })
    _ = add(.batchMatMul, [shares.id, source.id], source.shape, like: source, BatchMatMulOptions.empty)
  }

  private mutating func addTranspose() {
    guard let source = pick({ $0.shape.count > 1 }) else { return }
    let rank = source.shape.count
    let orders = [[0, 3, 1, 2], [0, 2, 3, 1]]
    let order = rank == 4 && chance(80) ? orders[chance(50) ? 0 : 1] : Array(0..<rank).shuffled(using: &random)
    _ = add(.transpose, [source.id, integers(order)], order.map { source.shape[$0] }, like: source)
  }

  private mutating func addJoinOrReshape() {
    guard let source = pick({ $0.shape.count > 1 }) else { return }
    if chance(50), source.count <= 600 {
      let axis = Int.random(in: 0..<source.shape.count, using: &random)
      let other =
        pick {
          $0.shape == source.shape && $0.quantization?.scale == source.quantization?.scale
            && $0.quantization?.zeroPoint == source.quantization?.zeroPoint
        } ?? source
      var shape = source.shape
      shape[axis] *= 2
      _ = add(
        .concatenation, [source.id, other.id], shape, like: source,
        ConcatenationOptions.with { [$0.axis(chance(50) ? axis : axis - shape.count)] })
    } else {
      let last = source.shape.last ?? 1
      let shape = chance(50) ? [source.count / last, last] : [1, source.count / last, 1, last]
      _ = add(.reshape, [source.id, integers(shape)], shape, like: source, version: 1)
    }
  }

  private mutating func addReduction() {
    guard let source = pick({ $0.quantization == nil && $0.shape.count > 1 }) else { return }
    var squared = source
    if chance(60) {
      let other = chance(70) ? source : pick { $0.quantization == nil && $0.shape == source.shape } ?? source
      squared = add(.mul, [source.id, other.id], source.shape, like: source)
    }
    let axis = chance(60) ? source.shape.count - 1 : Int.random(in: 0..<source.shape.count, using: &random)
    var shape = source.shape
    shape[axis] = 1
    _ = add(
      chance(50) ? .sum : .mean, [squared.id, integers([axis])], shape, like: source,
      ReducerOptions.with { [$0.keepDimensions(true)] })
  }

  private mutating func addClamp(of source: Value) {
    guard let quantization = source.quantization else { return }
    let limit = graph.constant(
      [Int8.random(in: -90...90, using: &random)], shape: [1], scale: quantization.scale,
      zeroPoint: quantization.zeroPoint)
    _ = add(
      chance(50) ? .minimum : .maximum, chance(70) ? [source.id, limit] : [limit, source.id], source.shape, like: source
    )
  }

  private mutating func addQuantizedPiece() {
    if rounds, chance(40), let source = pick({ $0.quantization == nil }) {
      var rounded = source
      rounded.quantization = (0.03, Int32.random(in: -9...9, using: &random))
      _ = add(.quantize, [source.id], source.shape, like: rounded, version: 1)
    } else if let source = pick({ $0.quantization != nil }) {
      guard chance(30) else { return addClamp(of: source) }
      var real = source
      real.quantization = nil
      _ = add(.dequantize, [source.id], source.shape, like: real)
    }
  }
}
