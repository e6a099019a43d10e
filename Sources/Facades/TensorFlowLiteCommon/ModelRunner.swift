import Foundation
package import Swiftlet
import SwiftletSchema

/// The graphs of a model, compiled when they are first needed, each with one set of tensors that all who run it share.
///
/// Unchecked `Sendable` because the lock is what makes it so: graphs are only reached while it is held. It is recursive, as
/// a handler of messages may call the model that a message is about.
package final class ModelRunner: @unchecked Sendable {
  private let model: Model
  private let options: RuntimeOptions
  private let lock = NSRecursiveLock()
  /// By signature; the main graph has none.
  private var graphs: [String?: GraphRunner] = [:]
  /// The signatures of the model, in its order; those that cannot be run are left out.
  package let signatures: [SignatureEnds]

  /// The graphs of `model`.
  ///
  /// - Parameters:
  ///   - threads: `nil` or no positive number leaves the choice to the engine.
  ///   - defaultKey: what the main graph is called as a signature where the model has none; `nil` for no signature.
  package init(_ model: Model, threads: Int? = nil, defaultKey: String? = nil) {
    self.model = model
    options = threads.map { $0 > 0 ? RuntimeOptions(threads: $0) : RuntimeOptions() } ?? RuntimeOptions()
    var keys: Set<String> = []
    // Of several signatures of one key, the first is the one that a key finds.
    let known = model.file.signatures.filter { keys.insert($0.key).inserted }
      .compactMap { SignatureEnds($0, in: model.file) }
    signatures =
      known.isEmpty ? defaultKey.map { [SignatureEnds(mainGraphOf: model.file, key: $0)] } ?? [] : known
  }

  /// Gives `body` the main graph.
  ///
  /// - Throws: as `CompiledModel`, and what `body` throws.
  package func withMainGraph<Result>(_ body: (GraphRunner) throws -> Result) throws -> Result {
    try withGraph(of: nil, body)
  }

  /// Gives `body` the graph that a signature enters.
  ///
  /// - Throws: as `CompiledModel`, and what `body` throws.
  package func withGraph<Result>(_ signature: SignatureEnds, _ body: (GraphRunner) throws -> Result) throws -> Result {
    try withGraph(of: signature.isMain ? nil : signature.key, body)
  }

  private func withGraph<Result>(of signature: String?, _ body: (GraphRunner) throws -> Result) throws -> Result {
    try lock.withLock {
      if let graph = graphs[signature] { return try body(graph) }
      let graph = try GraphRunner(model, signature: signature, options: options)
      graphs[signature] = graph
      return try body(graph)
    }
  }

  /// What the file stores under a name besides the model; `nil` when there is nothing.
  package func metadata(named name: String) -> [UInt8]? {
    model.file.metadata.first { $0.name == name }.map { [UInt8]($0.data.bytes) }
  }
}
