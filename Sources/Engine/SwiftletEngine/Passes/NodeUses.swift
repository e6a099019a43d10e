/// Who gives and who reads each value of a list of nodes.
struct NodeUses {
  /// How often nodes read a value.
  private(set) var readers: [Int]
  /// The position of the node that gives a value; `nil` where none does.
  var producers: ValueMap<Int>

  init(_ nodes: [Node], valueCount: Int) {
    readers = Array(repeating: 0, count: valueCount)
    producers = ValueMap()
    for (index, node) in nodes.enumerated() {
      for case let input? in node.inputs { readers[input] += 1 }
      for output in node.outputs { producers[output] = index }
    }
  }
}

extension [Node] {
  /// Removes the nodes at `positions`.
  mutating func remove(at positions: BitSet) {
    var index = -1
    removeAll { _ in
      index += 1
      return positions.contains(index)
    }
  }
}
