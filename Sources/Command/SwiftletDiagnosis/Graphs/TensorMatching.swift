import SwiftletEngine
import SwiftletSchema

/// The tensors and operators of a reference that correspond to those of a quantized model.
///
/// Both graphs are followed from their inputs: an operator corresponds to an operator of the same kind that reads
/// corresponding tensors. Among several, names, shapes, and the order of the operators decide (`OperatorAlignment`). If
/// a converter fused an activation or a normalization into an operator, the tensor after the fused operators counts.
struct TensorMatching: Sendable {
  /// The reference's tensor for each tensor; `nil` for none. Conversions of the type have the tensor of their input.
  private(set) var references: [Int?]
  /// The reference's operator for each operator.
  private(set) var operators: [Int?]

  private let ours: GraphFacts
  private let theirs: GraphFacts
  private var isTaken: [Bool]

  init(_ ours: GraphFacts, _ theirs: GraphFacts) {
    self.ours = ours
    self.theirs = theirs
    references = [Int?](repeating: nil, count: ours.graph.tensors.count)
    operators = [Int?](repeating: nil, count: ours.graph.operators.count)
    isTaken = [Bool](repeating: false, count: theirs.graph.operators.count)
    for (tensor, reference) in ends(ours.graph.inputs, theirs.graph.inputs) { references[tensor] = reference }
    let aligned = aligned()
    for operation in ours.graph.operators.indices {
      if ours.isConversion(operation) {
        if let input = ours.input(operation, 0), let output = ours.graph.operators[operation].outputs.first {
          references[output] = references[input]
        }
      } else {
        match(operation, aligned[operation])
      }
    }
    for (tensor, reference) in ends(ours.graph.outputs, theirs.graph.outputs) where references[tensor] == nil {
      references[tensor] = reference
    }
  }

  /// The operators of the reference at the same place in the order of both graphs.
  private func aligned() -> [Int?] {
    var aligned = [Int?](repeating: nil, count: ours.graph.operators.count)
    let places = ours.graph.operators.indices.filter { !ours.isConversion($0) }
    let otherPlaces = theirs.graph.operators.indices.filter { !theirs.isConversion($0) }
    for pair in OperatorAlignment.pairs(ours.graph, places, theirs.graph, otherPlaces) {
      aligned[pair.first] = pair.second
    }
    return aligned
  }

  /// The inputs or outputs of both graphs, by name if all names are known, otherwise by position.
  private func ends(_ first: [Int], _ second: [Int]) -> [(Int, Int)] {
    let byName = first.map { tensor in
      second.filter { theirs.graph.tensors[$0].name == ours.graph.tensors[tensor].name }
    }
    let pairs =
      byName.allSatisfy { $0.count == 1 }
      ? zip(first, byName.map { $0[0] }).map { ($0, $1) } : Array(zip(first, second))
    return pairs.map { ($0, theirs.root(of: $1)) }.filter { isSame($0, $1) }
  }

  private func isSame(_ tensor: Int, _ other: Int) -> Bool {
    ours.graph.tensors[tensor].shape == theirs.graph.tensors[other].shape && ours.isComputed(tensor)
      && theirs.isComputed(other)
  }

  // MARK: Operators

  private mutating func match(_ operation: Int, _ aligned: Int?) {
    let inputs = ours.computedInputs(operation)
    let known = inputs.map { references[$0] }
    var best: (operation: Int, score: Int)?
    for other in candidates(known, aligned) where !isTaken[other] {
      guard ours.graph.operators[operation].code.kind == theirs.graph.operators[other].code.kind else { continue }
      let others = theirs.computedInputs(other).map { theirs.root(of: $0) }
      var score = other == aligned ? 3 : 0
      for (position, reference) in known.enumerated() {
        guard let reference else { continue }
        if others.indices.contains(position), others[position] == reference {
          score += 8
        } else if others.contains(reference) {
          score += 7
        } else if others.contains(where: { folded($0).contains(reference) }) {
          score += 5
        }
      }
      score += similarity(operation, other)
      if score >= 3, score > best?.score ?? 0 { best = (other, score) }
    }
    guard let other = best?.operation else { return }
    operators[operation] = other
    isTaken[other] = true
    correctInputs(inputs, other)
    for (tensor, reference) in zip(ours.graph.operators[operation].outputs, theirs.graph.operators[other].outputs) {
      let reference = afterActivation(reference, of: operation, other)
      if isSame(tensor, reference) { references[tensor] = reference }
    }
  }

