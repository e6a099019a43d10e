import SwiftletFlatBuffers
package import SwiftletSchema

/// Turns a subgraph of a model file into a `Graph`: looks up and parses every operator, inlines called subgraphs, expands packed
/// constants, and collects everything that is not supported into one error.
package struct GraphBuilder {
  private let file: ModelFile
  private let options: RuntimeOptions
  private var values = ValueSet()
  private var nodes: [Node] = []
  private var initializationSubgraphs: [Int] = []
  private var unsupported: [UnsupportedOperator] = []
  /// Outputs of inlined operators, and the inlined graph's value that takes their place.
  private var replacements = ValueMap<ValueID>()
  private var callees = ValueMap<Graph>()
  private let surveyed: SurveyedGraphs

  /// What the builders of all subgraphs share: graphs of called subgraphs, each built once however often it is called,
  /// and how much has been built. Inlining multiplies what a small file holds.
  private final class SurveyedGraphs {
    var graphs = ValueMap<Graph>()
    var operatorCount = 0
    var tensorCount = 0
    /// How many bytes of constants may still be copied.
    var constantBudget: Int
    let addedOperators: AddedOperators
    /// Made with the first strings, as most models have none.
    var strings: StringPool?

    /// What `constantBudget` was at first.
    let expandedByteLimit: Int

    init(_ limits: RuntimeOptions.Limits, _ added: AddedOperators, fileBytes: Int) {
      expandedByteLimit = RuntimeOptions.Limits.inProportion(
        limits.foldedBytes, RuntimeOptions.Limits.expandedBytesPerByte, fileBytes: fileBytes)
      constantBudget = expandedByteLimit
      addedOperators = added
    }
  }

  private init(file: ModelFile, options: RuntimeOptions, surveyed: SurveyedGraphs) {
    self.file = file
    self.options = options
    self.surveyed = surveyed
  }

  /// - Parameter added: the operators that the program has added to the model.
  /// - Throws: `RuntimeError` with `unsupportedOperators` that lists all of them, or `invalidModel`.
  package static func build(
    _ file: ModelFile, subgraph: Int, options: RuntimeOptions, added: AddedOperators = AddedOperators()
  ) throws -> Graph {
    let (graph, unsupported) = try survey(file, subgraph: subgraph, options: options, added: added)
    guard unsupported.isEmpty else { throw Self.error(for: unsupported) }
    return graph
  }

  /// A graph of the operators of a subgraph that there are, and those of it and of everything it calls that there are not.
  ///
  /// - Throws: `RuntimeError`, `invalidModel` or `limitExceeded`.
  static func survey(
    _ file: ModelFile, subgraph: Int, options: RuntimeOptions, added: AddedOperators
  ) throws -> (graph: Graph, unsupported: [UnsupportedOperator]) {
    try survey(
      file, subgraph: subgraph, options: options, depth: 0,
      surveyed: SurveyedGraphs(options.limits, added, fileBytes: file.bytes.count))
  }

  private static func survey(
    _ file: ModelFile, subgraph: Int, options: RuntimeOptions, depth: Int, surveyed: SurveyedGraphs
  ) throws -> (graph: Graph, unsupported: [UnsupportedOperator]) {
    guard subgraph >= 0, subgraph < file.subgraphs.count else {
      throw RuntimeError(.invalidModel, "the model has no subgraph \(subgraph), it has \(file.subgraphs.count)")
    }
    var builder = GraphBuilder(file: file, options: options, surveyed: surveyed)
    let source = file.subgraphs[subgraph]
    let map = try builder.addValues(of: source, subgraph: subgraph, reusing: ValueMap())
    try builder.addNodes(of: source, subgraph: subgraph, map: map, depth: depth)
    func ports(_ tensors: [Int]) -> [Graph.Port] {
      tensors.map { Graph.Port(name: source.tensors[$0].name, value: builder.resolve(map[$0])) }
    }
    let graph = Graph(
      values: builder.values, nodes: builder.nodes, inputs: ports(source.inputs), outputs: ports(source.outputs),
      initializationSubgraphs: builder.initializationSubgraphs, callees: builder.callees,
      strings: surveyed.strings, expandedByteCount: surveyed.expandedByteLimit - surveyed.constantBudget)
    return (graph, builder.unsupported)
  }

  private static func error(for unsupported: [UnsupportedOperator]) -> RuntimeError {
    let list = unsupported.map(\.description).joined(separator: "; ")
    let count = unsupported.count == 1 ? "1 operator is" : "\(unsupported.count) operators are"
    return RuntimeError(.unsupportedOperators, "\(count) not supported: \(list)")
  }

  // MARK: Values

  /// Adds a value for every tensor of `source`; tensors in `reusing` keep the value given there. Returns the value of each tensor.
  private mutating func addValues(
    of source: Subgraph, subgraph: Int, reusing: ValueMap<ValueID>
  ) throws -> [ValueID] {
    surveyed.tensorCount += source.tensors.count
    guard surveyed.tensorCount <= options.limits.tensors else {
      throw RuntimeError(
        .limitExceeded, "more than \(options.limits.tensors) tensors", location: .init(subgraph: subgraph))
    }
    let map = try source.tensors.enumerated().map { index, tensor in
      if let id = reusing[index] { return id }
      let id = values.specs.count
      let location = RuntimeError.Location(subgraph: subgraph, tensor: tensor.name)
      guard tensor.shape.count <= options.limits.rank else {
        throw RuntimeError(
          .limitExceeded, "rank \(tensor.shape.count) is above the limit of \(options.limits.rank)", location: location)
      }
      var spec = TensorSpec(
        name: tensor.name, elementType: tensor.type, shape: Shape(tensor.shape), shapeSignature: tensor.shapeSignature,
        quantization: tensor.quantization.map {
          QuantizationParameters(
            scales: $0.scales, zeroPoints: $0.zeroPoints.map { Int32(clamping: $0) }, axis: $0.axis)
        })
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
      data, sparsity: tensor.sparsity, spec: &spec, limits: options.limits, budget: &surveyed.constantBudget, location: location)
  }

  private func resolve(_ id: ValueID) -> ValueID {
    var id = id
    while let next = replacements[id] { id = next }
    return id
  }

  // MARK: Nodes

  private mutating func addNodes(of source: Subgraph, subgraph: Int, map: [ValueID], depth: Int) throws {
    guard depth <= options.limits.callDepth else {
      throw RuntimeError(
        .limitExceeded, "subgraphs call each other more than \(options.limits.callDepth) deep",
        location: .init(subgraph: subgraph))
    }
    var source = source
    for (index, description) in source.operators.enumerated() {
      let location = RuntimeError.Location(
        subgraph: subgraph, operatorIndex: index, operatorName: description.code.kind.name)
      surveyed.operatorCount += 1
      guard surveyed.operatorCount <= options.limits.operators else {
        throw RuntimeError(.limitExceeded, "more than \(options.limits.operators) operators", location: location)
      }
      let added = surveyed.addedOperators.entry(for: description.code.kind)
      if let reason = Self.unsupportedReason(description, added, in: source),
        added != nil || !correctTypes(of: description, in: &source, map: map)
      {
        unsupported.append(UnsupportedOperator(source, subgraph: subgraph, index: index, reason: reason))
        continue
      }
      let reader = NodeReader(location: location, description: description, subgraphs: file.subgraphs)
      guard let operation = try Self.parse(reader, added) else { continue }
      let inputs = description.inputs.map { $0.map { resolve(map[$0]) } }
      let outputs = description.outputs.map { map[$0] }
      if let callee = operation.inlinedSubgraph {
        try inline(callee, inputs: inputs, outputs: outputs, location: location, depth: depth + 1)
        continue
      }
      if let key = operation.resourceKey, let output = outputs.first { values.resources[output] = key }
      for callee in operation.asControl?.subgraphs ?? [] { try addCallee(callee, depth: depth + 1) }
      if let subgraph = operation.initializationSubgraph {
        try addCallee(subgraph, depth: depth + 1)
        initializationSubgraphs.append(subgraph)
        continue
      }
      let intermediates = description.intermediates.map { $0 < 0 ? nil : map[$0] }
      nodes.append(
        Node(
          location: location, number: surveyed.operatorCount, operation: operation, inputs: inputs, outputs: outputs,
          intermediates: intermediates))
    }
  }

  /// - Throws: `RuntimeError` that names the operator, also where its options cannot be read.
  private static func parse(_ reader: NodeReader, _ added: AddedOperators.Entry?) throws -> (any Operator)? {
    do {
      if let added { return try AddedOperator(added, reader) }
      return try OperatorCatalog.type(for: reader.description.code.kind)?.init(parsing: reader)
    } catch let error as SchemaError {
      throw RuntimeError(.invalidModel, "\(error)", location: reader.location, underlying: error)
    }
  }

  /// Builds the graph of a subgraph that is run, not inlined.
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

  /// Puts the operators of subgraph `callee` in the place of an operator that calls it.
  private mutating func inline(
    _ callee: Int, inputs: [ValueID?], outputs: [ValueID], location: RuntimeError.Location, depth: Int
  ) throws {
    let source = file.subgraphs[callee]
    guard source.inputs.count == inputs.count, source.outputs.count == outputs.count else {
      throw RuntimeError(
        .invalidModel,
        "calls subgraph \(callee), which takes \(source.inputs.count) inputs and gives \(source.outputs.count) outputs, with \(inputs.count) and \(outputs.count)",
        location: location)
    }
    var reusing = ValueMap<ValueID>()
    for (tensor, value) in zip(source.inputs, inputs) {
      guard let value else {
        throw RuntimeError(.invalidModel, "leaves out an input of subgraph \(callee)", location: location)
      }
      reusing[tensor] = value
    }
    let map = try addValues(of: source, subgraph: callee, reusing: reusing)
    try addNodes(of: source, subgraph: callee, map: map, depth: depth)
    for (value, tensor) in zip(outputs, source.outputs) { replacements[value] = resolve(map[tensor]) }
  }

  /// Gives outputs whose type follows from the inputs' types that type, where the file has another of fixed size: runtimes set it themselves, and some writers
  /// rely on it. Returns whether that makes the operator one that is supported.
  private mutating func correctTypes(of description: OperatorDescription, in source: inout Subgraph, map: [ValueID]) -> Bool {
    let inputs = description.inputs.map { $0.map { source.tensors[$0].type } }
    guard let identity = OperatorCatalog.type(for: description.code.kind)?.identity, identity.versions.contains(description.code.version),
      let types = identity.outputTypes(forInputs: inputs, count: description.outputs.count),
      description.outputs.allSatisfy({ source.tensors[$0].type.bitWidth != nil })
    else { return false }
    // In place: a copy of all tensors for every such operator would take the square of their number.
    for (output, type) in zip(description.outputs, types) {
      source.tensors[output].type = type
      values.specs[map[output]].setType(type)
    }
    return true
  }

  /// Why an operator cannot run, or `nil` when it can.
  private static func unsupportedReason(
    _ description: OperatorDescription, _ added: AddedOperators.Entry?, in source: Subgraph
  ) -> String? {
    if let added {
      return added.versions.contains(description.code.version)
        ? nil : "versions \(added.versions.lowerBound) to \(added.versions.upperBound) were added to the model"
    }
    guard let type = OperatorCatalog.type(for: description.code.kind) else { return "there is no such operator here" }
    let identity = type.identity
    guard identity.versions.contains(description.code.version) else {
      return "versions \(identity.versions.lowerBound) to \(identity.versions.upperBound) are supported"
    }
    let inputs = description.inputs.map { $0.map { source.tensors[$0].type } }
    let outputs = description.outputs.map { source.tensors[$0].type }
    guard identity.accepts(inputs: inputs, outputs: outputs) else {
      return "types \(inputs.map { $0?.name ?? "none" }.joined(separator: ", ")) → \(outputs.map(\.name).joined(separator: ", ")) are not supported, but "
        + identity.types.map(\.description).joined(separator: "; ")
    }
    return nil
  }
}
