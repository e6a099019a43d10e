import SwiftletSchema
import SwiftletTestSupport

extension ModelMutator {
  /// Changes a tensor's type, shape, or shape signature.
  mutating func changeTensor(_ model: inout FuzzModel) {
    withTensor(&model) { mutator, tensor in
      switch mutator.random.below(10) {
      case 0...2:
        tensor.type = Int8(mutator.random.oneIn(10) ? mutator.random.within(-1...24) : mutator.random.within(0...22))
      case 3: tensor.type = mutator.random.one(0, 2, 9, 3, 4, 1, 6, 7)
      case 4: tensor.shapeSignature = tensor.shape.map { $0.map { _ in -1 } }
      case 5:
        tensor.shapeSignature =
          mutator.random.oneIn(4)
          ? nil : (tensor.shapeSignature ?? tensor.shape)?.mutatedElements(&mutator.random) { $0.hostile(near: $1) }
      case 6:
        tensor.hasRank.toggle()
        if mutator.random.oneIn(3) { tensor.shape = mutator.random.oneIn(2) ? nil : [] }
      default: tensor.shape = mutator.changed(tensor.shape ?? [])
      }
    }
  }

  private mutating func changed(_ shape: [Int32]) -> [Int32] {
    guard !shape.isEmpty, random.below(8) > 0 else {
      return (0..<random.below(5)).map { _ in random.oneIn(6) ? random.hostile() : Int32(random.within(0...5)) }
    }
    return shape.mutatedElements(&random) { random, size in
      random.oneIn(4)
        ? random.hostile(near: size) : random.one(0, 1, 2, 3, size &+ 1, size &- 1, size &* 2, size / 2, 7, 17, 64)
    }
  }

  /// Swaps the shapes, the types, or everything between two tensors.
  mutating func swapShapes(_ model: inout FuzzModel) {
    withGraph(&model) { mutator, graph in
      let first = mutator.random.below(graph.tensors.count), second = mutator.random.below(graph.tensors.count)
      guard first != second else { return }
      switch mutator.random.below(3) {
      case 0:
        (graph.tensors[first].shape, graph.tensors[second].shape) = (
          graph.tensors[second].shape, graph.tensors[first].shape
        )
      case 1:
        (graph.tensors[first].type, graph.tensors[second].type) = (
          graph.tensors[second].type, graph.tensors[first].type
        )
      default: graph.tensors.swapAt(first, second)
      }
    }
  }

  // MARK: Quantization and sparsity

  mutating func changeQuantization(_ model: inout FuzzModel) {
    withTensor(&model) { mutator, tensor in
      guard var table = tensor.quantization, mutator.random.below(8) > 0 else {
        let count = mutator.random.oneIn(2) ? 1 : Int(tensor.shape?.first ?? 1).clamped(to: 0...64)
        tensor.quantization = [
          2: .floats((0..<count).map { _ in mutator.random.one(0.5, 0.007_812_5, 1) }),
          3: .longs([Int64](repeating: 0, count: count)),
        ]
        return
      }
      switch mutator.random.below(8) {
      case 0: tensor.quantization = nil
      case 1: table[2] = .floats([mutator.random.hostileFloat(near: 0.1)])
      case 2: table[3] = .longs([mutator.random.hostileLong()])
      case 3: table[6] = .int(Int32(mutator.random.within(-1...5)))
      case 4:
        // Blockwise, with scales in another tensor.
        table[4] = .byte(mutator.random.one(2, 3))
        table[5] = .table([
          0: .int(Int32(mutator.random.within(-1...8))), 1: .int(mutator.random.one(-1, 0, 1, 2)),
          2: .int(mutator.random.hostile(near: 32)),
          3: .ints([0]),
        ])
      default: table = table.mutated(by: .quantization, &mutator.random)
      }
      if tensor.quantization != nil { tensor.quantization = table }
    }
  }

  mutating func changeSparsity(_ model: inout FuzzModel) {
    withTensor(&model) { mutator, tensor in
      if let table = tensor.sparsity {
        tensor.sparsity = mutator.random.oneIn(12) ? nil : table.mutated(by: .sparsity, &mutator.random)
        return
      }
      tensor.sparsity = mutator.sparsity(tensor.shape ?? [])
    }
  }

  /// Returns sparsity with one value stored in every row of the last dimension.
  private mutating func sparsity(_ shape: [Int32]) -> [Int: FlatValue] {
    let rows = shape.dropLast().reduce(1) { ($0 &* Int($1)).clamped(to: 0...256) }
    var dimensions: [[Int: FlatValue]] = shape.dropLast().map { [0: .byte(0), 1: .int($0)] }
    let column = random.oneIn(4) ? random.hostile() : 0
    dimensions.append([
      0: .byte(1), 2: .byte(1), 3: .table([0: .ints((0...rows).map(Int32.init))]), 4: .byte(1),
      5: .table([0: .ints([Int32](repeating: column, count: rows))]),
    ])
    return [0: .ints(shape.indices.map(Int32.init)), 1: .ints([]), 2: .tables(dimensions)]
  }

  // MARK: Buffers

  mutating func changeBuffer(_ model: inout FuzzModel) {
    let index = random.below(model.buffers.count)
    guard model.buffers.indices.contains(index) else { return }
    var bytes = model.buffers[index] ?? []
    switch random.below(9) {
    case 0: model.buffers[index] = nil
    case 1: model.buffers[index] = []
    case 2: model.buffers[index] = Array(bytes.prefix(random.below(bytes.count + 1)))
    case 3: model.buffers[index] = bytes + random.bytes(random.one(1, 4, 8, 64))
    case 4: model.buffers[index] = random.pick(model.buffers) ?? nil
    default:
      // Shapes, indices, and bounds are small constants.
      guard bytes.count >= 4 else { return }
      for _ in 0..<random.one(1, 1, 2, 4) {
        let at = random.below(bytes.count / 4) * 4
        let old = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[at + $1]) << (8 * $1) }
        let new =
          random.oneIn(3)
          ? random.hostileFloat(near: Float(bitPattern: old)).bitPattern
          : UInt32(bitPattern: random.hostile(near: Int32(bitPattern: old)))
        for place in 0..<4 { bytes[at + place] = UInt8(truncatingIfNeeded: new >> UInt32(8 * place)) }
      }
      model.buffers[index] = bytes
    }
  }
}

extension Int {
  fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
