import SwiftletEngine
import SwiftletSchema

/// The tensors and operators of a reference that correspond to those of a quantized model.
///
/// Operators are aligned by name, options, shapes, and order (`OperatorAlignment`). Tensors follow from them: outputs
/// from their producers, and inputs from their consumers. If a converter fused an activation or a normalization into an
/// operator, the consumers decide, so that the tensor after the fused operators counts.
struct TensorMatching: Sendable {
  /// The reference's tensor for each tensor; `nil` for none. Conversions of the type have the tensor of their input.
  private(set) var references: [Int?]
  /// The reference's operator for each operator.
  private(set) var operators: [Int?]

  init(_ ours: GraphFacts, _ theirs: GraphFacts) {
    references = [Int?](repeating: nil, count: ours.graph.tensors.count)
    operators = [Int?](repeating: nil, count: ours.graph.operators.count)
    let places = ours.graph.operators.indices.filter { !ours.isConversion($0) }
    let otherPlaces = theirs.graph.operators.indices.filter { !theirs.isConversion($0) }
    for pair in OperatorAlignment.pairs(ours.graph, places, theirs.graph, otherPlaces) {
      operators[pair.first] = pair.second
    }
    var ballots = Ballots()
    for (ours, theirs) in Self.ends(ours, theirs) { ballots.vote(ours, theirs, weight: 4) }
    for (operation, other) in operators.enumerated() {
      guard let other else { continue }
      Self.vote(on: operation, ours, for: other, theirs, &ballots)
    }
    Self.voteByName(ours, theirs, &ballots)
    for (tensor, reference) in ballots.elected(order: theirs) { references[tensor] = reference }
    for tensor in ours.graph.tensors.indices where ours.root(of: tensor) != tensor {
      references[tensor] = references[ours.root(of: tensor)]
    }
  }

  /// The inputs and outputs of both graphs, by name if all names are known, otherwise by position.
  private static func ends(_ ours: GraphFacts, _ theirs: GraphFacts) -> [(Int, Int)] {
    func pairs(_ first: [Int], _ second: [Int]) -> [(Int, Int)] {
      let byName = first.map { tensor in
        second.filter { theirs.graph.tensors[$0].name == ours.graph.tensors[tensor].name }
      }
      let pairs =
        byName.allSatisfy { $0.count == 1 } ? zip(first, byName.map { $0[0] }).map { ($0, $1) } : Array(zip(first, second))
      return pairs.map { (ours.root(of: $0), theirs.root(of: $1)) }.filter { isSame($0, ours, $1, theirs) }
    }
    return pairs(ours.graph.inputs, theirs.graph.inputs) + pairs(ours.graph.outputs, theirs.graph.outputs)
  }

  private static func isSame(_ tensor: Int, _ ours: GraphFacts, _ other: Int, _ theirs: GraphFacts) -> Bool {
    ours.graph.tensors[tensor].shape == theirs.graph.tensors[other].shape && ours.isComputed(tensor)
      && theirs.isComputed(other)
  }

  private static func vote(
    on operation: Int, _ ours: GraphFacts, for other: Int, _ theirs: GraphFacts, _ ballots: inout Ballots
  ) {
    let isFusedHere = ours.activation(operation) != .none && theirs.activation(other) == .none
    for (tensor, reference) in zip(ours.graph.operators[operation].outputs, theirs.graph.operators[other].outputs) {
      var reference = reference
      if isFusedHere, theirs.consumers[reference].count == 1, let next = theirs.consumers[reference].first,
        theirs.activation(next) == ours.activation(operation), let output = theirs.graph.operators[next].outputs.first
      {
        reference = output
      }
      if isSame(tensor, ours, reference, theirs) { ballots.vote(tensor, reference, weight: 2) }
    }
    let inputs = (ours.computedInputs(operation), theirs.computedInputs(other))
    // The order of the inputs of a commutative operator says nothing.
    let isCommutative = [.add, .mul, .maximum, .minimum].contains(ours.kind(operation))
    guard inputs.0.count == inputs.1.count, !isCommutative || inputs.0.count == 1 else { return }
    for (tensor, reference) in zip(inputs.0, inputs.1) {
      let (tensor, reference) = (ours.root(of: tensor), theirs.root(of: reference))
      if isSame(tensor, ours, reference, theirs) { ballots.vote(tensor, reference, weight: 2) }
    }
  }

  private static func voteByName(_ ours: GraphFacts, _ theirs: GraphFacts, _ ballots: inout Ballots) {
    var named: [String: [Int]] = [:]
    for (index, tensor) in theirs.graph.tensors.enumerated() where theirs.isComputed(index) {
      named[tensor.name, default: []].append(index)
    }
    for (index, tensor) in ours.graph.tensors.enumerated() where ours.root(of: index) == index && !tensor.name.isEmpty {
      guard let same = named[tensor.name], same.count == 1 else { continue }
      let reference = theirs.root(of: same[0])
      if isSame(index, ours, reference, theirs) { ballots.vote(index, reference, weight: 1) }
    }
  }
}

/// The votes for the reference of each tensor.
private struct Ballots {
  private var votes: [Int: [Int: Int]] = [:]

  mutating func vote(_ tensor: Int, _ reference: Int, weight: Int) {
    votes[tensor, default: [:]][reference, default: 0] += weight
  }

  /// Returns the reference with the most votes for each tensor, and the one computed last among equals. A reference
  /// goes to the tensor that has the most votes for it, and to the last among equals.
  func elected(order theirs: GraphFacts) -> [(Int, Int)] {
    var best: [Int: (tensor: Int, votes: Int)] = [:]
    for (tensor, candidates) in votes.sorted(by: { $0.key < $1.key }) {
      let winner = candidates.max {
        ($0.value, theirs.producers[$0.key] ?? -1) < ($1.value, theirs.producers[$1.key] ?? -1)
      }
      guard let winner else { continue }
      if let other = best[winner.key], other.votes > winner.value { continue }
      best[winner.key] = (tensor, winner.value)
    }
    return best.map { ($0.value.tensor, $0.key) }
  }
}
