public import SwiftletEngine

extension Model {
  /// Whether the engine can run this model: its main graph, the entry points that it names, and everything that these
  /// call. Nothing is run.
  ///
  /// Operators whose shapes only a run can tell are asked for their kind, version and types, not for sizes.
  ///
  /// - Parameter options: those that the model would be compiled with.
  /// - Thread safety: callable concurrently.
  public func support(options: RuntimeOptions = RuntimeOptions()) -> ModelSupport {
    support(operators: OperatorCatalog.type(for:), options: options)
  }

  /// Every operator that this engine cannot run, in the entry point `signature` or, without one, in the main graph, and
  /// in everything that it calls. Nothing is run.
  ///
  /// - Parameter options: those that the model would be compiled with.
  /// - Throws: `RuntimeError` when the model contradicts itself or there is no such signature.
  public func unsupportedOperators(
    signature: String? = nil, options: RuntimeOptions = RuntimeOptions()
  ) throws -> [UnsupportedOperator] {
    try unsupportedOperators(operators: OperatorCatalog.type(for:), signature: signature, options: options)
  }
}
