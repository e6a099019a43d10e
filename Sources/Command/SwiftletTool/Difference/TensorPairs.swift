import SwiftletSchema

/// Which tensors of two subgraphs belong together.
struct TensorPairs {
  /// By tensor of the first graph, that of the second.
  private(set) var second: [Int?]
  /// By tensor of the second graph, that of the first.
  private(set) var first: [Int?]

  /// Inputs and outputs of the graphs belong together by name, then by place; other tensors when operators that belong
  /// together make them, then when these read them at the same place, then by a name that no other of the rest has.
  ///
  /// - Complexity: linear in the size of both graphs.
  init(_ ours: Subgraph, _ theirs: Subgraph, _ operators: [SequenceAlignment.Pair]) {
    second = [Int?](repeating: nil, count: ours.tensors.count)
    first = [Int?](repeating: nil, count: theirs.tensors.count)
    for (tensors, others) in [(ours.inputs, theirs.inputs), (ours.outputs, theirs.outputs)] {
      joinByName(ours, tensors, theirs, others)
      join(tensors, others)
    }
    for pair in operators { join(ours.operators[pair.first].outputs, theirs.operators[pair.second].outputs) }
    for pair in operators { join(ours.operators[pair.first].inputs, theirs.operators[pair.second].inputs) }
    joinByName(ours, Array(ours.tensors.indices), theirs, Array(theirs.tensors.indices))
  }

  private mutating func join(_ tensor: Int?, _ other: Int?) {
    guard let tensor, let other, second[tensor] == nil, first[other] == nil else { return }
    second[tensor] = other
    first[other] = tensor
  }

  private mutating func join(_ tensors: [Int?], _ others: [Int?]) {
    for (tensor, other) in zip(tensors, others) { join(tensor, other) }
  }

  private mutating func joinByName(_ ours: Subgraph, _ tensors: [Int], _ theirs: Subgraph, _ others: [Int]) {
    let left = Dictionary(grouping: tensors.filter { second[$0] == nil }) { ours.tensors[$0].name }
    let right = Dictionary(grouping: others.filter { first[$0] == nil }) { theirs.tensors[$0].name }
    for (name, places) in left where places.count == 1 {
      guard let same = right[name], same.count == 1 else { continue }
      join(places[0], same[0])
    }
  }
}
