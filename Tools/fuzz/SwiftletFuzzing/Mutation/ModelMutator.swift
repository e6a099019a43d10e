import SwiftletSchema

/// Mutates models so that they stay readable: their content is wrong, but not their encoding.
package struct ModelMutator {
  var random: FuzzRandom
  /// Another model that provides operators and subgraphs.
  var donor: FuzzModel?

  package init(_ random: FuzzRandom, donor: FuzzModel? = nil) {
    self.random = random
    self.donor = donor
  }

  /// Makes one to eight changes.
  package mutating func mutate(_ model: inout FuzzModel) {
    guard !model.graphs.isEmpty else { return }
    let count = random.one(1, 1, 1, 2, 2, 3, 5, 8)
    for _ in 0..<count { change(&model) }
  }

  private mutating func change(_ model: inout FuzzModel) {
    // The weights reflect where bugs of parsers and kernels were found before.
    switch random.below(40) {
    case 0...7: rewire(&model)
    case 8...15: changeTensor(&model)
    case 16...22: changeOptions(&model)
    case 23...28: changeOperator(&model)
    case 29...31: changeBuffer(&model)
    case 32...33: changeQuantization(&model)
    case 34: changeName(&model)
    case 35: changeSignature(&model)
    case 36: splice(&model)
    case 37: call(&model)
    case 38: changeSparsity(&model)
    default: swapShapes(&model)
    }
  }

  // MARK: Positions

  /// Calls `change` with a random subgraph.
  mutating func withGraph(_ model: inout FuzzModel, _ change: (inout Self, inout FuzzModel.Graph) -> Void) {
    let index = random.below(model.graphs.count)
    change(&self, &model.graphs[index])
  }

  mutating func withTensor(_ model: inout FuzzModel, _ change: (inout Self, inout FuzzModel.Tensor) -> Void) {
    withGraph(&model) { mutator, graph in
      guard !graph.tensors.isEmpty else { return }
      let index = mutator.random.below(graph.tensors.count)
      change(&mutator, &graph.tensors[index])
    }
  }

  mutating func withOperator(
    _ model: inout FuzzModel, _ change: (inout Self, inout FuzzModel.Operator, _ tensorCount: Int) -> Void
  ) {
    withGraph(&model) { mutator, graph in
      guard !graph.operators.isEmpty else { return }
      let index = mutator.random.below(graph.operators.count), count = graph.tensors.count
      change(&mutator, &graph.operators[index], count)
    }
  }

  /// Returns the index of a tensor, sometimes an invalid one.
  mutating func tensor(below count: Int) -> Int32 {
    random.oneIn(24) ? random.one(-1, Int32(count), .max, .min, -2) : Int32(random.below(count))
  }

  // MARK: Names and signatures

  private mutating func changeName(_ model: inout FuzzModel) {
    let text = random.hostileText()
    if random.oneIn(2) {
      withGraph(&model) { mutator, graph in
        graph.name = mutator.random.oneIn(2) ? "VALIDATION:" + (graph.name ?? "") : text
      }
    } else {
      withTensor(&model) { _, tensor in tensor.name = text }
    }
  }

  private mutating func changeSignature(_ model: inout FuzzModel) {
    guard !model.signatures.isEmpty, random.below(3) > 0 else {
      let number = random.below(model.graphs.count), graph = model.graphs[number]
      func entries(_ tensors: [Int32]) -> [FuzzModel.Signature.Entry] {
        tensors.enumerated().map { .init(name: "n\($0.offset)", tensor: UInt32(bitPattern: $0.element)) }
      }
      model.signatures.append(
        .init(
          key: random.one("serving_default", "other", ""), subgraph: UInt32(number), inputs: entries(graph.inputs),
          outputs: entries(graph.outputs)))
      return
    }
    let index = random.below(model.signatures.count)
    var signature = model.signatures[index]
    let tensors = model.graphs[min(model.graphs.count - 1, Int(signature.subgraph))].tensors.count
    switch random.below(6) {
    case 0: signature.subgraph = UInt32(random.below(model.graphs.count + 1))
    case 1: signature.key = random.oneIn(3) ? nil : random.hostileText()
    case 2:
      let number = tensor(below: tensors)
      signature.inputs = signature.inputs.mutatedElements(&random) {
        .init(name: $1.name, tensor: UInt32(bitPattern: number))
      }
    case 3:
      let number = tensor(below: tensors)
      signature.outputs = signature.outputs.mutatedElements(&random) {
        .init(name: $1.name, tensor: UInt32(bitPattern: number))
      }
    case 4:
      signature.inputs = signature.inputs.mutatedElements(&random) { .init(name: $0.hostileText(), tensor: $1.tensor) }
    default: (signature.inputs, signature.outputs) = (signature.outputs, signature.inputs)
    }
    model.signatures[index] = signature
  }
}
