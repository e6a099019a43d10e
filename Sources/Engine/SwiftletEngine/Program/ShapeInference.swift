import SwiftletBase

/// Shape inference of all values in order. It also folds nodes that read only constants, and defers nodes whose shapes
/// are known only at run time.
struct ShapeInference {
  let compiler: ProgramCompiler

  func run(_ nodes: [Node], table: ValueTable) throws -> (known: [Node], deferred: [Node]) {
    var known: [Node] = []
    var deferred: [Node] = []
    var unknown = BitSet()
    var isStateDeferred = false
    var folding = ConstantFolding(compiler)
    table.budget = compiler.budget
    for node in nodes {
      try compiler.budget.check()
      if folding.needsFinish(before: node, table) { try folding.finish(table) }
      // Nodes with state keep their order: once one is deferred, the following ones are deferred too.
      let waits =
        node.inputs.contains { $0.map(unknown.contains) ?? false } || (isStateDeferred && touchesState(node, table))
      if !waits, let shapes = try shapes(of: node, table, &folding) {
        try apply(shapes, to: node, table)
        if try folding.fold(node, table) { continue }
        known.append(node)
        noteChanges(by: node, table)
      } else {
        unknown.insert(contentsOf: node.outputs)
        isStateDeferred = isStateDeferred || touchesState(node, table)
        deferred.append(node)
      }
    }
    try folding.finish(table)
    return (known, deferred)
  }

  private func touchesState(_ node: Node, _ table: ValueTable) -> Bool {
    !node.operation.isPure || node.inputs.contains { $0.map { table.variables[$0] != nil } ?? false }
  }

  /// Records the states that a node of the program may change. Nodes that read such a state to infer a shape are
  /// deferred until the node has run.
  private func noteChanges(by node: Node, _ table: ValueTable) {
    for case let input? in node.inputs {
      if let variable = table.variables[input] { table.changedStates.set(variable, to: true) }
      // An operator with outputs only reads the resource.
      if node.outputs.isEmpty, let resource = table.resources[input] { table.changedStates.set(resource, to: true) }
    }
  }

  /// Returns the output shapes, or `nil` if they depend on values that aren't known yet.
  private func shapes(of node: Node, _ table: ValueTable, _ folding: inout ConstantFolding) throws -> [Shape]? {
    table.hasReadPendingConstant = false
    do {
      let known = try shapes(of: node, table)
      if !table.hasReadPendingConstant { return known }
    } catch {
      guard table.hasReadPendingConstant else { throw error }
    }
    // Ignore the result, because it was inferred without the constant.
    try folding.finish(table)
    return try shapes(of: node, table)
  }

  private func shapes(of node: Node, _ table: ValueTable) throws -> [Shape]? {
    do {
      return try node.locatingErrors { try node.operation.inferShapes(NodeView(node: node, values: table)) }
    } catch is DataDependence {
      return nil
    }
  }

  private func apply(_ shapes: [Shape], to node: Node, _ table: ValueTable) throws {
    guard shapes.count == node.outputs.count else {
      throw RuntimeError(
        .invalidModel, "gives \(shapes.count) outputs, the model names \(node.outputs.count)", location: node.location)
    }
    for (position, (id, shape)) in zip(node.outputs, shapes).enumerated() {
      table.specs[id].shape = shape
      if position < node.replacedInputs.count, let replaced = node.replacedInputs[position] {
        try checkReplacement(of: table.specs[replaced], by: table.specs[id], node)
      }
      try compiler.options.limits.check(table.specs[id], "output", at: node.location)
    }
  }

  /// Checks that a tensor that an operator passes through has the same type and shape before and after.
  private func checkReplacement(of input: TensorSpec, by output: TensorSpec, _ node: Node) throws(RuntimeError) {
    guard input.shape == output.shape, input.elementType == output.elementType, input.modelType == output.modelType
    else {
      throw RuntimeError(
        .invalidModel,
        "declares \(input) as its output too, but returns \(output); keep the type and shape, or use a separate tensor for the output",
        location: node.location)
    }
  }
}
