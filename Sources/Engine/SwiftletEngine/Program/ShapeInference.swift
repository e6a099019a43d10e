import SwiftletBase

/// Infers the shapes of all values in order, has the nodes that read only constants computed at once, and sets aside
/// the nodes whose shapes only a run can tell.
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
      // State changes keep their order: once one waits for the run, those behind it wait too.
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

  /// Takes note of the states that a node of the program may change. Whatever reads one of them to infer a shape waits
  /// until it has.
  private func noteChanges(by node: Node, _ table: ValueTable) {
    for case let input? in node.inputs {
      if let variable = table.variables[input] { table.changedStates.set(variable, to: true) }
      // What gives something only reads what its handle names.
      if node.outputs.isEmpty, let resource = table.resources[input] { table.changedStates.set(resource, to: true) }
    }
  }

  /// Returns the output shapes, or `nil` if they depend on values that are not known yet.
  private func shapes(of node: Node, _ table: ValueTable, _ folding: inout ConstantFolding) throws -> [Shape]? {
    table.hasReadPendingConstant = false
    do {
      let known = try shapes(of: node, table)
      if !table.hasReadPendingConstant { return known }
    } catch {
      guard table.hasReadPendingConstant else { throw error }
    }
    // Whatever it found without the constant does not count.
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

  /// A tensor that an operator takes and gives must be the same to whoever reads it before and after.
  private func checkReplacement(of input: TensorSpec, by output: TensorSpec, _ node: Node) throws(RuntimeError) {
    guard input.shape == output.shape, input.elementType == output.elementType, input.modelType == output.modelType
    else {
      throw RuntimeError(
        .invalidModel,
        "names \(input) as its output as well, but gives \(output); type and shape must stay, or the output must be a tensor of its own",
        location: node.location)
    }
  }
}
