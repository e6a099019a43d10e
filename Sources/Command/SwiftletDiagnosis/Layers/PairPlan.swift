import SwiftletEngine
import SwiftletSchema

/// The plan of a comparison of a quantized model with its reference: which tensors correspond, and which graphs run.
///
/// Besides both graphs, two cut graphs run. In them, every operator reads the reference's numbers, rounded as the
/// quantized tensor rounds them. So the quantized layer and the reference's layer have equal inputs, and their outputs
/// differ by what the layer adds.
struct PairPlan: Sendable {
  let ours: GraphFacts
  let theirs: GraphFacts
  let matching: TensorMatching
  /// The formats of the computed tensors and inputs; `nil` for tensors without numbers.
  let formats: [NumberFormat?]
  let referenceFormats: [NumberFormat?]
  let isolated: CutGraph
  let isolatedReference: CutGraph
  /// The isolated reference with weights that are quantized as well as their type allows; `nil` without weights.
  let ideal: Subgraph?
  /// The tensors to compare, each with the reference's, in the order of their operators.
  let pairs: [(tensor: Int, reference: Int)]
  let weights: [Int: LayerConstants]

  /// The outputs of the reference that operators compute as floats.
  var floatOutputs: [Int] {
    theirs.graph.outputs.filter { theirs.producers[$0] != nil && referenceFormats[$0]?.isQuantized == false }
  }

  init(_ model: Model, reference: Model) {
    ours = GraphFacts(model.file.subgraphs[0])
    theirs = GraphFacts(reference.file.subgraphs[0])
    matching = TensorMatching(ours, theirs)
    formats = Self.formats(ours)
    referenceFormats = Self.formats(theirs)
    (isolated, isolatedReference) = Self.cut(ours, formats, theirs, referenceFormats, matching)
    weights = LayerConstants.all(ours, theirs, matching)
    ideal = Self.ideal(isolatedReference, weights, matching)
    let (formats, referenceFormats, matching) = (formats, referenceFormats, matching)
    pairs = (ours.graph.inputs + ours.graph.operators.flatMap(\.outputs)).compactMap { tensor in
      guard let reference = matching.references[tensor], formats[tensor] != nil, referenceFormats[reference] != nil
      else { return nil }
      return (tensor, reference)
    }
  }

  static func formats(_ facts: GraphFacts) -> [NumberFormat?] {
    facts.graph.tensors.indices.map { tensor in
      let isKnown = facts.producers[tensor] != nil || facts.graph.inputs.contains(tensor)
      return isKnown && facts.graph.tensors[tensor].data == nil ? NumberFormat(facts.graph.tensors[tensor]) : nil
    }
  }

  private static func cut(
    _ ours: GraphFacts, _ formats: [NumberFormat?], _ theirs: GraphFacts, _ referenceFormats: [NumberFormat?],
    _ matching: TensorMatching
  ) -> (CutGraph, CutGraph) {
    var isolated = CutGraph(ours.graph)
    for (index, operation) in ours.graph.operators.enumerated() {
      for (position, input) in operation.inputs.enumerated() {
        guard let input, ours.producers[input] != nil, formats[input] != nil, matching.references[input] != nil else {
          continue
        }
        isolated.cut(index, position: position, tensor: input, source: nil)
      }
    }
    // The last tensor with the reference's numbers, for operators that have no counterpart.
    var usual: [Int: Int] = [:]
    for tensor in ours.graph.inputs + ours.graph.operators.flatMap(\.outputs) where formats[tensor] != nil {
      if let reference = matching.references[tensor] { usual[reference] = tensor }
    }
    var counterparts: [Int: Int] = [:]
    for (operation, other) in matching.operators.enumerated() {
      if let other { counterparts[other] = operation }
    }
    var reference = CutGraph(theirs.graph)
    for (index, operation) in theirs.graph.operators.enumerated() {
      for (position, input) in operation.inputs.enumerated() {
        guard let input, referenceFormats[input] != nil, theirs.isComputed(input) else { continue }
        let root = theirs.root(of: input)
        let read = counterparts[index].map { ours.graph.operators[$0].inputs.compactMap(\.self) } ?? []
        let source = read.first { matching.references[$0] == root && formats[$0] != nil } ?? usual[root]
        guard let source else { continue }
        reference.cut(index, position: position, tensor: input, source: source)
      }
    }
    return (isolated, reference)
  }

  private static func ideal(
    _ isolated: CutGraph, _ weights: [Int: LayerConstants], _ matching: TensorMatching
  ) -> Subgraph? {
    var graph = isolated
    var isChanged = false
    for (operation, constants) in weights {
      guard let other = matching.operators[operation], let ideal = constants.idealWeights else { continue }
      graph.replace(other, position: constants.position, shape: constants.shape, by: ideal)
      isChanged = true
    }
    return isChanged ? graph.graph : nil
  }
}
