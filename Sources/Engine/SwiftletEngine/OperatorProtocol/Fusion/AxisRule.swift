/// What becomes of an operator when the axes of its tensors lie in memory in another order than in the model.
package enum AxisRule: Sendable {
  /// It depends on the order.
  case fixed
  /// It works element by element, on operands that broadcast: any order will do that is the same for all.
  case elementwise
  /// Its options or other inputs name axes.
  case named(any AxisNamingOperator)
  /// All that it does is to change the order.
  case transposition(any TranspositionOperator)
}

/// An operator whose options name axes of its first inputs and of its output.
package protocol AxisNamingOperator: Operator {
  /// How many inputs, the first ones, have the axes of the output.
  func reorderableInputCount(_ node: NodeView) -> Int
  /// The operator for tensors whose axis `i` is axis `order[i]` of the model's.
  func reordered(_ order: [Int], _ node: NodeView) throws -> any Operator
}

/// An operator that gives its first input with the axes in another order.
package protocol TranspositionOperator: Operator {
  /// For each axis of the output that of the input; `nil` where only the run knows.
  func permutation(_ node: NodeView) throws -> [Int]?
  /// The operator that does this with its only input.
  func transposing(by permutation: [Int]) -> any Operator
}
