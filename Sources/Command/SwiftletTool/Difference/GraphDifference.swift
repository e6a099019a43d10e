import SwiftletDiagnosis
import SwiftletJSON
import SwiftletSchema

/// The differences between two subgraphs with the same index.
struct GraphDifference {
  /// A step of the alignment of both graphs' operators.
  enum Step {
    /// A run of `count` equal operators that starts at these indices.
    case same(first: Int, second: Int, count: Int)
    case changed(first: Int, second: Int, [Change])
    case removed(Int)
    case added(Int)
  }

  /// A pair of tensors that differ in more than their name.
  struct TensorChange {
    var first: Int
    var second: Int
    var changes: [Change]
  }

  let index: Int
  /// The subgraph, or `nil` if a model has no such subgraph.
  let first: Subgraph?
  let second: Subgraph?
  private(set) var steps: [Step] = []
  /// The numbers of operators in each graph by name, if they differ.
  private(set) var kinds: [Change] = []
  /// The differences of inputs and outputs: their order, and differences within pairs.
  private(set) var ports: [Change] = []
  private(set) var tensors: [TensorChange] = []
  /// The tensors that only one model has.
  private(set) var onlyFirst: [Int] = []
  private(set) var onlySecond: [Int] = []
  /// The number of tensors that differ only in their name.
  private(set) var renamedCount = 0
  /// The constants whose values differ or cannot be compared.
  private(set) var constants: [ConstantDifference] = []
  /// The number of constants in both models.
  private(set) var comparedConstantCount = 0

  init(_ index: Int, _ first: Subgraph?, _ second: Subgraph?, _ comparison: inout ConstantComparison) {
    self.index = index
    self.first = first
    self.second = second
    let ours = first ?? Subgraph(tensors: [], inputs: [], outputs: [], operators: [])
    let theirs = second ?? Subgraph(tensors: [], inputs: [], outputs: [], operators: [])
    let operators = OperatorAlignment.pairs(ours, theirs)
    let pairs = TensorPairs(ours, theirs, operators)
    kinds = Change.list(Self.counts(ours), Self.counts(theirs))
    ports =
      Self.ports("input", ours, ours.inputs, theirs, theirs.inputs, pairs)
      + Self.ports("output", ours, ours.outputs, theirs, theirs.outputs, pairs)
    for (tensor, other) in pairs.second.enumerated() {
      guard let other else {
        onlyFirst.append(tensor)
        continue
      }
      let (one, two) = (ours.tensors[tensor], theirs.tensors[other])
      let changes = Self.changes(one, two)
      if !changes.isEmpty {
        tensors.append(TensorChange(first: tensor, second: other, changes: changes))
      } else if one.name != two.name {
        renamedCount += 1
      }
      guard one.data != nil, two.data != nil else { continue }
      comparedConstantCount += 1
      if let difference = comparison.difference(one, two) {
        constants.append(ConstantDifference(first: tensor, second: other, difference))
      }
    }
    onlySecond = theirs.tensors.indices.filter { pairs.first[$0] == nil }
    align(ours, theirs, operators, pairs)
  }

  /// Whether both models have the subgraph, and only names of tensors and of the graph differ.
  var isIdentical: Bool {
    (first == nil) == (second == nil) && changedCount == 0 && ports.isEmpty && tensors.isEmpty && onlyFirst.isEmpty
      && onlySecond.isEmpty && constants.isEmpty && renamedCount == 0 && first?.name == second?.name
  }

  var sameCount: Int {
    steps.reduce(0) { if case .same(_, _, let count) = $1 { $0 + count } else { $0 } }
  }

  /// The number of steps with a difference.
  var changedCount: Int {
    steps.reduce(0) { if case .same = $1 { $0 } else { $0 + 1 } }
  }

  private mutating func align(
    _ ours: Subgraph, _ theirs: Subgraph, _ operators: [SequenceAlignment.Pair], _ pairs: TensorPairs
  ) {
    var (next, other) = (0, 0)
    func rest(until first: Int, _ second: Int) -> [Step] {
      (next..<first).map(Step.removed) + (other..<second).map(Step.added)
    }
    for pair in operators {
      steps += rest(until: pair.first, pair.second)
      (next, other) = (pair.first + 1, pair.second + 1)
      let changes = Self.changes(ours, pair.first, theirs, pair.second, pairs)
      if !changes.isEmpty {
        steps.append(.changed(first: pair.first, second: pair.second, changes))
      } else if case .same(let first, let second, let count) = steps.last,
        first + count == pair.first, second + count == pair.second
      {
        steps[steps.count - 1] = .same(first: first, second: second, count: count + 1)
      } else {
        steps.append(.same(first: pair.first, second: pair.second, count: 1))
      }
    }
    steps += rest(until: ours.operators.count, theirs.operators.count)
  }

  private static func counts(_ graph: Subgraph) -> [(name: String, value: JSONValue)] {
    ModelReport.counted(graph.operators.map(\.code.kind.name)).map { (name: $0.item, value: .int($0.count)) }
  }

  private static func ports(
    _ word: String, _ ours: Subgraph, _ inputs: [Int], _ theirs: Subgraph, _ others: [Int], _ pairs: TensorPairs
  ) -> [Change] {
    (0..<max(inputs.count, others.count)).flatMap { place -> [Change] in
      let name = "\(word) \(place)"
      let tensor = inputs.indices.contains(place) ? inputs[place] : nil
      let other = others.indices.contains(place) ? others[place] : nil
      guard let tensor, let other, pairs.second[tensor] == other else {
        return [
          Change(
            name, tensor.map { portJSON(ours.tensors[$0]) } ?? .null,
            other.map { portJSON(theirs.tensors[$0]) } ?? .null)
        ].compactMap(\.self)
      }
      let (one, two) = (ours.tensors[tensor], theirs.tensors[other])
      let named = Change("\(name) name", .string(one.name), .string(two.name)).map { [$0] } ?? []
      return named + changes(one, two).compactMap { Change("\(name) \($0.what)", $0.first, $0.second) }
    }
  }

