/// What an operator is to the graph that it stands in.
///
/// One requirement of all operators instead of one for each role, because nearly all operators compute.
package enum OperatorRole {
  /// A node of a program.
  case computes
  /// Its resource-typed output names this variable.
  case names(StateKey)
  /// A subgraph that runs once per session before this node's graph runs.
  case initializes(subgraph: Int)
  /// The operators of a subgraph take its place when the graph is built.
  case standsFor(subgraph: Int)
  /// It is evaluated between programs.
  case controls(any ControlOperator)

  /// The operator as one that is evaluated between programs.
  package var control: (any ControlOperator)? {
    if case .controls(let operation) = self { operation } else { nil }
  }
}
