import SwiftletEngine
import SwiftletSchema

/// Checks of a model's graph: operators that take time and change nothing.
struct GraphChecks {
  private let facts: GraphFacts
  private(set) var findings: [DiagnosisFinding] = []

  init(_ facts: GraphFacts) {
    self.facts = facts
    for operation in facts.graph.operators.indices {
      guard let input = facts.input(operation, 0), let output = facts.graph.operators[operation].outputs.first else {
        continue
      }
      switch facts.kind(operation) {
      case .transpose: checkTranspose(operation, input)
      case .dequantize: checkConversion(operation, input, output)
      case .quantize: checkRequantization(operation, input, output)
      case .reshape where facts.graph.tensors[input].shape == facts.graph.tensors[output].shape:
        add("identity", operation, output, "RESHAPE keeps the shape of '\(facts.graph.tensors[input].name.excerpt)'.")
      default: break
      }
    }
    checkDead()
  }

  private mutating func add(
    _ kind: String, _ operation: Int, _ tensor: Int, _ message: String,
    advice: String = "Export the model without it."
  ) {
    findings.append(
      DiagnosisFinding(.note, kind, facts, operation: operation, tensor: tensor, message, advice: advice))
  }

  private func producer(of tensor: Int, _ kind: BuiltinOperator) -> Int? {
    facts.producers[tensor].flatMap { facts.kind($0) == kind ? $0 : nil }
  }

  private func permutation(_ operation: Int) -> [Int]? {
    guard let constant = facts.constant(facts.input(operation, 1)), constant.type == .int32,
      let codes = ConstantValues.codes(of: constant)
    else { return nil }
    return codes.compactMap { Int(exactly: $0) }
  }

  private mutating func checkTranspose(_ operation: Int, _ input: Int) {
    guard let other = producer(of: input, .transpose), let first = permutation(other),
      let second = permutation(operation), first.count == second.count,
      second.allSatisfy(first.indices.contains), second.enumerated().allSatisfy({ first[$0.element] == $0.offset })
    else { return }
    add("transpose-pair", operation, input, "The TRANSPOSE operators \(other) and \(operation) undo each other.")
  }

  private mutating func checkConversion(_ operation: Int, _ input: Int, _ output: Int) {
    for reader in facts.consumers[output] where facts.kind(reader) == .quantize {
      guard let result = facts.graph.operators[reader].outputs.first else { continue }
      let isSame =
        NumberFormat(facts.graph.tensors[input]) == NumberFormat(facts.graph.tensors[result])
        && NumberFormat(facts.graph.tensors[input]) != nil
      add(
        "conversion-pair", operation, output,
        "DEQUANTIZE \(operation) and QUANTIZE \(reader) \(isSame ? "undo each other" : "only change the scale of '\(facts.graph.tensors[input].name.excerpt)'").",
        advice: isSame ? "Export the model without both." : "One QUANTIZE does the same.")
    }
  }

  private mutating func checkRequantization(_ operation: Int, _ input: Int, _ output: Int) {
    guard let one = NumberFormat(facts.graph.tensors[input]), one == NumberFormat(facts.graph.tensors[output]),
      one.isQuantized
    else { return }
    add("identity", operation, output, "QUANTIZE \(operation) keeps scale and zero point.")
  }

  private mutating func checkDead() {
    let outputs = Set(facts.graph.outputs)
    let dead = facts.graph.operators.indices.filter { operation in
      let results = facts.graph.operators[operation].outputs
      return !results.isEmpty && results.allSatisfy { !outputs.contains($0) && facts.consumers[$0].isEmpty }
        && facts.kind(operation).map { !GraphChecks.hasEffects($0) } ?? false
    }
    guard let first = dead.first, let tensor = facts.graph.operators[first].outputs.first else { return }
    add(
      "unused-operator", first, tensor,
      "Nothing reads the results of \(dead.count == 1 ? "operator \(first)" : "\(dead.count) operators, the first is \(first)")."
    )
  }

  private static func hasEffects(_ kind: BuiltinOperator) -> Bool {
    switch kind {
    case .assignVariable, .callOnce, .hashtableImport, .whileLoop, .ifElse, .call: true
    default: false
    }
  }
}
