import SwiftletSchema
import SwiftletTestSupport

extension GraphGenerator {
  /// Adds operators with state: resource variables, tables, recurrent operators, and operators that run once.
  mutating func stateStep() {
    switch random.below(8) {
    case 0...2: resourceVariable()
    case 3: hashTable()
    case 4: callOnce()
    case 5: readLater()
    default: graft(SeedModels.recurrent)
    }
  }

  mutating func handle() -> Int32 {
    if random.oneIn(3), let known = random.pick(scope.values.filter { $0.type == .resource }) { return known.index }
    let index = result(.resource, random.one([], [1]))
    add(
      .varHandle, [], [index],
      VarHandleOptions.with { [$0.container(""), $0.sharedName(random.pick(Self.stateNames) ?? "")] })
    if random.below(6) > 0 { add(.assignVariable, [index, anyValue().index], []) }
    return index
  }

  /// Adds assignments and reads in any order.
  private mutating func resourceVariable() {
    let handle = handle()
    for _ in 0..<random.within(1...3) {
      if random.oneIn(2) {
        add(.assignVariable, [handle, anyValue().index], [])
      } else {
        let like = anyValue()
        // Without dimensions, the shape is that of the assigned value.
        let isOpen = random.oneIn(3)
        if random.oneIn(2) { add(.assignVariable, [handle, like.index], []) }
        add(.readVariable, [handle], [result(like.type, isOpen ? [] : like.shape, isDynamic: isOpen)])
      }
    }
  }

  /// Adds an operator that reads a shape from state that changes later.
  private mutating func readLater() {
    let handle = handle()
    add(.assignVariable, [handle, integers([2, 3])], [])
    let shape = tensor(.int32, [2])
    add(.readVariable, [handle], [shape])
    if random.oneIn(2) { add(.assignVariable, [handle, numbers(2)], []) }
    add(.fill, [shape, scalar(.float32)], [result(.float32, [1, 1], isDynamic: true)])
    add(.assignVariable, [handle, numbers(2)], [])
  }

  private mutating func hashTable() {
    let index = tensor(.resource, [1])
    let (key, value): (ElementType, ElementType) =
      random.oneIn(20) ? (.int64, .int64) : random.one((.int64, .string), (.string, .int64))
    add(
      .hashtable, [], [index],
      HashtableOptions.with { [$0.tableID(random.below(2)), $0.keyDataType(key), $0.valueDataType(value)] })
    if random.below(12) > 0 {
      add(.hashtableImport, [index, entries(key), entries(value)], [])
    }
    if random.oneIn(2) { add(.hashtableSize, [index], [result(.int64, [1])]) }
    let wanted = key == .string ? input(.string, [2]).index : self.value(.int64).index
    let missing = value == .string ? strings(["none"]) : constant(.int64, [Int64(-1)])
    add(.hashtableFind, [index, wanted, missing], [result(value, [2])])
  }

  private mutating func entries(_ type: ElementType) -> Int32 {
    type == .string ? strings(["x", "", "x"]) : constant(.int64, [1, 2, random.hostileLong()] as [Int64])
  }

  /// Returns the bytes of a string tensor: a count, offsets, and texts.
  private mutating func strings(_ texts: [String]) -> Int32 {
    var numbers = [Int32(texts.count)], start = Int32(4 * (texts.count + 2))
    for text in texts {
      numbers.append(start)
      start += Int32(text.utf8.count)
    }
    numbers.append(start)
    let bytes =
      numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) } }
      + texts.flatMap { [UInt8]($0.utf8) }
    return constant(.string, bytes, shape: [Int32(texts.count)])
  }

  private mutating func callOnce() {
    guard scope.depth == 0 else { return resourceVariable() }
    let (number, _) = subgraph(inputs: []) { generator, _ in
      let handle = generator.handle()
      let shape = generator.smallShape(), count = shape.reduce(1) { $0 * Int($1) }
      let numbers = [Float](repeating: 1, count: count)
      generator.add(.assignVariable, [handle, generator.constant(.float32, numbers, shape: shape)], [])
      if generator.random.oneIn(3) { generator.resourceVariable() }
      return []
    }
    add(.callOnce, [], [], CallOnceOptions.with { [$0.initializationSubgraphIndex(number)] })
  }

  /// Adds the operators of a golden model, connected to existing tensors where possible.
  mutating func graft(_ donors: [FuzzModel]) {
    guard let donor = random.pick(donors) else { return plainStep() }
    let source = donor.graphs[0]
    var places: [Int32: Int32] = [-1: -1]
    for (number, tensor) in source.tensors.enumerated() {
      let type = ElementType(rawValue: tensor.type) ?? .float32, shape = tensor.shape ?? []
      let isInput = source.inputs.contains(Int32(number))
      if isInput, let known = random.pick(scope.values.filter { $0.type == type && $0.shape == shape }),
        random.below(4) > 0
      {
        places[Int32(number)] = known.index
        continue
      }
      var copy = tensor
      copy.buffer = 0
      if tensor.buffer != 0, donor.buffers.indices.contains(Int(tensor.buffer)),
        let bytes = donor.buffers[Int(tensor.buffer)]
      {
        copy.buffer = UInt32(model.buffers.count)
        model.buffers.append(bytes)
      }
      let index = Int32(scope.graph.tensors.count)
      scope.graph.tensors.append(copy)
      places[Int32(number)] = index
      if isInput { scope.graph.inputs.append(index) }
      if isInput || source.outputs.contains(Int32(number)) {
        scope.values.append(Value(index: index, type: type, shape: shape))
      }
    }
    for operation in source.operators {
      guard let code = donor.code(operation) else { continue }
      var copy = operation
      copy.code = model.number(of: code)
      copy.inputs = operation.inputs.map { places[$0] ?? $0 }
      copy.outputs = operation.outputs.map { places[$0] ?? $0 }
      copy.intermediates = operation.intermediates.map { places[$0] ?? $0 }
      scope.graph.operators.append(copy)
    }
  }

  /// Adds one of the engine's custom operators, as golden models use it, or an operator that a program registers.
  mutating func customStep() {
    guard random.below(3) > 0 else {
      var operation = FuzzModel.Operator()
      operation.code = model.number(of: .init(builtin: BuiltinOperator.custom.rawValue, custom: EchoOperator.name))
      let source = value(.float32)
      operation.inputs = [source.index]
      // Sometimes in place, as with feedback operators.
      operation.outputs = [random.oneIn(4) ? source.index : result(.float32, source.shape)]
      scope.graph.operators.append(operation)
      return
    }
    graft(SeedModels.custom)
  }
}
