/// One operator of a graph with the values it reads and writes.
package struct Node: Sendable {
  /// Everything but the operator.
  package private(set) var wiring: NodeWiring
  package var operation: any Operator

  package init(
    location: RuntimeError.Location, number: Int, operation: any Operator, inputs: [ValueID?], outputs: [ValueID],
    intermediates: [ValueID?] = [], replacedInputs: [ValueID?] = []
  ) {
    wiring = NodeWiring(
      location: location, number: number, inputs: inputs, outputs: outputs, intermediates: intermediates,
      replacedInputs: replacedInputs)
    self.operation = operation
  }

  package var location: RuntimeError.Location { wiring.location }
  package var number: Int { wiring.number }
  package var inputs: [ValueID?] {
    get { wiring.inputs }
    _modify { yield &wiring.inputs }
  }
  package var outputs: [ValueID] {
    get { wiring.outputs }
    _modify { yield &wiring.outputs }
  }
  package var replacedInputs: [ValueID?] { wiring.replacedInputs }

  /// Runs `body`, which works on this node; errors that do not say where they happened say so then.
  func locatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch var error as RuntimeError where error.location == nil {
      error.location = location
      throw error
    }
  }
}

extension NodeView {
  /// The node as its operator sees it.
  init(node: Node, values: ValueTable) { self.init(node: node.wiring, values: values) }
}
