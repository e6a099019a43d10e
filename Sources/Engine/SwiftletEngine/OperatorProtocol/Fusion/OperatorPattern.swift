/// A subgraph that converters write for a function, and the operator that computes the function in one node.
///
/// A pattern only recognizes the function. The pass that applies patterns checks that nothing else needs the values in
/// between.
package protocol OperatorPattern: Sendable {
  /// The operators that can be the last node of the subgraph.
  var roots: [any Operator.Type] { get }

  /// Returns the replacement of the subgraph that ends with `root`, or `nil` if its nodes compute something else.
  ///
  /// Results may differ from those of the subgraph by rounding. Results that are NaN or infinite stay so.
  func replacement(of root: PatternNode, in graph: PatternGraph) throws -> PatternReplacement?
}

/// A node with one output, as patterns see it.
package struct PatternNode {
  package let operation: any Operator
  package let inputs: [ValueID?]
  package let output: ValueID
}

/// The node that computes the result of a subgraph.
package struct PatternReplacement {
  /// The source of an input.
  package enum Input {
    /// A value that the subgraph reads.
    case value(ValueID)
    /// The result of a function with the same type and shape, applied to a value that the subgraph reads. The function
    /// of a constant is computed at load.
    case function(any Operator, of: ValueID)

    var source: ValueID {
      switch self {
      case .value(let value), .function(_, let value): value
      }
    }
  }

  package var operation: any Operator
  package var inputs: [Input]

  package init(_ operation: any Operator, _ inputs: [Input]) {
    self.operation = operation
    self.inputs = inputs
  }
}

/// The nodes of a program, found by the values that they compute, for recognizing patterns.
package struct PatternGraph {
  private var producers = ValueMap<PatternNode>()
  private let values: ValueTable

  init(_ values: ValueTable) { self.values = values }

  /// Makes a node the producer of its output.
  mutating func add(_ node: PatternNode) { producers[node.output] = node }

  /// Returns the node that computes `value`; `nil` for inputs, constants, and nodes with several outputs.
  package func node(giving value: ValueID?) -> PatternNode? { value.flatMap { producers[$0] } }

  package func spec(_ value: ValueID) -> TensorSpec { values.specs[value] }

  /// Returns whether the values are constants of the model, or computed from constants.
  package func isConstant(_ value: ValueID) -> Bool { values.constants[value] != nil }

  /// Returns the bytes of a constant; `nil` for a computed value.
  package func constant(_ value: ValueID) -> UnsafeRawBufferPointer? { values.constants[value]?.filled().bytes }
}
