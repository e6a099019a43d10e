import SwiftletSchema
import SwiftletTestSupport

/// Generates small connected graphs: operators that read and write state, call subgraphs, and produce shapes that are
/// known only at run time.
package struct GraphGenerator {
  /// A tensor that operators can read.
  struct Value {
    var index: Int32
    var type: ElementType
    /// The shape in the file; the shape at run time can differ.
    var shape: [Int32]
    /// Whether the shape depends on values.
    var isDynamic = false
  }

  /// A subgraph under construction.
  struct Scope {
    var graph = FuzzModel.Graph()
    var values: [Value] = []
    /// The number of enclosing subgraphs.
    var depth = 0
  }

  var random: FuzzRandom
  var model = FuzzModel()
  var scope = Scope()

  /// The names of state. There are only a few, so that subgraphs share state.
  static let stateNames = ["a", "b", ""]
  static let types: [ElementType] = [.float32, .float32, .float32, .int32, .int32, .int64, .int8, .uint8, .bool]

  private init(_ random: FuzzRandom) { self.random = random }

  /// Returns the graph of a campaign's case: the same numbers give the same graph. One in four has faults.
  package static func model(seed: UInt64, case number: Int) -> FuzzModel {
    model(FuzzRandom(seed: seed ^ 0x6772_6170_6873, case: number))
  }

  static func model(_ random: FuzzRandom) -> FuzzModel {
    var generator = GraphGenerator(random)
    generator.makeMain()
    guard generator.random.oneIn(4) else { return generator.model }
    var mutator = ModelMutator(generator.random, donor: generator.random.pick(SeedModels.parsed))
    mutator.mutate(&generator.model)
    return generator.model
  }

  private mutating func makeMain() {
    model.graphs = [FuzzModel.Graph()]
    for _ in 0..<random.within(1...3) { _ = input(random.pick(Self.types) ?? .float32, smallShape()) }
    for _ in 0..<random.within(1...8) { step() }
    finish()
    model.graphs[0] = scope.graph
    guard random.oneIn(4) else { return }
    func entries(_ tensors: [Int32], _ name: String) -> [FuzzModel.Signature.Entry] {
      tensors.enumerated().map { .init(name: "\(name)\($0.offset)", tensor: UInt32(bitPattern: $0.element)) }
    }
    for (number, graph) in model.graphs.enumerated().prefix(3) where number == 0 || random.oneIn(2) {
      model.signatures.append(
        .init(
          key: "s\(number)", subgraph: UInt32(number), inputs: entries(graph.inputs, "i"),
          outputs: entries(graph.outputs, "o")))
    }
  }

  /// Ends a subgraph: some of the computed values become outputs.
  private mutating func finish() {
    let computed = scope.values.filter { !scope.graph.inputs.contains($0.index) && $0.type != .resource }
    for value in computed.suffix(3) { scope.graph.outputs.append(value.index) }
    if computed.isEmpty, let value = scope.values.first { scope.graph.outputs.append(value.index) }
  }

  /// Adds an operator, or several related ones.
  mutating func step() {
    switch random.below(12) {
    case 0...2: stateStep()
    case 3...5: controlStep()
    case 6...8: dynamicStep()
    case 9: graft(SeedModels.single)
    case 10: customStep()
    default: plainStep()
    }
  }

  // MARK: Tensors

  mutating func smallShape() -> [Int32] {
    random.one([2], [1], [3], [2, 3], [1, 4], [4, 2], [2, 2, 3], [1, 4, 4, 2], [], [0], [7])
  }

  mutating func tensor(_ type: ElementType, _ shape: [Int32], isVariable: Bool = false) -> Int32 {
    var tensor = FuzzModel.Tensor()
    tensor.type = type.rawValue
    tensor.shape = shape
    tensor.isVariable = isVariable
    tensor.name = "t\(scope.graph.tensors.count)"
    if type == .int8 || type == .uint8 { tensor.quantization = [2: .floats([0.5]), 3: .longs([0])] }
    scope.graph.tensors.append(tensor)
    return Int32(scope.graph.tensors.count - 1)
  }

  mutating func input(_ type: ElementType, _ shape: [Int32]) -> Value {
    let value = Value(index: tensor(type, shape), type: type, shape: shape)
    if random.oneIn(6) {
      scope.graph.tensors[Int(value.index)].shapeSignature = shape.map { random.oneIn(2) ? -1 : $0 }
    }
    scope.graph.inputs.append(value.index)
    scope.values.append(value)
    return value
  }

  /// Adds a constant with the bytes of numbers.
  mutating func constant<Number: BitwiseCopyable>(_ type: ElementType, _ numbers: [Number], shape: [Int32]? = nil)
    -> Int32
  {
    let index = tensor(type, shape ?? [Int32(numbers.count)])
    scope.graph.tensors[Int(index)].buffer = UInt32(model.buffers.count)
    model.buffers.append(numbers.withUnsafeBytes { [UInt8]($0) })
    return index
  }

  mutating func integers(_ numbers: [Int32], shape: [Int32]? = nil) -> Int32 { constant(.int32, numbers, shape: shape) }

  /// Returns a readable value of a type; creates one if there is none.
  mutating func value(_ type: ElementType, rank: Int? = nil) -> Value {
    let fitting = scope.values.filter { $0.type == type && (rank == nil || $0.shape.count == rank || $0.isDynamic) }
    if let value = random.pick(fitting), random.below(5) > 0 { return value }
    return input(type, rank.map { (0..<$0).map { _ in Int32(random.within(1...4)) } } ?? smallShape())
  }

  mutating func anyValue() -> Value {
    let readable = scope.values.filter { $0.type != .resource && $0.type != .string }
    return random.pick(readable) ?? input(.float32, smallShape())
  }

  /// Returns integers that are known at run time: an input, the output of SHAPE, or a computed tensor.
  mutating func numbers(_ count: Int32) -> Int32 {
    switch random.below(5) {
    case 0...1:
      return integers((0..<count).map { _ in Int32(random.oneIn(8) ? random.within(-1...6) : random.within(1...3)) })
    case 2:
      let source = anyValue(), result = tensor(.int32, [Int32(source.shape.count)])
      add(.shape, [source.index], [result], ShapeOptions.with { [$0.outputType(.int32)] })
      return Int32(source.shape.count) == count || random.oneIn(4) ? result : input(.int32, [count]).index
    case 3:
      let source = value(.float32), result = tensor(.int32, source.shape)
      add(.cast, [source.index], [result], CastOptions.empty)
      return source.shape == [count] || random.oneIn(4) ? result : input(.int32, [count]).index
    default: return input(.int32, [count]).index
    }
  }

  mutating func scalar(_ type: ElementType = .int32) -> Int32 {
    if type == .int32, random.oneIn(3) {
      return integers([Int32(random.oneIn(6) ? random.within(-1...6) : random.within(1...3))], shape: [])
    }
    return input(type, []).index
  }

  // MARK: Operators

  mutating func add(
    _ kind: BuiltinOperator, _ inputs: [Int32], _ outputs: [Int32],
    _ options: WrittenOptions? = nil, version: Int32 = 1
  ) {
    var operation = FuzzModel.Operator()
    operation.code = model.number(of: .init(builtin: kind.rawValue, version: version))
    operation.inputs = inputs
    operation.outputs = outputs
    if let options { operation.options = options }
    scope.graph.operators.append(operation)
  }

  /// Adds an output tensor of an operator.
  mutating func result(_ type: ElementType, _ shape: [Int32], isDynamic: Bool = false) -> Int32 {
    let value = Value(index: tensor(type, shape), type: type, shape: shape, isDynamic: isDynamic)
    if isDynamic, random.oneIn(2) { scope.graph.tensors[Int(value.index)].shapeSignature = shape.map { _ in -1 } }
    scope.values.append(value)
    return value.index
  }

  // MARK: Subgraphs

  /// Creates a subgraph with `inputs` of its own, and returns its number and outputs.
  mutating func subgraph(inputs: [Value], _ body: (inout Self, [Value]) -> [Int32]) -> (number: Int32, outputs: [Value])
  {
    let outer = scope
    scope = Scope(depth: outer.depth + 1)
    // Sometimes with a name that makes runtimes skip the subgraph.
    if random.oneIn(5) { scope.graph.name = "VALIDATION:\(model.graphs.count)" }
    let own = inputs.map { value in
      let index = tensor(value.type, value.shape)
      scope.graph.inputs.append(index)
      scope.values.append(Value(index: index, type: value.type, shape: value.shape, isDynamic: value.isDynamic))
      return scope.values[scope.values.count - 1]
    }
    let results = body(&self, own)
    // No caller passes more inputs than a subgraph has parameters.
    let extra = scope.graph.inputs.dropFirst(inputs.count)
    for index in extra {
      let count = scope.graph.tensors[Int(index)].shape?.reduce(1) { $0 * Int(max(0, $1)) } ?? 1
      let width = ElementType(rawValue: scope.graph.tensors[Int(index)].type)?.byteWidth ?? 4
      scope.graph.tensors[Int(index)].buffer = UInt32(model.buffers.count)
      model.buffers.append((0..<count * width).map { UInt8($0 % width == 0 ? 1 : 0) })
    }
    scope.graph.inputs.removeLast(extra.count)
    scope.graph.outputs = results
    let outputs = results.compactMap { index in scope.values.first { $0.index == index } }
    model.graphs.append(scope.graph)
    scope = outer
    return (Int32(model.graphs.count - 1), outputs)
  }
}
