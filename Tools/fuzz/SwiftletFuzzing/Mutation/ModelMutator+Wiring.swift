import SwiftletSchema

extension ModelMutator {
  /// Changes the tensors that operators read and write.
  mutating func rewire(_ model: inout FuzzModel) {
    switch random.below(12) {
    case 0: withGraph(&model) { $0.change(&$1.inputs, tensors: $1.tensors.count) }
    case 1: withGraph(&model) { $0.change(&$1.outputs, tensors: $1.tensors.count) }
    case 2: withOperator(&model) { $0.change(&$1.intermediates, tensors: $2) }
    case 3:
      // In place: an output becomes an input.
      withOperator(&model) { mutator, operation, _ in
        guard !operation.outputs.isEmpty, let input = mutator.random.pick(operation.inputs) else { return }
        operation.outputs[mutator.random.below(operation.outputs.count)] = input
      }
    case 4: writeTwice(&model)
    case 5: shareConstant(&model)
    case 6:
      withOperator(&model) { mutator, operation, _ in
        operation.mutatingVariableInputs = operation.inputs.map { _ in mutator.random.oneIn(2) }
      }
    case 7...8: withOperator(&model) { $0.change(&$1.outputs, tensors: $2) }
    default: withOperator(&model) { $0.change(&$1.inputs, tensors: $2) }
    }
  }

  private mutating func change(_ numbers: inout [Int32], tensors count: Int) {
    guard !numbers.isEmpty, random.below(6) > 0 else {
      numbers.append(tensor(below: count))
      return
    }
    let fresh = tensor(below: count)
    numbers = numbers.mutatedElements(&random) { random, _ in random.oneIn(8) ? -1 : fresh }
  }

  /// Makes two operators write the same tensor.
  private mutating func writeTwice(_ model: inout FuzzModel) {
    withGraph(&model) { mutator, graph in
      guard graph.operators.count > 1 else { return }
      let first = mutator.random.below(graph.operators.count), second = mutator.random.below(graph.operators.count)
      guard let output = mutator.random.pick(graph.operators[first].outputs), !graph.operators[second].outputs.isEmpty
      else { return }
      graph.operators[second].outputs[mutator.random.below(graph.operators[second].outputs.count)] = output
    }
  }

  /// Makes a written tensor a constant or variable, or makes a constant or variable an output.
  private mutating func shareConstant(_ model: inout FuzzModel) {
    let buffers = model.buffers.count
    withTensor(&model) { mutator, tensor in
      switch mutator.random.below(3) {
      case 0: tensor.isVariable.toggle()
      case 1: tensor.buffer = UInt32(mutator.random.below(buffers))
      default: tensor.buffer = 0
      }
    }
  }

  // MARK: Subgraphs

  /// Adds a call of another subgraph with a control flow operator, or changes an existing call.
  mutating func call(_ model: inout FuzzModel) {
    if random.oneIn(3) { duplicateGraph(&model) }
    let caller = random.below(model.graphs.count), callee = random.below(model.graphs.count)
    let target = model.graphs[callee]
    let kind: BuiltinOperator = random.one(.call, .stablehloComposite, .ifElse, .whileLoop, .stablehloCase, .callOnce)
    var operation = FuzzModel.Operator()
    operation.code = model.number(of: .init(builtin: kind.rawValue))
    operation.inputs = fitting(target.inputs.compactMap { model.graphs[callee].tensor($0) }, in: model.graphs[caller])
    for number in target.outputs {
      guard var tensor = target.tensor(number) else { continue }
      tensor.buffer = 0
      model.graphs[caller].tensors.append(tensor)
      operation.outputs.append(Int32(model.graphs[caller].tensors.count - 1))
    }
    let other = Int32(random.below(model.graphs.count)), number = Int32(callee)
    switch kind {
    case .call: operation.options = CallOptions.with { [$0.subgraph(number)] }
    case .stablehloComposite:
      operation.options = StableHLOCompositeOptions.with { [$0.name("odml.x"), $0.decompositionSubgraphIndex(number)] }
    case .ifElse:
      operation.options = IfOptions.with { [$0.thenSubgraphIndex(number), $0.elseSubgraphIndex(other)] }
      operation.inputs.insert(tensor(below: model.graphs[caller].tensors.count), at: 0)
    case .whileLoop:
      operation.options = WhileOptions.with { [$0.conditionSubgraphIndex(other), $0.bodySubgraphIndex(number)] }
    case .stablehloCase:
      operation.options = StableHLOCaseOptions.with { [$0.branchSubgraphIndices([number, other])] }
      operation.inputs.insert(tensor(below: model.graphs[caller].tensors.count), at: 0)
    default:
      operation.options = CallOnceOptions.with { [$0.initializationSubgraphIndex(number)] }
      if random.below(4) > 0 { (operation.inputs, operation.outputs) = ([], []) }
    }
    let position = random.below(model.graphs[caller].operators.count + 1)
    model.graphs[caller].operators.insert(operation, at: position)
    if random.oneIn(2), let output = operation.outputs.first {
      model.graphs[caller].outputs.append(output)
    }
  }

  /// Returns tensors of the requested types, if there are any.
  private mutating func fitting(_ wanted: [FuzzModel.Tensor], in graph: FuzzModel.Graph) -> [Int32] {
    wanted.map { tensor in
      let same = graph.tensors.indices.filter {
        graph.tensors[$0].type == tensor.type && graph.tensors[$0].shape == tensor.shape
      }
      let near = same.isEmpty ? graph.tensors.indices.filter { graph.tensors[$0].shape == tensor.shape } : same
      return random.pick(near).map(Int32.init) ?? self.tensor(below: graph.tensors.count)
    }
  }

  private mutating func duplicateGraph(_ model: inout FuzzModel) {
    guard model.graphs.count < 24, var graph = random.pick(model.graphs) else { return }
    graph.name = random.one("VALIDATION:copy", "copy", "main")
    model.graphs.append(graph)
  }
}

extension FuzzModel.Graph {
  func tensor(_ number: Int32) -> FuzzModel.Tensor? {
    tensors.indices.contains(Int(number)) ? tensors[Int(number)] : nil
  }
}
