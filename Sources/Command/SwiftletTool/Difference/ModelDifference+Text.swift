import Foundation
import SwiftletCommandLine
import SwiftletBase

// What `inspect --diff` prints for people.
extension ModelDifference {
  /// Lists go on in `--json`.
  private static let longestList = 40

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

  /// Names may hold anything, also ends of lines.
  private static func shown(_ lines: [String]) -> String { lines.map { $0.shown + "\n" }.joined() }

  private static func limited(_ lines: [String]) -> [String] {
    guard lines.count > longestList else { return lines }
    return lines.prefix(longestList) + ["  … and \(lines.count - longestList) more; --json has all of them"]
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
  /// Of all elements or bytes; `nil` where they were not compared.
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
