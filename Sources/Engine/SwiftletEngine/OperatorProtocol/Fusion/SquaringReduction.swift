/// A reduction of float32 elements that can square them as it reads them.
package protocol SquaringReduction: Operator {
  /// This operator reading the elements whose squares are the node's first input; `nil` where a node of its own for the
  /// squares is as fast.
  func squaring(_ node: NodeView) throws -> Self?
}
