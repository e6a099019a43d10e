import SwiftletSchema
import SwiftletTestSupport

extension ModelMutator {
  /// Changes a field of an operator's options, or replaces them with the table of another operator.
  mutating func changeOptions(_ model: inout FuzzModel) {
    withOperator(&model) { mutator, operation, _ in
      switch mutator.random.below(10) {
      case 0:
        let tag =
          mutator.random.oneIn(2)
          ? mutator.random.within(0...127) : OptionsTable.secondUnionBase + mutator.random.within(0...24)
        operation.options = WrittenOptions(rawTag: tag, rawFields: [:])
      case 1: operation.options.fields = [:]
      case 2...3 where !operation.customOptions.isEmpty:
        operation.customOptions = operation.customOptions.mutatedElements(&mutator.random) {
          UInt8(truncatingIfNeeded: $0.hostile(near: Int32($1)))
        }
      default:
        let options = operation.options
        operation.options.fields = options.fields.mutated(by: .options(tag: options.tag), &mutator.random)
      }
    }
  }

  /// Changes an operator's kind, version, or position.
  mutating func changeOperator(_ model: inout FuzzModel) {
    let codes = model.codes.count
    switch random.below(10) {
    case 0 where codes > 0:
      let index = random.below(codes)
      model.codes[index].version = Int32(random.oneIn(4) ? random.hostile() : Int32(random.within(0...13)))
    case 1 where codes > 0: model.codes[random.below(codes)].builtin = Int32(random.within(-1...210))
    case 2...3:
      let code = model.number(
        of: .init(builtin: random.pick(BuiltinOperator.allCases)?.rawValue ?? 0, version: Int32(random.within(1...5))))
      withOperator(&model) { _, operation, _ in operation.code = code }
    case 4:
      withOperator(&model) { mutator, operation, _ in
        operation.code = UInt32(mutator.random.below(mutator.random.oneIn(12) ? codes + 1 : codes))
      }
    case 5:
      withGraph(&model) { mutator, graph in
        guard let operation = mutator.random.pick(graph.operators) else { return }
        graph.operators.insert(operation, at: mutator.random.below(graph.operators.count + 1))
      }
    case 6:
      withGraph(&model) { mutator, graph in
        guard !graph.operators.isEmpty else { return }
        graph.operators.remove(at: mutator.random.below(graph.operators.count))
      }
    case 7: repeatOperator(&model)
    default:
      withGraph(&model) { mutator, graph in
        guard graph.operators.count > 1 else { return }
        graph.operators.swapAt(mutator.random.below(graph.operators.count), mutator.random.below(graph.operators.count))
      }
    }
  }

  /// Repeats an operator after itself, on its own output: shapes grow, and state is written twice.
  private mutating func repeatOperator(_ model: inout FuzzModel) {
    withGraph(&model) { mutator, graph in
      guard let position = mutator.random.pick(Array(graph.operators.indices)), graph.tensors.count < 4096 else {
        return
      }
      var again = graph.operators[position]
      guard let old = again.outputs.first, let tensor = graph.tensor(old), !again.inputs.isEmpty else { return }
      again.inputs[mutator.random.oneIn(2) ? 0 : mutator.random.below(again.inputs.count)] = old
      again.outputs[0] = Int32(graph.tensors.count)
      graph.tensors.append(tensor)
      graph.operators.insert(again, at: position + 1)
      graph.outputs = graph.outputs.map { $0 == old && mutator.random.oneIn(2) ? again.outputs[0] : $0 }
    }
  }

  // MARK: Other models

  /// Copies an operator from another model with its tensors and constants, connected to existing tensors.
  package mutating func splice(_ model: inout FuzzModel) {
    guard let donor, let source = random.pick(donor.graphs), let operation = random.pick(source.operators),
      let code = donor.code(operation)
    else {
      return
    }
    if random.oneIn(6), model.graphs.count < 24 {
      append(source, of: donor, to: &model)
      return
    }
    let number = random.below(model.graphs.count)
    guard model.graphs[number].tensors.count < 4096 else { return }
    var graph = model.graphs[number]
    var copy = operation
    copy.code = model.number(of: code)
    func add(_ index: Int32) -> Int32 {
      guard var tensor = source.tensor(index) else { return index }
      tensor.buffer = Self.copy(tensor.buffer, of: donor, to: &model)
      graph.tensors.append(tensor)
      return Int32(graph.tensors.count - 1)
    }
    let known = graph.tensors.count
    copy.inputs = operation.inputs.map { index in
      let isConstant = source.tensor(index).map { $0.buffer != 0 } ?? false
      guard !isConstant, known > 0, random.below(4) > 0 else { return add(index) }
      return Int32(random.below(known))
    }
    copy.outputs = operation.outputs.map(add)
    copy.intermediates = operation.intermediates.map { $0 < 0 ? $0 : add($0) }
    graph.operators.insert(copy, at: random.oneIn(2) ? graph.operators.count : random.below(graph.operators.count + 1))
    if let output = copy.outputs.first { graph.outputs.append(output) }
    model.graphs[number] = graph
  }

  private func append(_ graph: FuzzModel.Graph, of donor: FuzzModel, to model: inout FuzzModel) {
    var graph = graph
    for index in graph.tensors.indices {
      graph.tensors[index].buffer = Self.copy(graph.tensors[index].buffer, of: donor, to: &model)
    }
    for index in graph.operators.indices {
      if let code = donor.code(graph.operators[index]) { graph.operators[index].code = model.number(of: code) }
    }
    model.graphs.append(graph)
  }

  private static func copy(_ buffer: UInt32, of donor: FuzzModel, to model: inout FuzzModel) -> UInt32 {
    guard buffer != 0, donor.buffers.indices.contains(Int(buffer)), let bytes = donor.buffers[Int(buffer)],
      bytes.count < 1 << 16
    else { return 0 }
    model.buffers.append(bytes)
    return UInt32(model.buffers.count - 1)
  }
}
