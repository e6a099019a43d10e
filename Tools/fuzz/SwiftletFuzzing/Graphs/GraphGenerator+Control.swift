import SwiftletSchema
import SwiftletTestSupport

extension GraphGenerator {
  /// Adds a call of a new subgraph, with a control flow operator.
  mutating func controlStep() {
    guard scope.depth < 3, model.graphs.count < 12 else { return plainStep() }
    switch random.below(6) {
    case 0: branch()
    case 1: loop()
    case 2: chooseByNumber()
    case 3: call(.call)
    case 4: call(.stablehloComposite)
    default: growingLoop()
    }
  }

  /// Returns the arguments of a subgraph: one or two values.
  private mutating func arguments() -> [Value] {
    (0..<random.within(1...2)).map { _ in random.oneIn(5) ? resource() : anyValue() }
  }

  private mutating func resource() -> Value {
    let index = handle()
    return scope.values.first { $0.index == index } ?? anyValue()
  }

  /// Adds some steps on a subgraph's arguments, and returns a value of each wanted type and shape.
  private mutating func body(_ arguments: [Value], gives wanted: [(ElementType, [Int32])]) -> [Int32] {
    for _ in 0..<random.within(0...2) { step() }
    return wanted.map { type, shape in
      let fitting = scope.values.filter { $0.type == type && $0.shape == shape }
      if let value = random.pick(fitting) { return value.index }
      if type == .float32, let value = scope.values.first(where: { $0.type == type }) {
        // Dynamic shapes can differ from the shape that the caller expects.
        if random.oneIn(3) { return value.index }
      }
      let count = shape.reduce(1) { $0 * Int($1) }
      let index = constant(type, [UInt8](repeating: 1, count: count * (type.byteWidth ?? 1)), shape: shape)
      scope.values.append(Value(index: index, type: type, shape: shape))
      return index
    }
  }

  private mutating func wanted() -> [(ElementType, [Int32])] {
    (0..<random.within(1...2)).map { _ in (random.one(.float32, .float32, .int32), smallShape()) }
  }

  private mutating func results(of wanted: [(ElementType, [Int32])], isDynamic: Bool) -> [Int32] {
    wanted.map { result($0.0, $0.1, isDynamic: isDynamic) }
  }

  private mutating func branch() {
    let condition = condition(), arguments = arguments(), wanted = wanted()
    let numbers = (0..<2).map { _ in subgraph(inputs: arguments) { $0.body($1, gives: wanted) }.number }
    add(
      .ifElse, [condition] + arguments.map(\.index), results(of: wanted, isDynamic: true),
      IfOptions.with { [$0.thenSubgraphIndex(numbers[0]), $0.elseSubgraphIndex(numbers[1])] })
  }

  private mutating func condition() -> Int32 {
    guard random.oneIn(2) else { return input(.bool, random.one([1], [])).index }
    let left = input(.float32, [1]), index = tensor(.bool, left.shape)
    add(.less, [left.index, constant(.float32, [Float(0)])], [index])
    return index
  }

  private mutating func chooseByNumber() {
    let arguments = arguments(), wanted = wanted()
    let numbers = (0..<random.within(1...3)).map { _ in
      subgraph(inputs: arguments) { $0.body($1, gives: wanted) }.number
    }
    let choice = input(.int32, random.one([], [1])).index
    add(
      .stablehloCase, [choice] + arguments.map(\.index), results(of: wanted, isDynamic: true),
      StableHLOCaseOptions.with { [$0.branchSubgraphIndices(numbers)] })
  }

  private mutating func call(_ kind: BuiltinOperator) {
    let arguments = arguments(), wanted = wanted()
    let number = subgraph(inputs: arguments) { $0.body($1, gives: wanted) }.number
    let options: WrittenOptions =
      kind == .call
      ? CallOptions.with { [$0.subgraph(number)] }
      : StableHLOCompositeOptions.with { [$0.name("c"), $0.decompositionSubgraphIndex(number)] }
    add(kind, arguments.map(\.index), results(of: wanted, isDynamic: false), options)
  }

  /// Adds a loop with a small number of rounds that also computes a value.
  private mutating func loop() {
    let count = Value(index: integers([0]), type: .int32, shape: [1])
    let state = [count] + arguments().filter { $0.type != .resource }
    let limit = Int32(random.one(0, 1, 1, 2, 2, 3, 5, 40, 1 << 20))
    let condition = subgraph(inputs: state) { generator, own in [generator.isLess(own[0].index, limit)] }.number
    let body = subgraph(inputs: state) { generator, own in
      let next = generator.next(own[0].index)
      if own.count > 1, generator.random.oneIn(3) { generator.step() }
      return [next]
        + own.dropFirst().map { value in
          guard value.type == .float32 || value.type == .int32, generator.random.below(3) > 0 else {
            return value.index
          }
          let result = generator.result(value.type, value.shape)
          generator.add(.add, [value.index, value.index], [result], AddOptions.empty)
          return result
        }
    }.number
    add(
      .whileLoop, state.map(\.index), state.map { result($0.type, $0.shape, isDynamic: true) },
      WhileOptions.with { [$0.conditionSubgraphIndex(condition), $0.bodySubgraphIndex(body)] })
  }

  /// Adds a loop that makes a value longer in each round.
  private mutating func growingLoop() {
    let count = Value(index: integers([0]), type: .int32, shape: [1]), data = value(.float32, rank: 1)
    let limit = Int32(random.one(1, 2, 3, 3, 8, 12, 24, 1 << 20))
    let condition = subgraph(inputs: [count, data]) { generator, own in [generator.isLess(own[0].index, limit)] }.number
    let body = subgraph(inputs: [count, data]) { generator, own in
      let longer = generator.result(.float32, [-1], isDynamic: true)
      generator.scope.graph.tensors[Int(longer)].shape = own[1].shape
      generator.add(
        .concatenation,
        [own[1].index, generator.random.oneIn(2) ? own[1].index : generator.constant(.float32, [Float(1)])], [longer],
        ConcatenationOptions.with { [$0.axis(0)] })
      return [generator.next(own[0].index), longer]
    }.number
    let results = [result(.int32, [1]), result(.float32, data.shape, isDynamic: true)]
    add(
      .whileLoop, [count.index, data.index], results,
      WhileOptions.with { [$0.conditionSubgraphIndex(condition), $0.bodySubgraphIndex(body)] })
  }

  private mutating func isLess(_ index: Int32, _ limit: Int32) -> Int32 {
    let result = result(.bool, [1])
    add(.less, [index, integers([limit])], [result])
    return result
  }

  private mutating func next(_ index: Int32) -> Int32 {
    let result = result(.int32, [1])
    add(.add, [index, integers([1])], [result], AddOptions.empty)
    return result
  }
}