  private static func portJSON(_ tensor: TensorDescription) -> JSONValue {
    .string(
      "\(tensor.name) \(tensor.type.name)[\((tensor.shapeSignature ?? tensor.shape).map(String.init).joined(separator: ", "))]"
    )
  }

  /// Returns the differences between two operators: code, options, inputs, and outputs.
  private static func changes(
    _ ours: Subgraph, _ index: Int, _ theirs: Subgraph, _ other: Int, _ pairs: TensorPairs
  ) -> [Change] {
    let (one, two) = (ours.operators[index], theirs.operators[other])
    func options(_ operation: OperatorDescription) -> [(name: String, value: JSONValue)] {
      operation.namedOptions.map { (name: $0.name, value: .string($0.value)) }
    }
    func wires(_ word: String, _ tensors: [Int?], _ others: [Int?]) -> [Change] {
      (0..<max(tensors.count, others.count)).compactMap { place in
        let tensor = tensors.indices.contains(place) ? tensors[place] : nil
        let other = others.indices.contains(place) ? others[place] : nil
        if let tensor, let other, pairs.second[tensor] == other { return nil }
        // Tensors with the same name can be different tensors; the index tells them apart.
        return Change(
          "\(word) \(place)", .optional(tensor.map { "\(ours.tensors[$0].name) #\($0)" }),
          .optional(other.map { "\(theirs.tensors[$0].name) #\($0)" }))
      }
    }
    let version = Change("version", .int(one.code.version), .int(two.code.version)).map { [$0] } ?? []
    let named = Change.list(options(one), options(two))
    // A custom operator's opaque options, and blobs in them, are described by their size only.
    let isOpaque = one.namedOptions.contains { $0.value.hasSuffix(" bytes") }
    let opaque =
      named.isEmpty && isOpaque && !one.customOptions.hasSameBytes(as: two.customOptions)
      ? Change("custom_options", .string("\(one.customOptions.count) bytes"), .string("other bytes")) : nil
    return version + named + (opaque.map { [$0] } ?? [])
      + wires("input", one.inputs, two.inputs) + wires("output", one.outputs, two.outputs)
  }

  /// Returns the differences between two tensors, apart from names and values.
  private static func changes(_ one: TensorDescription, _ two: TensorDescription) -> [Change] {
    func role(_ tensor: TensorDescription) -> JSONValue {
      .string(tensor.data != nil ? "constant" : tensor.isVariable ? "variable" : "computed")
    }
    let scales = (one.quantization?.scales ?? [], two.quantization?.scales ?? [])
    let zeroPoints = (one.quantization?.zeroPoints ?? [], two.quantization?.zeroPoints ?? [])
    return [
      Change("role", role(one), role(two)),
      Change("type", .string(one.type.name), .string(two.type.name)),
      Change("shape", .ints(one.shape), .ints(two.shape)),
      Change(
        "shape_signature", one.shapeSignature.map { .ints($0) } ?? .null, two.shapeSignature.map { .ints($0) } ?? .null),
      scales.0 == scales.1 ? nil : Change("scale", few(scales.0), few(scales.1)) ?? lists("scale"),
      zeroPoints.0 == zeroPoints.1
        ? nil : Change("zero_point", few(zeroPoints.0), few(zeroPoints.1)) ?? lists("zero_point"),
      Change("quantized_dimension", axis(one), axis(two)),
      Change("quantized_in_blocks_of", blocks(one), blocks(two)),
      Change("sparse", .bool(one.sparsity != nil), .bool(two.sparsity != nil)),
    ].compactMap(\.self)
  }

  /// Returns the change of two long lists that differ, but have the same number and bounds.
  private static func lists(_ what: String) -> Change? { Change(what, .string("per channel"), .string("other values")) }

  private static func axis(_ tensor: TensorDescription) -> JSONValue {
    .optional(tensor.quantization.flatMap { $0.scales.count > 1 ? $0.axis : nil })
  }

  private static func blocks(_ tensor: TensorDescription) -> JSONValue {
    .optional(tensor.quantization?.blockwise?.blockSize)
  }

  /// Returns the values themselves, or the count and range of many values.
  private static func few(_ values: [Float]) -> JSONValue {
    guard values.count > 4, let low = values.min(), let high = values.max() else {
      return values.isEmpty ? .null : .floats(values)
    }
    return .string("\(values.count) from \(low) to \(high)")
  }

  private static func few(_ values: [Int]) -> JSONValue {
    guard values.count > 4, let low = values.min(), let high = values.max() else {
      return values.isEmpty ? .null : .ints(values)
    }
    return .string("\(values.count) from \(low) to \(high)")
  }
}

/// The pairs of corresponding tensors of two subgraphs.
struct TensorPairs {
  /// The second graph's tensor for each tensor of the first graph.
  private(set) var second: [Int?]
  /// The first graph's tensor for each tensor of the second graph.
  private(set) var first: [Int?]

  /// Pairs tensors. Inputs and outputs of the graphs are paired by name, then by position. Other tensors are paired by
  /// paired producers, then by paired consumers that read them at the same position, and finally by a name that is
  /// unique among the rest.
  ///
  /// - Complexity: Linear in the size of both graphs.
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
