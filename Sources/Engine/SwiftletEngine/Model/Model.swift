package import SwiftletBase
package import SwiftletSchema

/// A `.tflite` model that is read and validated, but not compiled.
///
/// - Thread safety: A value; callable concurrently.
public struct Model: Sendable {
  package let file: ModelFile
  package var addedOperators = AddedOperators()

  /// The method by which a model's file is held in memory.
  public enum FileAccess: Sendable, Hashable, CaseIterable {
    /// Maps the file if nobody has write permission and its owner is the process's user or the administrator.
    /// Otherwise, copies the file. The models of `SwiftletModelStore` are mapped, and so is any file after `chmod a-w`.
    case automatic
    /// Copies the file, so that later changes of the file have no effect. Takes about 0.2 ms and one megabyte of memory
    /// per megabyte.
    case copied
    /// Maps the file. Data is read on first access, and processes share the memory. Use this only for files that nobody
    /// changes in place. If the file is shortened, the next access ends the process (`SIGBUS`). If it is rewritten, the
    /// model changes after its validation. Replacing the file with another file of the same name, as `mv` does, is
    /// safe.
    case mapped
  }

  /// Creates a model from the file at `path`.
  ///
  /// Later changes of the file have no effect unless it is mapped.
  ///
  /// - Parameter access: Whether to copy or map the file.
  /// - Throws: `RuntimeError` (`unreadableFile`, `invalidModel`) that describes the problem with the file.
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

  /// Creates a model from a copy of bytes in memory.
  ///
  /// - Throws: `RuntimeError` (`invalidModel`) that describes the error in the bytes.
  public init(bytes: [UInt8]) throws(RuntimeError) {
    try self.init(ByteRegion(bytes))
  }

  /// Creates a model from memory that `owner` keeps alive and unchanged for the lifetime of the model and of everything
  /// compiled from it.
  ///
  /// - Throws: `RuntimeError` (`invalidModel`) that describes the error in the bytes.
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

  /// Creates a model from values that the caller has validated, such as a changed copy of a model's file.
  ///
  /// - Parameter model: A model whose added operators the new model has too.
  package init(_ file: ModelFile, addingOperatorsOf model: Model? = nil) {
    self.file = file
    addedOperators = model?.addedOperators ?? AddedOperators()
  }

  /// The description stored in the model, if any.
  public var description: String? { file.description }

  /// The names of the signatures that the model declares; empty for models that are used by input and output order
  /// only.
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
  /// Adds an operator for this model's nodes of the custom operator `name`. It replaces the engine's own operator with
  /// that name, if there is one.
  ///
  /// The operator isn't available to other models or to earlier copies of this model. Add operators before you create a
  /// `CompiledModel`.
  ///
  /// - Parameters:
  ///   - name: The name in the model file. `support(options:)` lists the missing operators.
  ///   - versions: The operator versions that are supported. Nodes with other versions are unsupported.
  ///   - make: Creates the operator for one node from its options in the model. If it throws an error, the compilation
  ///     ends with a `RuntimeError` (`invalidModel`) that names the node.
  public mutating func addOperator(
    named name: String, versions: ClosedRange<Int> = 1...1,
    _ make: @escaping @Sendable (CustomOperatorOptions) throws -> any CustomOperator
  ) {
    addedOperators.add(name, AddedOperators.Entry(versions: versions, make: make))
  }
}

extension Model {
  /// Returns the inputs and outputs of a signature as the file declares them, without compiling the model.
  ///
  /// The tensors have the names of their graph and the order of the signature.
  ///
  /// - Parameter signature: The name of the signature, or `nil` for the main graph.
  /// - Throws: `RuntimeError` (`invalidArgument`) for an unknown signature.
  @_spi(Facades)
  public func declaredEnds(signature: String?) throws(RuntimeError) -> (inputs: [TensorSpec], outputs: [TensorSpec]) {
    let entry = try entryPoint(signature)
    let graph = file.subgraphs[entry?.subgraph ?? 0]
    func specs(_ tensors: [Int]) -> [TensorSpec] { tensors.map { GraphBuilder.spec(of: graph.tensors[$0]) } }
    return (
      specs(entry?.inputs.map(\.tensor) ?? graph.inputs), specs(entry?.outputs.map(\.tensor) ?? graph.outputs)
    )
  }
}

/// A report on whether the engine can run a model, and the missing support if it can't.
public struct ModelSupport: Sendable {
  /// The unsupported operators by subgraph and position, with code, version, types, tensors, and the missing support.
  public var unsupportedOperators: [UnsupportedOperator]
  /// The reason why the model can't run even though all operators are supported; `nil` if there is none.
  public var error: RuntimeError?

  /// A Boolean value that indicates whether all entry points can be run.
  public var isSupported: Bool { unsupportedOperators.isEmpty && error == nil }
}

extension Model {
  /// Returns whether a model can run with these operators; see `support(options:)`.
  package func support(operators: @escaping OperatorLookup, options: RuntimeOptions) -> ModelSupport {
    var support = ModelSupport(unsupportedOperators: [])
    let budget = RunBudget.load(options)
    var surveyed = BitSet()
    var found: Set<UnsupportedOperator> = []
    for subgraph in [0] + file.signatures.map(\.subgraph) where !surveyed.contains(subgraph) {
      surveyed.insert(subgraph)
      do {
        // Entry points share subgraphs, and a subgraph may be called several times.
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
