import SwiftletBase
package import SwiftletSchema

/// A builder that converts a subgraph of a model file to a `Graph`. It looks up and parses every operator, inlines
/// called subgraphs, expands packed constants, and collects everything that isn't supported in one error.
package struct GraphBuilder {
  private let file: ModelFile
  private let options: RuntimeOptions
  private var values = ValueSet()
  private var nodes: [Node] = []
  private var initializationSubgraphs: [Int] = []
  private var unsupported: [UnsupportedOperator] = []
  /// The replacements for the outputs of inlined operators: values of the inlined graphs.
  private var replacements = ValueMap<ValueID>()
  private var callees = ValueMap<Graph>()
  private let surveyed: SurveyedGraphs

  private init(file: ModelFile, options: RuntimeOptions, surveyed: SurveyedGraphs) {
    self.file = file
    self.options = options
    self.surveyed = surveyed
  }

  /// Builds the graph of a subgraph.
  ///
  /// - Parameters:
  ///   - operators: Looks up the operators of the engine.
  ///   - added: The operators that the program has added to the model.
  /// - Throws: `RuntimeError` with `unsupportedOperators` that lists all unsupported operators, or with `invalidModel`.
  package static func build(
    _ file: ModelFile, subgraph: Int, options: RuntimeOptions, operators: @escaping OperatorLookup,
    added: AddedOperators = AddedOperators()
  ) throws -> Graph {
    let (graph, unsupported) = try survey(
      file, subgraph: subgraph, options: options, operators: operators, added: added)
    guard unsupported.isEmpty else { throw Self.error(for: unsupported) }
    return graph
  }

  /// Returns the graph of the supported operators of a subgraph, and the unsupported operators of the subgraph and of
  /// all subgraphs that it calls.
  ///
  /// - Throws: `RuntimeError` with `invalidModel` or `limitExceeded`.
  static func survey(
    _ file: ModelFile, subgraph: Int, options: RuntimeOptions, operators: @escaping OperatorLookup,
    added: AddedOperators
  ) throws -> (graph: Graph, unsupported: [UnsupportedOperator]) {
    try survey(
      file, subgraph: subgraph, options: options, depth: 0,
      surveyed: SurveyedGraphs(
        options.limits, operators: operators, added: added, fileBytes: file.bytes.count))
  }

  private static func survey(
    _ file: ModelFile, subgraph: Int, options: RuntimeOptions, depth: Int, surveyed: SurveyedGraphs
  ) throws -> (graph: Graph, unsupported: [UnsupportedOperator]) {
    guard subgraph >= 0, subgraph < file.subgraphs.count else {
      throw RuntimeError(.invalidModel, "the model has no subgraph \(subgraph); it has \(file.subgraphs.count)")
    }
    var builder = GraphBuilder(file: file, options: options, surveyed: surveyed)
    let source = file.subgraphs[subgraph]
    try checkRunnable(source, subgraph: subgraph, .init(subgraph: subgraph))
    let before = try builder.addValues(of: source, subgraph: subgraph, reusing: ValueMap())
    let after = try builder.addNodes(of: source, subgraph: subgraph, map: before, depth: depth)
    func ports(_ tensors: [Int], _ map: [ValueID]) -> [Graph.Port] {
      tensors.map { Graph.Port(name: source.tensors[$0].name, value: builder.resolve(map[$0])) }
    }
    let graph = Graph(
      values: builder.values, nodes: builder.nodes, inputs: ports(source.inputs, before),
      outputs: ports(source.outputs, after),
      initializationSubgraphs: builder.initializationSubgraphs, callees: builder.callees,
      strings: surveyed.strings, expandedByteCount: surveyed.expandedByteLimit - surveyed.constantBudget)
    return (graph, builder.unsupported)
  }

  private static func checkRunnable(_ source: Subgraph, subgraph: Int, _ location: RuntimeError.Location)
    throws(RuntimeError)
  {
    guard source.isRunnable else {
      throw RuntimeError(
        .invalidModel, "subgraph \(subgraph) '\((source.name ?? "").excerpt)' only checks a delegate, it cannot run",
        location: location)
    }
  }

  private static func error(for unsupported: [UnsupportedOperator]) -> RuntimeError {
    let list = unsupported.map(\.description).joined(separator: "; ")
    let count = unsupported.count == 1 ? "1 operator is" : "\(unsupported.count) operators are"
    return RuntimeError(.unsupportedOperators, "\(count) not supported: \(list)")
  }

  // MARK: Values

  /// Adds a value for every tensor of `source`. Tensors in `reusing` keep the given value. Returns the value of each
  /// tensor.
  private mutating func addValues(
    of source: Subgraph, subgraph: Int, reusing: ValueMap<ValueID>
  ) throws -> [ValueID] {
    try countTensors(source.tensors.count, at: .init(subgraph: subgraph))
    let map = try source.tensors.enumerated().map { index, tensor in
      if let id = reusing[index] { return id }
      let id = values.specs.count
      let location = RuntimeError.Location(subgraph: subgraph, tensor: tensor.name)
      guard tensor.shape.count <= options.limits.rank else {
        throw RuntimeError(
          .limitExceeded, "rank \(tensor.shape.count) is above the limit of \(options.limits.rank)", location: location)
      }
      var spec = Self.declaredSpec(of: tensor)
      if let data = tensor.data {
        values.constants[id] = try constant(data, of: tensor, &spec, location)
      } else {
        spec.setType(tensor.type)
      }
      if tensor.data == nil, tensor.isVariable {
        try options.limits.check(spec, "variable", at: location)
        values.variables[id] = .tensor(subgraph: subgraph, index: index)
      }
      values.specs.append(spec)
      return id
    }
    for (index, tensor) in source.tensors.enumerated() {
      guard let blockwise = tensor.quantization?.blockwise else { continue }
      values.blocks[map[index]] = BlockQuantization(
        scales: map[blockwise.scalesTensor], size: blockwise.blockSize, axes: blockwise.axes)
    }
    return map
  }

  /// Returns the spec of a tensor as declared in the file, with the original type of 2- and 4-bit elements.
  private static func declaredSpec(of tensor: TensorDescription) -> TensorSpec {
    TensorSpec(
      name: tensor.name, elementType: tensor.type, shape: Shape(tensor.shape), shapeSignature: tensor.shapeSignature,
      quantization: tensor.quantization.map {
        QuantizationParameters(scales: $0.scales, zeroPoints: $0.zeroPoints.map { Int32(clamping: $0) }, axis: $0.axis)
      })
  }

  /// Returns the spec of a tensor at run time.
  static func spec(of tensor: TensorDescription) -> TensorSpec {
    var spec = declaredSpec(of: tensor)
    spec.setType(tensor.type)
    return spec
  }

  private func countTensors(_ count: Int, at location: RuntimeError.Location) throws {
    surveyed.tensorCount += count
    guard surveyed.tensorCount <= options.limits.tensors else {
      throw RuntimeError(
        .limitExceeded,
        "more than \(options.limits.tensors) tensors; raise RuntimeOptions.limits.tensors if this is intended",
        location: location)
    }
  }

  private func constant(
    _ data: ByteRegion, of tensor: TensorDescription, _ spec: inout TensorSpec, _ location: RuntimeError.Location
  ) throws -> ByteRegion {
    guard spec.elementType != .string else {
      let limit = RuntimeOptions.Limits.inProportion(
        options.limits.stringBytes, RuntimeOptions.Limits.expandedBytesPerByte, fileBytes: file.bytes.count)
      let pool = surveyed.strings ?? StringPool(byteLimit: limit)
      surveyed.strings = pool
      return try PackedConstants.numbered(
        data, spec: spec, pool: pool, limits: options.limits, budget: &surveyed.constantBudget, location: location)
    }
    return try PackedConstants.loadable(
      data, sparsity: tensor.sparsity, spec: &spec, limits: options.limits, budget: &surveyed.constantBudget,
      location: location)
  }

  private func resolve(_ id: ValueID) -> ValueID {
    var id = id
    while let next = replacements[id] { id = next }
    return id
  }

  // MARK: Nodes

  /// Adds a node for every operator of `source`, whose tensors are the values in `map`. Returns the values after the
  /// last operator: if an operator passes a tensor through, the tensor has another value from then on.
  private mutating func addNodes(of source: Subgraph, subgraph: Int, map: [ValueID], depth: Int) throws -> [ValueID] {
    guard depth <= options.limits.callDepth else {
      throw RuntimeError(
        .limitExceeded, "subgraphs call each other more than \(options.limits.callDepth) deep",
        location: .init(subgraph: subgraph))
    }
    var source = source
    var map = map
    for (index, description) in source.operators.enumerated() {
      let location = RuntimeError.Location(
        subgraph: subgraph, operatorIndex: index, operatorName: description.code.kind.name)
      surveyed.operatorCount += 1
      guard surveyed.operatorCount <= options.limits.operators else {
        throw RuntimeError(
          .limitExceeded,
          "more than \(options.limits.operators) operators; raise RuntimeOptions.limits.operators if this is intended",
          location: location)
      }
      let added = surveyed.addedOperators.entry(for: description.code.kind)
      let inputs = description.inputs.map { $0.map { resolve(map[$0]) } }
      let replaced = try passThrough(description, in: &map, location)
      let inputTypes = inputs.map { $0.map { values.specs[$0].modelType } }
      if let reason = unsupportedReason(
        description, added, inputTypes, description.outputs.map { values.specs[map[$0]].modelType }),
        added != nil || !correctTypes(of: description, inputTypes, in: &source, map: map)
      {
        unsupported.append(UnsupportedOperator(source, subgraph: subgraph, index: index, reason: reason))
        continue
      }
      let reader = NodeReader(location: location, description: description, subgraphs: file.subgraphs)
      guard let operation = try parse(reader, added) else { continue }
      let outputs = description.outputs.map { map[$0] }
      switch operation.role {
      case .computes: break
      case .names(let key): outputs.first.map { values.resources[$0] = key }
      case .controls(let control):
        for call in control.calls {
          try addCallee(call.subgraph, depth: depth + 1)
          try check(call, inputs: inputs, outputs: outputs, location)
        }
      case .standsFor(let callee):
        try inline(callee, inputs: inputs, outputs: outputs, location: location, depth: depth + 1)
        continue
      case .initializes(let subgraph):
        try addCallee(subgraph, depth: depth + 1)
        // The subgraph runs once, even if several operators request it.
        if !initializationSubgraphs.contains(subgraph) { initializationSubgraphs.append(subgraph) }
        continue
      }
      nodes.append(
        Node(
          location: location, number: surveyed.operatorCount, operation: operation, inputs: inputs, outputs: outputs,
          intermediates: description.intermediates.map { $0 < 0 ? nil : map[$0] }, replacedInputs: replaced))
    }
    return map
  }

  /// Creates a new value for every output that is also an input of its operator, so that no value is both read and
  /// written.
  ///
  /// - Returns: The previous value of each output's tensor; empty if the operator passes nothing through.
  private mutating func passThrough(
    _ description: OperatorDescription, in map: inout [ValueID], _ location: RuntimeError.Location
  ) throws -> [ValueID?] {
    // Only custom operators may pass tensors through. Sets keep this linear in the number of inputs and outputs.
    guard description.code.kind.isCustom else { return [] }
    let read = BitSet(description.inputs.lazy.compactMap { $0 })
    guard description.outputs.contains(where: read.contains) else { return [] }
    return try description.outputs.map { tensor in
      guard read.contains(tensor) else { return nil }
      try countTensors(1, at: location)
      let before = resolve(map[tensor])
      map[tensor] = values.specs.count
      values.specs.append(values.specs[before])
      return before
    }
  }

  /// Parses an operator.
  ///
  /// - Throws: `RuntimeError` that names the operator, also if its options can't be read.
  private func parse(_ reader: NodeReader, _ added: AddedOperators.Entry?) throws -> (any Operator)? {
    do {
      if let added { return try AddedOperator(added, reader) }
      return try surveyed.operators(reader.description.code.kind)?.init(parsing: reader)
    } catch let error as SchemaError {
      throw RuntimeError(error.runtimeCode, "\(error)", location: reader.location, underlying: error)
    }
  }

  /// Builds the graph of a subgraph that is called, not inlined.
  private mutating func addCallee(_ callee: Int, depth: Int) throws {
    if callees[callee] != nil { return }
    if let known = surveyed.graphs[callee] {
      callees[callee] = known
      return
    }
    let (graph, unsupported) = try Self.survey(
      file, subgraph: callee, options: options, depth: depth, surveyed: surveyed)
    surveyed.graphs[callee] = graph
    callees[callee] = graph
    self.unsupported += unsupported
  }

  /// Replaces a call operator with the operators of subgraph `callee`.
  private mutating func inline(
    _ callee: Int, inputs: [ValueID?], outputs: [ValueID], location: RuntimeError.Location, depth: Int
  ) throws {
    let source = file.subgraphs[callee]
    let border = SubgraphBoundary(subgraph: callee, location: location)
    try border.checkCounts(
      arguments: inputs.count, results: outputs.count, parameters: source.inputs.count, outputs: source.outputs.count)
    try Self.checkRunnable(source, subgraph: callee, location)
    var reusing = ValueMap<ValueID>()
    for (tensor, value) in zip(source.inputs, inputs) {
      guard let value else {
        throw RuntimeError(.invalidModel, "leaves out an input of subgraph \(callee)", location: location)
      }
      try border.checkArgument(values.specs[value], for: Self.spec(of: source.tensors[tensor]), keepsShape: true)
      reusing[tensor] = value
    }
    let before = try addValues(of: source, subgraph: callee, reusing: reusing)
    let after = try addNodes(of: source, subgraph: callee, map: before, depth: depth)
    for (value, tensor) in zip(outputs, source.outputs) {
      let result = resolve(after[tensor])
      // Otherwise, resolving the replacements of the value would never end.
      guard result != value else {
        throw RuntimeError(
          .invalidModel, "gives \(values.specs[value]) to subgraph \(callee) and takes it from there",
          location: location)
      }
      try border.checkResult(values.specs[result], for: values.specs[value], keepsShape: true)
      replacements[value] = result
    }
  }

  /// Compares the tensors that a control operator exchanges with a subgraph, as declared for both in the file.
  private func check(
    _ call: SubgraphCall, inputs: [ValueID?], outputs: [ValueID], _ location: RuntimeError.Location
  ) throws {
    guard let callee = callees[call.subgraph] else { return }
    let border = SubgraphBoundary(subgraph: call.subgraph, location: location)
    let results = call.givesOutputs ? outputs.count : 1
    try border.checkCounts(
      arguments: inputs.count - call.firstArgument, results: results, parameters: callee.inputs.count,
      outputs: callee.outputs.count)
    for (value, port) in zip(inputs.dropFirst(call.firstArgument), callee.inputs) {
      guard let value else { continue }
      try border.checkArgument(values.specs[value], for: callee.values.specs[port.value])
    }
    guard call.givesOutputs else { return }
    for (value, port) in zip(outputs, callee.outputs) {
      try border.checkResult(callee.values.specs[port.value], for: values.specs[value])
    }
  }

  /// Corrects the output types that follow from the input types, if the file declares another type of fixed size. Other
  /// runtimes set these types themselves, and some writers rely on it. Returns whether the operator is then supported.
  private mutating func correctTypes(
    of description: OperatorDescription, _ inputs: [ElementType?], in source: inout Subgraph, map: [ValueID]
  ) -> Bool {
    guard let identity = surveyed.operators(description.code.kind)?.identity,
      identity.versions.contains(description.code.version),
      let types = identity.outputTypes(forInputs: inputs, count: description.outputs.count),
      description.outputs.allSatisfy({ source.tensors[$0].type.bitWidth != nil })
    else { return false }
    // In place, because copying all tensors for every such operator would take quadratic time.
    for (output, type) in zip(description.outputs, types) {
      source.tensors[output].type = type
      values.specs[map[output]].setType(type)
    }
    return true
  }

  /// Returns the reason why an operator can't run, or `nil` if it can.
  private func unsupportedReason(
    _ description: OperatorDescription, _ added: AddedOperators.Entry?, _ inputs: [ElementType?],
    _ outputs: [ElementType]
  ) -> String? {
    if let added {
      return added.versions.contains(description.code.version)
        ? nil : "versions \(added.versions.lowerBound) to \(added.versions.upperBound) were added to the model"
    }
    guard let type = surveyed.operators(description.code.kind) else { return "this operator is not supported" }
    let identity = type.identity
    guard identity.versions.contains(description.code.version) else {
      return "versions \(identity.versions.lowerBound) to \(identity.versions.upperBound) are supported"
    }
    guard surveyed.types(of: identity).accept(inputs: inputs, outputs: outputs) else {
      return
        "types \(SanitizedText.list(inputs.map { $0?.name ?? "none" })) → \(SanitizedText.list(outputs.map(\.name))) are not supported, but "
        + identity.types.map(\.description).joined(separator: "; ")
    }
    return nil
  }
}
