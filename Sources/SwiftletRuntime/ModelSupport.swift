internal import SwiftletSchema

/// Whether the engine can run a model, and what is in the way if it cannot.
public struct ModelSupport: Sendable {
  /// Every operator that cannot be run, by subgraph and position: with its code, version, types and tensors, and what is missing.
  public var unsupportedOperators: [UnsupportedOperator]
  /// Why the model cannot be run although every operator is there; `nil` when nothing is wrong.
  public var error: RuntimeError?

  /// Whether all entry points can be run.
  public var isSupported: Bool { unsupportedOperators.isEmpty && error == nil }
}

extension Model {
  /// Whether the engine can run this model: its main graph, the entry points that it names, and everything that these call. Nothing is run.
  ///
  /// Operators whose shapes only a run can tell are asked for their kind, version and types, not for sizes.
  ///
  /// - Parameter options: those that the model would be compiled with.
  /// - Thread safety: callable concurrently.
  public func support(options: RuntimeOptions = RuntimeOptions()) -> ModelSupport {
    var support = ModelSupport(unsupportedOperators: [])
    for signature in [nil] + signatureKeys.map(Optional.some) {
      do {
        // Entry points share subgraphs, and a subgraph may be called twice.
        for missing in try unsupportedOperators(signature: signature, options: options)
        where !support.unsupportedOperators.contains(missing) {
          support.unsupportedOperators.append(missing)
        }
      } catch let error as RuntimeError {
        support.error = support.error ?? error
      } catch {
        support.error = support.error ?? RuntimeError(.invalidModel, "\(error)", underlying: error)
      }
    }
    support.unsupportedOperators.sort { ($0.subgraph, $0.index) < ($1.subgraph, $1.index) }
    return support
  }

  /// Every operator that this engine cannot run, in the entry point `signature` or, without one, in the main graph, and in everything that it calls.
  /// Nothing is run.
  ///
  /// - Parameter options: those that the model would be compiled with.
  /// - Throws: `RuntimeError` when the model contradicts itself or there is no such signature.
  public func unsupportedOperators(
    signature: String? = nil, options: RuntimeOptions = RuntimeOptions()
  ) throws -> [UnsupportedOperator] {
    let (graph, missing) = try GraphBuilder.survey(
      file, subgraph: try entryPoint(signature)?.subgraph ?? 0, options: options, added: addedOperators)
    return missing
      + SupportSurvey(options: options, fileBytes: file.bytes.count).refusals(in: graph).compactMap { refusal in
        guard let subgraph = refusal.location.subgraph, let index = refusal.location.operatorIndex else { return nil }
        return UnsupportedOperator(file.subgraphs[subgraph], subgraph: subgraph, index: index, reason: refusal.reason)
      }
  }
}
