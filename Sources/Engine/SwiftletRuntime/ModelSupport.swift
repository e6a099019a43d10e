internal import SwiftletSchema

/// Whether the engine can run a model, and what is in the way if it cannot.
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
  /// Whether the engine can run this model: its main graph, the entry points that it names, and everything that these
  /// call. Nothing is run.
  ///
  /// Operators whose shapes only a run can tell are asked for their kind, version and types, not for sizes.
  ///
  /// - Parameter options: those that the model would be compiled with.
  /// - Thread safety: callable concurrently.
  public func support(options: RuntimeOptions = RuntimeOptions()) -> ModelSupport {
    var support = ModelSupport(unsupportedOperators: [])
    let budget = RunBudget.load(options)
    var surveyed = BitSet()
    var found: Set<UnsupportedOperator> = []
    for subgraph in [0] + file.signatures.map(\.subgraph) where !surveyed.contains(subgraph) {
      surveyed.insert(subgraph)
      do {
        // Entry points share subgraphs, and a subgraph may be called twice.
        found.formUnion(try unsupportedOperators(subgraph: subgraph, options: options, budget: budget))
      } catch let error as RuntimeError {
        support.error = support.error ?? error
      } catch {
        support.error = support.error ?? RuntimeError(.invalidModel, "\(error)", underlying: error)
      }
    }
    support.unsupportedOperators = found.sorted { ($0.subgraph, $0.index) < ($1.subgraph, $1.index) }
    return support
  }

  /// Every operator that this engine cannot run, in the entry point `signature` or, without one, in the main graph, and
  /// in everything that it calls. Nothing is run.
  ///
  /// - Parameter options: those that the model would be compiled with.
  /// - Throws: `RuntimeError` when the model contradicts itself or there is no such signature.
  public func unsupportedOperators(
    signature: String? = nil, options: RuntimeOptions = RuntimeOptions()
  ) throws -> [UnsupportedOperator] {
    try unsupportedOperators(
      subgraph: try entryPoint(signature)?.subgraph ?? 0, options: options, budget: .load(options))
  }

  private func unsupportedOperators(
    subgraph: Int, options: RuntimeOptions, budget: RunBudget
  ) throws -> [UnsupportedOperator] {
    let (graph, missing) = try GraphBuilder.survey(file, subgraph: subgraph, options: options, added: addedOperators)
    return missing
      + (try SupportSurvey(options: options, fileBytes: file.bytes.count, budget: budget).refusals(in: graph))
      .compactMap { refusal in
        guard let subgraph = refusal.location.subgraph, let index = refusal.location.operatorIndex else { return nil }
        return UnsupportedOperator(file.subgraphs[subgraph], subgraph: subgraph, index: index, reason: refusal.reason)
      }
  }
}
