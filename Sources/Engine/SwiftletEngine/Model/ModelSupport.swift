internal import SwiftletSchema

/// A report on whether the engine can run a model, and what is missing if it cannot.
public struct ModelSupport: Sendable {
  /// Every operator that cannot be run, by subgraph and position: with its code, version, types and tensors, and what
  /// is missing.
  public var unsupportedOperators: [UnsupportedOperator]
  /// Why the model cannot be run although every operator is there; `nil` when nothing is wrong.
  public var error: RuntimeError?

  /// Whether all entry points can be run.
  public var isSupported: Bool { unsupportedOperators.isEmpty && error == nil }
}

extension Model {
  /// Returns whether a model can be run with these operators; see `support(options:)`.
  package func support(operators: @escaping OperatorLookup, options: RuntimeOptions) -> ModelSupport {
    var support = ModelSupport(unsupportedOperators: [])
    let budget = RunBudget.load(options)
    var surveyed = BitSet()
    var found: Set<UnsupportedOperator> = []
    for subgraph in [0] + file.signatures.map(\.subgraph) where !surveyed.contains(subgraph) {
      surveyed.insert(subgraph)
      do {
        // Entry points share subgraphs, and a subgraph may be called twice.
        found.formUnion(
          try refusals(subgraph: subgraph, operators: operators, options: options, budget: budget))
      } catch {
        support.error = support.error ?? RuntimeError(wrapping: error)
      }
    }
    support.unsupportedOperators = found.sorted { ($0.subgraph, $0.index) < ($1.subgraph, $1.index) }
    return support
  }

  private func refusals(
    subgraph: Int, operators: @escaping OperatorLookup, options: RuntimeOptions, budget: RunBudget
  ) throws -> [UnsupportedOperator] {
    let (graph, missing) = try GraphBuilder.survey(
      file, subgraph: subgraph, options: options, operators: operators, added: addedOperators)
    return missing
      + (try SupportSurvey(options: options, fileBytes: file.bytes.count, budget: budget).refusals(in: graph))
      .compactMap { refusal in
        guard let subgraph = refusal.location.subgraph, let index = refusal.location.operatorIndex else { return nil }
        return UnsupportedOperator(file.subgraphs[subgraph], subgraph: subgraph, index: index, reason: refusal.reason)
      }
  }
}
