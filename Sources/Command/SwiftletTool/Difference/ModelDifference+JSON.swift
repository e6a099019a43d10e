import Foundation
import SwiftletJSON
import SwiftletReports
import SwiftletSchema

// What `inspect --diff --json` prints, and the page.
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
