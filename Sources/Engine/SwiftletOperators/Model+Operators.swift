public import SwiftletEngine

extension Model {
  /// Returns whether the engine can run this model: its main graph, its signatures, and everything that they call.
  /// Nothing is run.
  ///
  /// For operators whose shapes are known only at run time, the method checks kind, version, and types, but not sizes.
  ///
  /// - Parameter options: The options for compiling the model.
  /// - Thread safety: callable concurrently.
  public func support(options: RuntimeOptions = RuntimeOptions()) -> ModelSupport {
    support(operators: OperatorCatalog.type(for:), options: options)
  }
}

extension CompiledModel {
  /// Creates a compiled model of the entry point `signature` of `model`, or of its main graph, with all operators of
  /// the engine.
  ///
  /// - Parameters:
  ///   - unusedOutputs: The indices of outputs that are never read. Runs skip the operators that only these outputs
  ///     need, and reading them fails. Invalid indices are ignored.
  /// - Throws: `RuntimeError`: `unsupportedOperators` with all unsupported operators, `invalidModel`, `limitExceeded`,
  ///   or `invalidArgument` for an unknown signature and for the combination of reduced precision and bit-exact
  ///   numerics.
  public convenience init(
    _ model: Model, options: RuntimeOptions = RuntimeOptions(), signature: String? = nil, unusedOutputs: Set<Int> = []
  ) throws(RuntimeError) {
    do {
      try self.init(
        model, operators: OperatorCatalog.type(for:), patterns: OperatorCatalog.patterns, options: options,
        signature: signature, unusedOutputs: unusedOutputs)
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
      model, operators: OperatorCatalog.type(for:), patterns: OperatorCatalog.patterns, options: options,
      signature: signature, unusedOutputs: [], inputShapes: inputShapes)
  }
}

extension Session {
  /// Creates a session that runs a model file: its main graph, or the entry point `signature`.
  ///
  /// For several sessions of one model, create a `CompiledModel` and share it.
  ///
  /// - Throws: The errors of `Model(contentsOf:)`, `CompiledModel`, and `Session(_:)`.
  public convenience init(
    contentsOfFile path: String, options: RuntimeOptions = RuntimeOptions(), signature: String? = nil
  ) throws(RuntimeError) {
    try self.init(try CompiledModel(try Model(contentsOf: path), options: options, signature: signature))
  }
}
