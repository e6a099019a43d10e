extension Model {
  /// Adds an operator for this model's nodes of the custom operator `name`, in place of the engine's own one if there
  /// is one.
  ///
  /// Other models, and copies of this one made earlier, do not know it. Add operators before `CompiledModel` is made.
  ///
  /// - Parameters:
  ///   - name: as in the model file; `support(options:)` lists those that are missing.
  ///   - versions: those that the operator can run. Nodes of others are unsupported.
  ///   - make: makes the operator of one node from what the model says about it. An error that it throws ends the
  ///     compilation with a `RuntimeError` (`invalidModel`) that names the node.
  public mutating func addOperator(
    named name: String, versions: ClosedRange<Int> = 1...1,
    _ make: @escaping @Sendable (CustomOperatorOptions) throws -> any CustomOperator
  ) {
    addedOperators.add(name, AddedOperators.Entry(versions: versions, make: make))
  }
}
