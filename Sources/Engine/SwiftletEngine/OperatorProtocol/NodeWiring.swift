/// Where a node stands in its model, and the values that it reads and writes: all of it but the operator.
package struct NodeWiring: Sendable {
  package var location: RuntimeError.Location
  /// Tells the node from all others of the model, also where a subgraph is inlined more than once.
  package var number: Int
  /// `nil` where an optional input is left out.
  package var inputs: [ValueID?]
  package var outputs: [ValueID]
  /// Tensors that only carry quantisation parameters for the operator's inside.
  package var intermediates: [ValueID?]
  /// By output the input that it takes the place of, where the model names one tensor as both. They are values of their
  /// own here.
  package var replacedInputs: [ValueID?]
}
