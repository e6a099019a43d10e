package import SwiftletBase
package import SwiftletSchema

/// A `.tflite` model, read and verified, not yet compiled.
///
/// - Thread safety: a value, callable concurrently.
public struct Model: Sendable {
  package let file: ModelFile
  package var addedOperators = AddedOperators()

  /// The way in which a model's file is held in memory while the model lives.
  public enum FileAccess: Sendable, Hashable, CaseIterable {
    /// Mapped where nobody has the permission to write to the file, and it belongs to the process's user or the
    /// administrator; else copied. So it is with the models of `SwiftletModelStore`, and with any file after `chmod
    /// a-w`.
    case automatic
    /// Copied, whatever becomes of the file: about a fifth of a millisecond and a megabyte of memory for each megabyte.
    case copied
    /// Mapped: nothing is read before it is needed, and processes share the memory. Only for files that nobody changes
    /// in place. One that is shortened ends the process at the next touch (`SIGBUS`), and one that is rewritten changes
    /// a model that was checked before. Replacing it by another file of its name, as `mv` does, is safe.
    case mapped
  }

  /// Creates a model from the file at `path`.
  ///
  /// What becomes of the file later does not matter, unless it is mapped.
  ///
  /// - Parameter access: Whether the file is copied or mapped.
  /// - Throws: `RuntimeError` (`unreadableFile`, `invalidModel`) that says what is wrong with the file.
  public init(contentsOf path: String, access: FileAccess = .automatic) throws(RuntimeError) {
    let region: ByteRegion
    do {
      region =
        switch access {
        case .automatic: try MappedFile.open(path)
        case .copied: try MappedFile.read(path)
        case .mapped: try MappedFile.map(path)
        }
    } catch {
      throw RuntimeError(.unreadableFile, error.message, underlying: error)
    }
    do {
      try self.init(region)
    } catch {
      throw RuntimeError(
        error.code, "\(path.excerpt): \(error.message)", location: error.location, underlying: error.underlying)
    }
  }

  /// Creates a model from bytes in memory, which are copied.
  ///
  /// - Throws: `RuntimeError` (`invalidModel`) that says what is wrong with them.
  public init(bytes: [UInt8]) throws(RuntimeError) {
    try self.init(ByteRegion(bytes))
  }

  /// Creates a model from memory that `owner` keeps alive and unchanged as long as the model, and everything compiled
  /// from it, lives.
  ///
  /// - Throws: `RuntimeError` (`invalidModel`) that says what is wrong with the bytes.
  public init(bytes: UnsafeRawBufferPointer, owner: AnyObject) throws(RuntimeError) {
    try self.init(ByteRegion(owner: owner, bytes: bytes))
  }

  package init(_ region: ByteRegion) throws(RuntimeError) {
    do {
      file = try ModelFile(region)
    } catch {
      throw RuntimeError(wrapping: error)
    }
  }

  /// The description that the model's writer stored, if any.
  public var description: String? { file.description }

  /// The names of the entry points that the model declares; empty for models that are driven by input and output order
  /// alone.
  public var signatureKeys: [String] { file.signatures.map(\.key) }

  /// Returns the signature named `key`, or `nil` for the main graph.
  func entryPoint(_ key: String?) throws(RuntimeError) -> Signature? {
    guard let key else { return nil }
    if let signature = file.signatures.first(where: { $0.key == key }) { return signature }
    let known = signatureKeys.isEmpty ? "it has none" : "it has " + SanitizedText.list(signatureKeys, in: "'")
    throw RuntimeError(.invalidArgument, "the model has no signature '\(key.excerpt)'; \(known)")
  }
}

extension Model {
  /// Adds an operator for this model's nodes of the custom operator `name`, in place of the engine's own one if there
  /// is one.
  ///
  /// Other models, and copies of this one made earlier, do not know it. Add operators before `CompiledModel` is made.
  ///
  /// - Parameters:
  ///   - name: As in the model file; `support(options:)` lists those that are missing.
  ///   - versions: Those that the operator can run. Nodes of others are unsupported.
  ///   - make: Makes the operator of one node from what the model says about it. An error that it throws ends the
  ///     compilation with a `RuntimeError` (`invalidModel`) that names the node.
  public mutating func addOperator(
    named name: String, versions: ClosedRange<Int> = 1...1,
    _ make: @escaping @Sendable (CustomOperatorOptions) throws -> any CustomOperator
  ) {
    addedOperators.add(name, AddedOperators.Entry(versions: versions, make: make))
  }
}

extension Model {
  /// What the file says of the inputs and outputs of an entry point, before anything is compiled: with the names that
  /// tensors have in their graph, in the order of the signature; `nil` for the main graph.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) for an unknown signature.
  package func declaredEnds(signature: String?) throws(RuntimeError) -> (inputs: [TensorSpec], outputs: [TensorSpec]) {
    let entry = try entryPoint(signature)
    let graph = file.subgraphs[entry?.subgraph ?? 0]
    func specs(_ tensors: [Int]) -> [TensorSpec] { tensors.map { GraphBuilder.spec(of: graph.tensors[$0]) } }
    return (
      specs(entry?.inputs.map(\.tensor) ?? graph.inputs), specs(entry?.outputs.map(\.tensor) ?? graph.outputs)
    )
  }
}

/// A report on whether the engine can run a model, and what is missing if it cannot.
public struct ModelSupport: Sendable {
  /// Every operator that cannot be run, by subgraph and position: with its code, version, types and tensors, and what
  /// is missing.
  public var unsupportedOperators: [UnsupportedOperator]
  /// Why the model cannot be run although every operator is there; `nil` if nothing is wrong.
  public var error: RuntimeError?

  /// A Boolean value that indicates whether all entry points can be run.
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
      + (try SupportAnalysis(options: options, fileBytes: file.bytes.count, budget: budget).refusals(in: graph))
      .compactMap { refusal in
        guard let subgraph = refusal.location.subgraph, let index = refusal.location.operatorIndex else { return nil }
        return UnsupportedOperator(file.subgraphs[subgraph], subgraph: subgraph, index: index, reason: refusal.reason)
      }
  }
}
