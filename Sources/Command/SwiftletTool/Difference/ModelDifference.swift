import SwiftletJSON
import SwiftletSchema

/// What differs between two models.
struct ModelDifference {
  let first: ModelReport
  let second: ModelReport
  /// Whether the files have the same bytes.
  let isSameFile: Bool
  /// Sizes and what else is said of a model as a whole, also where both are the same.
  let facts: [(what: String, first: JSONValue, second: JSONValue)]
  /// Description, metadata and labels.
  let metadata: [Change]
  let signatures: [Change]
  let graphs: [GraphDifference]

  init(_ first: ModelReport, _ second: ModelReport) {
    self.first = first
    self.second = second
    let (ours, theirs) = (first.model.file, second.model.file)
    isSameFile = ours.bytes.hasSameBytes(as: theirs.bytes)
    facts = zip(Self.facts(first), Self.facts(second)).map { (what: $0.name, first: $0.value, second: $1.value) }
    // Where only one has labels, their number says it all.
    let hasLabels = !first.labels.isEmpty && !second.labels.isEmpty
    metadata = Change.list(
      Self.descriptions(first, labels: hasLabels), Self.descriptions(second, labels: hasLabels))
    signatures = Change.list(Self.entryPoints(ours), Self.entryPoints(theirs))
    var constants = ConstantComparison(fileByteCounts: ours.bytes.count, theirs.bytes.count)
    graphs = (0..<max(ours.subgraphs.count, theirs.subgraphs.count)).map { index in
      GraphDifference(
        index, ours.subgraphs.indices.contains(index) ? ours.subgraphs[index] : nil,
        theirs.subgraphs.indices.contains(index) ? theirs.subgraphs[index] : nil, &constants)
    }
  }

  /// Whether nothing differs that a run or a reader could tell: the bytes may lie in another order.
  var isIdentical: Bool {
    isSameFile || (metadata.isEmpty && signatures.isEmpty && graphs.allSatisfy(\.isIdentical))
  }

  private static func facts(_ report: ModelReport) -> [(name: String, value: JSONValue)] {
    let file = report.model.file
    return [
      ("size_bytes", .int(file.bytes.count)),
      ("schema_version", .int(file.version)),
      ("subgraphs", .int(file.subgraphs.count)),
      ("operators", .int(file.subgraphs.reduce(0) { $0 + $1.operators.count })),
      ("tensors", .int(file.subgraphs.reduce(0) { $0 + $1.tensors.count })),
      ("constant_bytes", .int(report.constantByteCount)),
      ("multiply_adds", .optional(report.compiled?.multiplyAdds)),
      ("arena_bytes", .optional(report.compiled?.arenaByteCount)),
      ("supported", .bool(report.isSupported)),
    ]
  }

  private static func descriptions(_ report: ModelReport, labels hasLabels: Bool) -> [(name: String, value: JSONValue)]
  {
    let metadata = report.metadata.map { Change.leaves(report.metadataJSON($0), "metadata") } ?? []
    let labels = (hasLabels ? report.labels : []).enumerated().map {
      (name: "labels[\($0.offset)]", value: JSONValue.string($0.element))
    }
    let entries = report.model.file.metadata.map {
      (name: "metadata_bytes.\($0.name)", value: JSONValue.int($0.data.count))
    }
    return [("description", .optional(report.model.description)), ("labels", .int(report.labels.count))] + entries
      + metadata + labels
  }

  private static func entryPoints(_ file: ModelFile) -> [(name: String, value: JSONValue)] {
    file.signatures.flatMap { signature in
      func names(_ entries: [Signature.Entry]) -> JSONValue { .strings(entries.map(\.name)) }
      return [
        (name: "signature.\(signature.key).inputs", value: names(signature.inputs)),
        (name: "signature.\(signature.key).outputs", value: names(signature.outputs)),
        (name: "signature.\(signature.key).subgraph", value: .int(signature.subgraph)),
      ]
    }
  }
}
