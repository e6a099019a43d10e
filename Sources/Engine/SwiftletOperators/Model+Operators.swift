public import SwiftletEngine

extension Model {
  /// Returns whether the engine can run this model: its main graph, the entry points that it names, and everything that these
  /// call. Nothing is run.
  ///
  /// Operators whose shapes only a run can tell are asked for their kind, version and types, not for sizes.
  ///
  /// - Parameter options: those that the model would be compiled with.
  /// - Thread safety: callable concurrently.
  public func support(options: RuntimeOptions = RuntimeOptions()) -> ModelSupport {
    support(operators: OperatorCatalog.type(for:), options: options)
  }
}
