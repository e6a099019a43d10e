import SwiftletSchema

/// A list of nodes in a form suited to the elimination of transposes.
struct TransposedGraph {
  /// A region of layout-agnostic nodes, with the values between and around them.
  struct Region {
    var nodes: [Int] = []
    var values: [ValueID] = []
  }

  /// The role of a node in the elimination.
  enum Part {
    case transpose(from: ValueID, to: ValueID, permutation: [Int])
    /// A layout-agnostic node: its first `inputs` inputs and its output can have their axes permuted. Single-element
    /// inputs are exempt.
    case inner(inputs: Int)
    case other
  }

  let nodes: [Node]
  let table: ValueTable
  let kept: BitSet
  let parts: [Part]
  let producers: ValueMap<Int>
  /// The nodes that read each value.
  let readers: [[Int]]
  /// The pending changes of the regions.
  private var edit: ReorderedNodes
  /// The transposes that a region has already changed.
  private var changed: BitSet

  init(_ nodes: [Node], _ table: ValueTable, _ kept: BitSet) throws {
    self.nodes = nodes
    self.table = table
    self.kept = kept
    parts = try nodes.map { try Self.part($0, table) }
    var producers = ValueMap<Int>()
    var readers = Array(repeating: [Int](), count: table.specs.count)
    for (index, node) in nodes.enumerated() {
      for output in node.outputs { producers[output] = index }
      for case let input? in node.inputs where readers[input].last != index { readers[input].append(index) }
    }
    self.producers = producers
    self.readers = readers
    edit = ReorderedNodes(nodes)
    changed = BitSet(count: nodes.count)
  }

  /// A transpose that new ones are copied from and named after.
  private var transpose: (node: Node, operation: any TransposeLikeOperator)? {
    for node in nodes { if case .transpose(let operation) = node.operation.layoutBehavior { return (node, operation) } }
    return nil
  }

  /// The nodes with the current changes of all regions.
  var result: [Node] { edit.nodes }

  private static func part(_ node: Node, _ table: ValueTable) throws -> Part {
    guard node.outputs.count == 1, node.replacedInputs.allSatisfy({ $0 == nil }),
      node.inputs.allSatisfy({ $0.map { table.variables[$0] == nil && table.resources[$0] == nil } ?? true })
    else { return .other }
    let view = NodeView(node: node, values: table), output = node.outputs[0]
    switch node.operation.layoutBehavior {
    case .fixed: return .other
    case .transpose(let transpose):
      guard let input = node.inputs.first ?? nil, hasPlainAxes(input, table), hasPlainAxes(output, table),
        isSameKind(input, output, table), let permutation = try transpose.permutation(view)
      else { return .other }
      return .transpose(from: input, to: output, permutation: permutation)
    case .elementwise: return isReorderable(node, node.inputs.count, table) ? .inner(inputs: node.inputs.count) : .other
    case .named(let operation):
      let count = operation.reorderableInputCount(view)
      return isReorderable(node, count, table) ? .inner(inputs: count) : .other
    }
  }

  /// Returns whether the first `count` inputs and the output have the same rank, except for single-element inputs.
  private static func isReorderable(_ node: Node, _ count: Int, _ table: ValueTable) -> Bool {
    let output = node.outputs[0], rank = table.specs[output].shape.rank
    guard rank > 1, hasPlainAxes(output, table), count <= node.inputs.count else { return false }
    return node.inputs.prefix(count).allSatisfy { input in
      guard let input, hasPlainAxes(input, table) else { return false }
      return table.specs[input].shape.rank == rank || table.specs[input].shape.elementCount == 1
    }
  }

  /// Returns whether the value's quantization doesn't refer to an axis.
  private static func hasPlainAxes(_ value: ValueID, _ table: ValueTable) -> Bool {
    (table.specs[value].quantization?.scales.count ?? 0) <= 1 && table.blocks[value] == nil
  }

  /// Returns whether elements have the same meaning in both values.
  private static func isSameKind(_ first: ValueID, _ second: ValueID, _ table: ValueTable) -> Bool {
    let specs = (table.specs[first], table.specs[second])
    return specs.0.elementType == specs.1.elementType && specs.0.quantization == specs.1.quantization
  }

  /// Returns the values that node `index` shares with its region.
  func sharedValues(_ index: Int) -> [ValueID] {
    guard case .inner(let count) = parts[index] else { return [] }
    let rank = table.specs[nodes[index].outputs[0]].shape.rank
    let inputs = nodes[index].inputs.prefix(count).compactMap { $0 }
    return inputs.filter { table.specs[$0].shape.rank == rank && table.specs[$0].shape.elementCount != 1 }
      + nodes[index].outputs
  }

  /// Returns the regions next to a transpose, in the order of their first nodes.
  func regions() -> [Region] {
    var found: [Region] = []
    var seen = BitSet(count: nodes.count), seenValues = BitSet(count: table.specs.count)
    for (index, part) in parts.enumerated() {
      guard case .transpose(let input, let output, _) = part else { continue }
      let beginnings = readers[output] + (producers[input].map { [$0] } ?? [])
      for beginning in beginnings + (readers[input].filter { $0 != index }) {
        guard case .inner = parts[beginning], !seen.contains(beginning) else { continue }
        var region = Region()
        var open = [beginning]
        seen.insert(beginning)
        while let node = open.popLast() {
          region.nodes.append(node)
          for value in sharedValues(node) where !seenValues.contains(value) {
            seenValues.insert(value)
            region.values.append(value)
            for neighbor in readers[value] + (producers[value].map { [$0] } ?? []) where !seen.contains(neighbor) {
              guard sharedValues(neighbor).contains(value) else { continue }
              seen.insert(neighbor)
              open.append(neighbor)
            }
          }
        }
        found.append(region)
      }
    }
    return found
  }