  /// The operators that read known tensors, directly or after operators that converters fold, and the aligned one.
  private func candidates(_ known: [Int?], _ aligned: Int?) -> [Int] {
    var seen: Set<Int> = []
    var found: [Int] = []
    func add(_ operation: Int) { if seen.insert(operation).inserted { found.append(operation) } }
    for tensor in known.compactMap(\.self) {
      var next = [tensor]
      var depth = 0
      while !next.isEmpty, depth < Self.maximumFolded {
        let readers = next.flatMap { theirs.consumers[$0] }
        for reader in readers { add(reader) }
        next = readers.filter { isFoldable($0) || theirs.isConversion($0) }.flatMap {
          theirs.graph.operators[$0].outputs
        }
        depth += 1
      }
    }
    if let aligned { add(aligned) }
    return found
  }

  private static let maximumFolded = 5

  /// Whether converters fold an operator into the one before it: a normalization or an activation.
  private func isFoldable(_ operation: Int) -> Bool {
    switch theirs.kind(operation) {
    case .relu, .relu6, .reluN1To1: true
    case .mul, .add, .sub, .div: theirs.computedInputs(operation).count == 1
    default: false
    }
  }

  /// Returns the tensors before a tensor that converters would fold into one with it.
  private func folded(_ tensor: Int) -> [Int] {
    var tensors: [Int] = []
    var tensor = tensor
    while tensors.count < Self.maximumFolded, let producer = theirs.producers[tensor], isFoldable(producer),
      let input = theirs.computedInputs(producer).first
    {
      tensor = theirs.root(of: input)
      tensors.append(tensor)
    }
    return tensors
  }

  /// Moves the references of inputs behind folded operators to the tensors that the operator of the reference reads.
  private mutating func correctInputs(_ inputs: [Int], _ other: Int) {
    for reference in theirs.computedInputs(other).map({ theirs.root(of: $0) }) {
      for input in inputs {
        guard let known = references[input], known != reference, folded(reference).contains(known),
          isSame(input, reference), !inputs.contains(where: { references[$0] == reference })
        else { continue }
        let root = ours.root(of: input)
        for tensor in ours.graph.tensors.indices where references[tensor] == known && ours.root(of: tensor) == root {
          references[tensor] = reference
        }
      }
    }
  }

  private func afterActivation(_ reference: Int, of operation: Int, _ other: Int) -> Int {
    let activation = ours.activation(operation)
    guard activation != .none, theirs.activation(other) == .none, theirs.consumers[reference].count == 1,
      let next = theirs.consumers[reference].first, theirs.activation(next) == activation, isFoldable(next),
      let output = theirs.graph.operators[next].outputs.first
    else { return reference }
    return output
  }

  /// Returns how alike the results of two operators are by name and shape, from 0 to 6.
  private func similarity(_ operation: Int, _ other: Int) -> Int {
    guard let output = ours.graph.operators[operation].outputs.first,
      let reference = theirs.graph.operators[other].outputs.first
    else { return 0 }
    let (name, otherName) = (ours.graph.tensors[output].name, theirs.graph.tensors[reference].name)
    let hasShape = ours.graph.tensors[output].shape == theirs.graph.tensors[reference].shape
    return (hasShape ? 1 : 0) + (name.isEmpty ? 0 : name == otherName ? 5 : Self.sharePart(name, otherName) ? 3 : 0)
  }

  /// Whether two names share a part: converters join the names of fused operators with semicolons.
  private static func sharePart(_ name: String, _ other: String) -> Bool {
    let parts = name.split(separator: ";").prefix(16)
    return other.split(separator: ";").prefix(16).contains { parts.contains($0) }
  }
}
