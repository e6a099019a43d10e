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
  package let signatures: [SignatureBindings]

  /// Creates the graphs of `model`.
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
      .compactMap { SignatureBindings($0, in: model.file) }
    signatures =
      known.isEmpty ? defaultKey.map { [SignatureBindings(mainGraphOf: model.file, key: $0)] } ?? [] : known
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
    model.file.metadata.first { $0.name == name }.map { [UInt8]($0.data.bytes) }
  }
}

/// An entry point by name: where in its graph each of the named tensors is.
package struct SignatureBindings: Sendable {
  /// A name, and the position of the tensor among the graph's inputs or outputs.
  package struct Port: Sendable {
    package let name: String
    package let position: Int
  }

  package let key: String
  package let inputs: [Port]
  package let outputs: [Port]
  /// Whether it enters the main graph, whose tensors it then shares with all that do.
  let isMain: Bool

  package func input(named name: String) -> Int? { inputs.first { $0.name == name }?.position }
  package func output(named name: String) -> Int? { outputs.first { $0.name == name }?.position }
}

extension SignatureBindings {
  /// `nil` when the signature names a tensor that is no end of its graph.
  init?(_ signature: Signature, in file: ModelFile) {
    let isMain = signature.subgraph == 0
    let graph = file.subgraphs[signature.subgraph]
    func ports(_ entries: [Signature.Entry], _ order: [Int]) -> [Port]? {
      let ports = entries.enumerated().compactMap { index, entry -> Port? in
        guard let position = order.firstIndex(of: entry.tensor) else { return nil }
        // Another graph is compiled with its ends in the order of the signature.
        return Port(name: entry.name, position: isMain ? position : index)
      }
      return ports.count == entries.count ? ports : nil
    }
    guard let inputs = ports(signature.inputs, graph.inputs), let outputs = ports(signature.outputs, graph.outputs)
    else { return nil }
    self.init(key: signature.key, inputs: inputs, outputs: outputs, isMain: isMain)
  }

  /// Creates the main graph as a signature of its own: its tensors' names, or their positions where they have none.
  init(mainGraphOf file: ModelFile, key: String) {
    func ports(_ order: [Int], _ what: String) -> [Port] {
      order.enumerated().map { position, tensor in
        let name = file.subgraphs[0].tensors[tensor].name
        return Port(name: name.isEmpty ? "\(what)_\(position)" : name, position: position)
      }
    }
    self.init(
      key: key, inputs: ports(file.subgraphs.first?.inputs ?? [], "input"),
      outputs: ports(file.subgraphs.first?.outputs ?? [], "output"), isMain: true)
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
