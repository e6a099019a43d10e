import Foundation
package import Swiftlet
import SwiftletSchema

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
    var keys: Set<String> = []
    // If several signatures have the same key, only the first can be found.
    let known = model.file.signatures.filter { keys.insert($0.key).inserted }
      .compactMap { SignatureBindings($0, in: model.file) }
    signatures =
      known.isEmpty ? defaultKey.map { [SignatureBindings(mainGraphOf: model.file, key: $0)] } ?? [] : known
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
    model.file.metadata.first { $0.name == name }.map { [UInt8]($0.data.bytes) }
  }
}

/// The bindings of a signature: the position of each named tensor in its graph.
package struct SignatureBindings: Sendable {
  /// A name, and the position of the tensor in the graph's inputs or outputs.
  package struct Port: Sendable {
    package let name: String
    package let position: Int
  }

  package let key: String
  package let inputs: [Port]
  package let outputs: [Port]
  /// Whether the signature belongs to the main graph, whose tensors it shares with others.
  let isMain: Bool

  package func input(named name: String) -> Int? { inputs.first { $0.name == name }?.position }
  package func output(named name: String) -> Int? { outputs.first { $0.name == name }?.position }
}

extension SignatureBindings {
  /// Creates the bindings; `nil` if the signature refers to a tensor that is not an input or output of its graph.
  init?(_ signature: Signature, in file: ModelFile) {
    let isMain = signature.subgraph == 0
    let graph = file.subgraphs[signature.subgraph]
    func ports(_ entries: [Signature.Entry], _ order: [Int]) -> [Port]? {
      let ports = entries.enumerated().compactMap { index, entry -> Port? in
        guard let position = order.firstIndex(of: entry.tensor) else { return nil }
        // Any other graph is compiled with its inputs and outputs in the order of the signature.
        return Port(name: entry.name, position: isMain ? position : index)
      }
      return ports.count == entries.count ? ports : nil
    }
    guard let inputs = ports(signature.inputs, graph.inputs), let outputs = ports(signature.outputs, graph.outputs)
    else { return nil }
    self.init(key: signature.key, inputs: inputs, outputs: outputs, isMain: isMain)
  }

  /// Creates bindings for the main graph, with the names of its tensors, or their positions if they have no names.
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
    warnOnce("\(name) is accepted, but there is no such path here: the model runs on the processor")
  }
}
