public import SwiftletEngine

extension Model {
  /// Returns whether the engine can run this model: its main graph, the entry points that it names, and everything that
  /// these call. Nothing is run.
  ///
  /// Operators whose shapes only a run can tell are asked for their kind, version and types, not for sizes.
  ///
  /// - Parameter options: Those that the model would be compiled with.
  /// - Thread safety: callable concurrently.
  public func support(options: RuntimeOptions = RuntimeOptions()) -> ModelSupport {
    support(operators: OperatorCatalog.type(for:), options: options)
  }
}

extension CompiledModel {
  /// Creates a compiled model of the entry point `signature` of `model`, or its main graph, with all operators that
  /// there are.
  ///
  /// - Parameters:
  ///   - unusedOutputs: Positions of outputs that nobody reads. Runs leave out what only they need, and reading them
  ///     fails. Positions that the model does not have are ignored.
  /// - Throws: `RuntimeError`: `unsupportedOperators` with all of them, `invalidModel`, `limitExceeded`, or
  ///   `invalidArgument` for an unknown signature and for options that contradict each other: reduced precision in
  ///   bit-exact numerics.
  public convenience init(
    _ model: Model, options: RuntimeOptions = RuntimeOptions(), signature: String? = nil, unusedOutputs: Set<Int> = []
  ) throws(RuntimeError) {
    do {
      try self.init(
        model, operators: OperatorCatalog.type(for:), options: options, signature: signature,
        unusedOutputs: unusedOutputs)
    } catch {
      throw RuntimeError(wrapping: error)
    }
  }

  /// Creates a compiled model for input shapes other than the file's.
  ///
  /// - Throws: as the initializer above, and `RuntimeError` if the model cannot take the shapes.
  @_spi(Facades)
  public convenience init(
    _ model: Model, options: RuntimeOptions, signature: String?, inputShapes: [Shape]
  ) throws {
    try self.init(
      model, operators: OperatorCatalog.type(for:), options: options, signature: signature, unusedOutputs: [],
      inputShapes: inputShapes)
  }
}

extension Session {
  /// Creates a session that runs a model file: its main graph, or the entry point `signature`.
  ///
  /// For several sessions of a model, create one `CompiledModel` and share it.
  ///
  /// - Throws: `RuntimeError` as `Model(contentsOf:)`, `CompiledModel`, and `Session(_:)`.
  public convenience init(
    contentsOfFile path: String, options: RuntimeOptions = RuntimeOptions(), signature: String? = nil
  ) throws(RuntimeError) {
    try self.init(try CompiledModel(try Model(contentsOf: path), options: options, signature: signature))
  }
}
