import Foundation
import SwiftletBase
import SwiftletCommandLine
import SwiftletJSON
import SwiftletReports
import SwiftletSchema

/// The differences between two models.
struct ModelDifference {
  let first: ModelReport
  let second: ModelReport
  /// Whether the files are identical.
  let isSameFile: Bool
  /// The facts about each model as a whole, including equal ones.
  let facts: [(what: String, first: JSONValue, second: JSONValue)]
  /// The differences of description, metadata, and labels.
  let metadata: [Change]
  let signatures: [Change]
  let graphs: [GraphDifference]

  init(_ first: ModelReport, _ second: ModelReport) {
    self.first = first
    self.second = second
    let (ours, theirs) = (first.model.file, second.model.file)
    isSameFile = ours.bytes.hasSameBytes(as: theirs.bytes)
    facts = zip(Self.facts(first), Self.facts(second)).map { (what: $0.name, first: $0.value, second: $1.value) }
    // If only one model has labels, their number describes the difference completely.
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

  /// Whether the models are equivalent to a run and a reader; the order of bytes can differ.
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

// The output of `inspect --diff --json`, and the page.
extension ModelDifference {
  var json: JSONValue {
    .object([
      "a": .string(first.path),
      "b": .string(second.path),
      "identical": .bool(isIdentical),
      "same_bytes": .bool(isSameFile),
      "facts": .array(facts.map { .object(["what": .string($0.what), "a": $0.first, "b": $0.second]) }),
      "metadata": .array(metadata.map(\.json)),
      "signatures": .array(signatures.map(\.json)),
      "subgraphs": .array(graphs.map(\.json)),
    ])
  }

  var page: HTMLPage {
    ComparisonPage.ofModels(
      URL(fileURLWithPath: first.path).lastPathComponent, URL(fileURLWithPath: second.path).lastPathComponent, json)
  }
}

extension GraphDifference {
  var json: JSONValue {
    .object([
      "index": .int(index),
      "name_a": first.map { .string($0.name ?? "") } ?? .null,
      "name_b": second.map { .string($0.name ?? "") } ?? .null,
      "inputs_outputs": .array(ports.map(\.json)),
      "operator_count_a": .optional(first?.operators.count),
      "operator_count_b": .optional(second?.operators.count),
      "same_operators": .int(sameCount),
      "differing_operators": .int(changedCount),
      "kinds": .array(kinds.map(\.json)),
      "operators": .array(steps.map(json)),
      "differing_tensors": .int(tensors.count),
      "tensors": .array(
        tensors.map {
          .object([
            "a": .int($0.first), "b": .int($0.second), "name_a": .optional(first?.tensors[$0.first].name),
            "name_b": .optional(second?.tensors[$0.second].name), "changes": .array($0.changes.map(\.json)),
          ])
        }),
      "renamed_tensors": .int(renamedCount),
      "only_a_tensors": .int(onlyFirst.count),
      "only_a": .array(onlyFirst.map { Self.json($0, first) }),
      "only_b_tensors": .int(onlySecond.count),
      "only_b": .array(onlySecond.map { Self.json($0, second) }),
      "compared_constants": .int(comparedConstantCount),
      "differing_constants": .int(constants.count),
      "constants": .array(constants.map(json)),
    ])
  }

  private func json(_ step: Step) -> JSONValue {
    switch step {
    case .same(let first, let second, let count):
      .object(["step": .string("same"), "a": .int(first), "b": .int(second), "count": .int(count)])
    case .changed(let one, let two, let changes):
      .object([
        "step": .string("changed"), "a": .int(one), "b": .int(two), "operator": Self.operatorJSON(two, second),
        "changes": .array(changes.map(\.json)),
      ])
    case .removed(let one):
      .object(["step": .string("removed"), "a": .int(one), "operator": Self.operatorJSON(one, first)])
    case .added(let two):
      .object(["step": .string("added"), "b": .int(two), "operator": Self.operatorJSON(two, second)])
    }
  }

  private static func operatorJSON(_ index: Int, _ graph: Subgraph?) -> JSONValue {
    guard let graph else { return .null }
    let operation = graph.operators[index]
    return .object([
      "op": .string(operation.code.kind.name), "version": .int(operation.code.version),
      "name": .string(operation.outputs.first.map { graph.tensors[$0].name } ?? ""),
      "summary": .string(OperatorSummary.text(operation, operation.namedOptions, in: graph)),
    ])
  }

  private static func json(_ tensor: Int, _ graph: Subgraph?) -> JSONValue {
    guard let graph else { return .null }
    let item = graph.tensors[tensor]
    return .object([
      "index": .int(tensor), "name": .string(item.name), "dtype": .string(item.type.name), "shape": .ints(item.shape),
      "constant": .bool(item.data != nil),
    ])
  }

  private func json(_ constant: ConstantDifference) -> JSONValue {
    let values = constant.values
    return .object([
      "a": .int(constant.first), "b": .int(constant.second), "name": .optional(second?.tensors[constant.second].name),
      "compared": .string(values.kind.rawValue), "elements": .int(values.elementCount),
      "differing": .int(values.differingCount),
      "share": .optional(values.share), "max_abs": .optional(values.largest), "values_a": .optional(values.first),
      "values_b": .optional(values.second),
    ])
  }
}

// The text output of `inspect --diff`.
extension ModelDifference {
  /// The maximum length of a list; `--json` prints complete lists.
  private static let maximumList = 40

  var text: String {
    var lines = ["A: \(first.path)", "B: \(second.path)"]
    if isSameFile {
      return Self.shown(lines + ["the files are the same, byte for byte"])
    }
    let rows = facts.map {
      [$0.what, Change.text($0.first), Change.text($0.second), $0.first == $0.second ? "" : "differs"]
    }
    var text = Self.shown(lines)
    text += TextTable([.left, .right, .right]).text([["", "A", "B", ""]] + rows)
    lines = []
    for change in metadata + signatures { lines.append(change.text) }
    lines = Self.limited(lines)
    for graph in graphs { lines += Self.lines(graph) }
    if isIdentical { lines.append("nothing differs but how the files are laid out") }
    return text + Self.shown(lines)
  }

  /// Returns the lines sanitized. Names can contain any characters, including line ends.
  private static func shown(_ lines: [String]) -> String { lines.map { $0.sanitized + "\n" }.joined() }

  private static func limited(_ lines: [String]) -> [String] {
    guard lines.count > maximumList else { return lines }
    return lines.prefix(maximumList) + ["  … and \(lines.count - maximumList) more; --json has all of them"]
  }

  private static func lines(_ graph: GraphDifference) -> [String] {
    guard let first = graph.first, let second = graph.second else {
      let (name, only) = graph.second == nil ? ("A", graph.first) : ("B", graph.second)
      return ["subgraph \(graph.index) '\(only?.name ?? "")': only in \(name), \(only?.operators.count ?? 0) operators"]
    }
    let names = first.name == second.name ? "'\(first.name ?? "")'" : "'\(first.name ?? "")' → '\(second.name ?? "")'"
    guard !graph.isIdentical else {
      return ["subgraph \(graph.index) \(names): \(first.operators.count) operators, nothing differs"]
    }
    var lines = [
      "subgraph \(graph.index) \(names): \(first.operators.count) → \(second.operators.count) operators, "
        + "\(graph.sameCount) the same"
    ]
    lines += limited(graph.ports.map { "  \($0.text)" })
    lines += limited(graph.kinds.map { "  \($0.text)" })
    lines += limited(graph.steps.compactMap { line($0, graph) })
    lines.append(
      "  tensors: \(graph.tensors.count) changed, \(graph.renamedCount) renamed only, \(graph.onlyFirst.count) only in A, "
        + "\(graph.onlySecond.count) only in B")
    lines += limited(
      graph.tensors.map {
        "    ~ '\(second.tensors[$0.second].name)': " + $0.changes.map(\.text).joined(separator: "; ")
      })
    lines += limited(
      graph.onlyFirst.map { "    - '\(first.tensors[$0].name)'" }
        + graph.onlySecond.map { "    + '\(second.tensors[$0].name)'" })
    lines.append("  constants: \(graph.comparedConstantCount) compared, \(graph.constants.count) differ")
    lines += limited(graph.constants.map { "    ~ '\(second.tensors[$0.second].name)': \($0.values.text)" })
    return lines
  }

  private static func line(_ step: GraphDifference.Step, _ graph: GraphDifference) -> String? {
    func title(_ index: Int, _ isSecond: Bool) -> String {
      guard let part = isSecond ? graph.second : graph.first else { return "" }
      let operation = part.operators[index]
      let summary = OperatorSummary.text(operation, operation.namedOptions, in: part)
      let name = operation.outputs.first.map { part.tensors[$0].name } ?? ""
      return "#\(index) \(operation.code.kind.name)\(summary.isEmpty ? "" : " (\(summary))") '\(name)'"
    }
    switch step {
    case .same: return nil
    case .changed(let first, let second, let changes):
      return "  ~ #\(first) → \(title(second, true)): " + changes.map(\.text).joined(separator: "; ")
    case .removed(let first): return "  - \(title(first, false))"
    case .added(let second): return "  + \(title(second, true))"
    }
  }
}

extension ValueDifference {
  /// The share of all elements or bytes that differ, or `nil` if they were not compared.
  var share: Double? { elementCount > 0 ? Double(differingCount) / Double(elementCount) : nil }

  fileprivate var text: String {
    let values = first.flatMap { first in second.map { ": \(first) → \($0)" } } ?? ""
    switch kind {
    case .values, .bytes:
      let unit = kind == .values ? "elements" : "bytes"
      let largest = largest.map { ", by \($0) at most" } ?? ""
      return String(format: "%.3g %%", (share ?? 0) * 100) + " of \(elementCount) \(unit) differ\(largest)\(values)"
    case .incomparable: return "of another form, not compared\(values)"
    case .omitted: return "not compared: the files refer to the same constants too often"
    }
  }
}
