import Foundation
@_spi(Facades) package import Swiftlet

/// The graphs of a model. Each is compiled when it is first needed, and has one set of tensors that all its users
/// share.
///
/// Unchecked `Sendable` because a lock protects the graphs. The lock is recursive, because a message handler may call
/// the model that a message is about.
package final class ModelRunner: @unchecked Sendable {
  private let model: Model
  private let options: RuntimeOptions
  private let lock = NSRecursiveLock()
  /// The graphs by signature; the key of the main graph is `nil`.
  private var graphs: [String?: GraphRunner] = [:]
  /// The signatures of the model, in order, without those that cannot be run.
  package let signatures: [SignatureBindings]

  /// Creates the graphs of `model`.
  ///
  /// - Parameters:
  ///   - threads: The number of threads; `nil` or a number below 1 lets the engine choose.
  ///   - defaultKey: The signature key of the main graph if the model has no signatures; `nil` for no signature.
  package init(_ model: Model, threads: Int? = nil, defaultKey: String? = nil) {
    self.model = model
    options = threads.map { $0 > 0 ? RuntimeOptions(threads: $0) : RuntimeOptions() } ?? RuntimeOptions()
    signatures = model.signatureBindings(defaultKey: defaultKey)
  }

  /// Calls `body` with the main graph.
  ///
  /// - Throws: The same errors as `CompiledModel`, and the errors of `body`.
  package func withMainGraph<Result>(_ body: (GraphRunner) throws -> Result) throws -> Result {
    try withGraph(of: nil, body)
  }

  /// Calls `body` with the graph of a signature.
  ///
  /// - Throws: The same errors as `CompiledModel`, and the errors of `body`.
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

  /// Returns the metadata with a name in the file; `nil` if there is none.
  package func metadata(named name: String) -> [UInt8]? {
    model.metadata(named: name)
  }
}

/// Messages for developers, in addition to thrown errors: the reasons of failures, and warnings about ignored options.
package enum DeveloperMessages {
  package typealias Handler = @Sendable (String) -> Void

  private static let state = State()

  /// Unchecked `Sendable` because the lock protects it.
  private final class State: @unchecked Sendable {
    let lock = NSLock()
    var handler: Handler? = { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
    var given: Set<String> = []
  }

  /// The handler of messages. The default handler writes to standard error. Setting a handler clears the record of
  /// warnings that were reported.
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

  /// Warns once that the requested accelerator is not used.
  package static func warnOfProcessor(insteadOf name: String) {
    warnOnce("\(name) is accepted, but has no effect: the model runs on the CPU")
  }
}
