import Foundation
@_spi(Facades) package import Swiftlet

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
  package let signatures: [SignatureBindings]

  /// Creates the graphs of `model`.
  ///
  /// - Parameters:
  ///   - threads: `nil` or no positive number leaves the choice to the engine.
  ///   - defaultKey: what the main graph is called as a signature where the model has none; `nil` for no signature.
  package init(_ model: Model, threads: Int? = nil, defaultKey: String? = nil) {
    self.model = model
    options = threads.map { $0 > 0 ? RuntimeOptions(threads: $0) : RuntimeOptions() } ?? RuntimeOptions()
    signatures = model.signatureBindings(defaultKey: defaultKey)
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
  package func withGraph<Result>(_ signature: SignatureBindings, _ body: (GraphRunner) throws -> Result) throws
    -> Result
  {
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
    model.metadata(named: name)
  }
}

/// What facades tell developers besides the errors that they throw: why something failed, and what is not as asked for.
package enum DeveloperMessages {
  package typealias Handler = @Sendable (String) -> Void

  private static let state = State()

  /// Unchecked `Sendable` because the lock is what makes it so.
  private final class State: @unchecked Sendable {
    let lock = NSLock()
    var handler: Handler? = { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
    var given: Set<String> = []
  }

  /// Receives each message; writes it to the standard error output unless another one is set. Setting it forgets which
  /// warnings were given.
  package static var handler: Handler? {
    get { state.lock.withLock { state.handler } }
    set {
      state.lock.withLock {
        state.handler = newValue
        state.given = []
      }
    }
  }

  package static func report(_ message: String) { handler?(message) }

  /// Reports a message unless it was reported before.
  package static func warnOnce(_ message: String) {
    let handler = state.lock.withLock { state.given.insert(message).inserted ? state.handler : nil }
    handler?(message)
  }

  /// Says once that something was asked to run elsewhere than on the processor.
  package static func warnOfProcessor(insteadOf name: String) {
    warnOnce("\(name) is accepted, but there is no such path here: the model runs on the processor")
  }
}