  /// Permutes the axes of a region's values if that eliminates transposes. Returns whether it does.
  mutating func reorder(_ region: Region) throws -> Bool {
    let inside = BitSet(region.nodes)
    var transposes = region.values.flatMap { readers[$0] }
    transposes += region.values.compactMap { producers[$0] }
    transposes.removeAll { if case .transpose = parts[$0] { false } else { true } }
    // If a transpose is both before and after the region, both of its ends would have to change at once.
    guard Set(transposes).count == transposes.count, !transposes.contains(where: changed.contains) else {
      return false
    }
    var best: (gain: Int, order: [Int])?
    for order in Set(transposes.map { orders($0, region.values) }).sorted(by: { $0.lexicographicallyPrecedes($1) })
      .prefix(4)
    {
      let gain = gain(of: order, region.values, inside)
      if gain > (best?.gain ?? 0) { best = (gain, order) }
    }
    guard let best, let pattern = transpose else { return false }
    for index in transposes { changed.insert(index) }
    let reordering = Reordering(
      graph: self, order: best.order, inside: inside, newValues: newValues(region, best.order), pattern: pattern)
    try reordering.apply(to: region, &edit)
    return true
  }

  /// Returns the order that eliminates the transpose: axis `i` of the model's values is axis `order[i]` of the new
  /// values.
  private func orders(_ index: Int, _ values: [ValueID]) -> [Int] {
    guard case .transpose(_, let output, let permutation) = parts[index] else { return [] }
    return values.contains(output) ? permutation : permutation.inverted
  }

  /// Returns the number of element moves saved by this order of the values.
  private func gain(of order: [Int], _ values: [ValueID], _ inside: BitSet) -> Int {
    values.reduce(0) { gain, value in
      let count = table.specs[value].shape.elementCount
      var gain = gain
      let isReadOutside = isReadOutside(value, inside)
      if let producer = producers[value], case .transpose(_, _, let permutation) = parts[producer] {
        // If others read the value, its transpose stays, and a different order adds another transpose.
        if isReadOutside { gain -= permutation == order ? 0 : count } else { gain += permutation == order ? count : 0 }
      } else if producers[value].map({ !inside.contains($0) }) ?? true {
        gain -= count
      } else if isReadOutside {
        gain -= count
      }
      let undone = undone(behind: value, order)
      gain += undone.filter { !kept.contains($0) }.count * count
      if direct(value, order) != nil { gain += count }
      return gain
    }
  }

  /// Returns the replacement of each value in a region: the input of its transpose, or a new value.
  private func newValues(_ region: Region, _ order: [Int]) -> ValueMap<ValueID> {
    var values = ValueMap<ValueID>()
    let inverse = order.inverted
    for value in region.values {
      if let producer = producers[value], case .transpose(let input, _, order) = parts[producer] {
        values[value] = input
      } else if let output = direct(value, order) {
        values[value] = output
      } else {
        var spec = table.specs[value]
        let shape = spec.shape
        spec.shape = Shape(inverse.map { shape[$0] })
        spec.shapeSignature = nil
        values[value] = table.specs.count
        table.specs.append(spec)
      }
    }
    return values
  }

  /// Returns the outputs of the transposes of a value that undo the order.
  private func undone(behind value: ValueID, _ order: [Int]) -> [ValueID] {
    readers[value].compactMap { reader in
      guard case .transpose(_, let output, let permutation) = parts[reader],
        permutation.map({ order[$0] }) == Array(order.indices)
      else { return nil }
      return output
    }
  }

  /// Returns the kept value that the producer of a value can write directly, because a transpose after it undoes the
  /// order.
  private func direct(_ value: ValueID, _ order: [Int]) -> ValueID? {
    guard let producer = producers[value], case .inner = parts[producer] else { return nil }
    return undone(behind: value, order).first(where: kept.contains)
  }

  /// Returns whether anything except the region and transposes reads the value.
  func isReadOutside(_ value: ValueID, _ inside: BitSet) -> Bool {
    kept.contains(value)
      || readers[value].contains { reader in
        if inside.contains(reader) { return !sharedValues(reader).contains(value) }
        if case .transpose = parts[reader] { return false }
        return true
      }
  }
}

extension [Int] {
  /// The inverse permutation.
  var inverted: [Int] {
    var result = self
    for (index, axis) in enumerated() { result[axis] = index }
    return result
  }
}

/// Eliminates transposes around layout-agnostic nodes.
///
/// Models converted from channels-first frameworks have a transpose before and after every convolution. The
/// activations, arithmetic, padding, and concatenations between two transposes also work on the input of the first
/// transpose. Then the second transpose is redundant, and convolutions can fuse the adjacent padding and activations.
/// Values stay bit-exact, in another layout.
enum TransposeElimination {
  /// The maximum number of rounds. Each round processes one region of a chain; a model has two or three in a row.
  private static let maximumRounds = 8

  /// The maximum number of node inputs in a graph, because the work grows with its square. Neural networks have some
  /// thousand.
  private static let maximumInputs = 1 << 13

  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) throws {
    guard nodes.reduce(0, { $0 + $1.inputs.count }) <= maximumInputs else { return }
    for _ in 0..<maximumRounds {
      guard nodes.contains(where: { if case .transpose = $0.operation.layoutBehavior { true } else { false } }) else {
        return
      }
      var graph = try TransposedGraph(nodes, table, kept)
      var isChanged = false
      for region in graph.regions() where try graph.reorder(region) { isChanged = true }
      guard isChanged else { return }
      nodes = graph.result
      DeadCodeElimination.run(&nodes, table, kept)
    }
  }
}
