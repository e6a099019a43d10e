package import SwiftletJSON

/// The page about a model: its graph, its contents, and the memory of a run.
package enum ModelPage {
  /// Returns the page about a model.
  ///
  /// - Complexity: Linear in the size of the description, except for the graph's layout. The page doesn't contain
  ///   constants.
  package static func page(_ model: ModelDescription) -> HTMLPage { page(model.name, json(model), by: "inspect") }

  /// Returns the page about a model with a diagnosis: its findings, and the errors of its layers.
  ///
  /// - Parameter diagnosis: The output of `doctor --json`, about the model's first subgraph.
  package static func page(_ model: ModelDescription, diagnosis: JSONValue) -> HTMLPage {
    var data = json(model)
    if case .object(let members) = data {
      data = .object(members + [JSONValue.Member(key: "diagnosis", value: bounded(diagnosis: diagnosis))])
    }
    return page(model.name, data, by: "doctor")
  }

  /// Returns the page about a bundle: the pages of its models, selected from a list, and all members.
  package static func page(_ bundle: BundleDescription) -> HTMLPage { page(bundle.name, json(bundle), by: "inspect") }

  private static func page(_ name: String, _ data: JSONValue, by command: String) -> HTMLPage {
    HTMLPage(
      title: "\(clipped(name, 120)) – swiftlet \(command)", style: PageText.modelStyle, body: PageText.modelBody,
      script: PageText.sharedScript + "\n" + PageText.modelScript, data: data)
  }

  /// Returns the text truncated to a limit. A model's texts can be of any length, and a file can use the same text many
  /// times.
  static func clipped(_ text: String, _ limit: Int) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end != scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "… (\(scalars.count) characters)"
  }
}

// The data of the page about a model. Absent and empty values are omitted.
extension ModelPage {
  static func json(_ model: ModelDescription) -> JSONValue {
    object([
      "name": .string(clipped(model.name, 300)),
      "bytes": .int(model.byteCount),
      "version": .int(model.schemaVersion),
      "description": model.description.map { .string(clipped($0, 20_000)) },
      "supported": .bool(model.isSupported),
      "problem": model.problem.map { .string(clipped($0, 20_000)) },
      "unsupported": .array(model.unsupported.map(unsupported)),
      "constants": .int(model.constantByteCount),
      "packed": model.packedByteCount.map { .int($0) },
      "families": .strings(OperatorFamily.allCases.map(\.title)),
      "graphs": .array(model.subgraphs.map { graph($0) }),
      "signatures": .array(model.signatures.map(entryPoint)),
      "metadata": bounded(model.metadata),
      "labels": .strings(model.labels.prefix(labelLimit).map { clipped($0, 300) }),
      "labelCount": .int(model.labels.count),
      "arena": model.arena.map(arena),
    ])
  }

  static func json(_ bundle: BundleDescription) -> JSONValue {
    object([
      "bundle": .string(clipped(bundle.name, 300)),
      "members": .array(
        bundle.members.prefix(1000).map { member in
          object([
            "name": .string(clipped(member.name, 300)), "bytes": .int(member.byteCount), "kind": .string(member.kind),
            "model": member.model.map { .int($0) }, "problem": member.problem.map { .string(clipped($0, 5000)) },
          ])
        }),
      "memberCount": .int(bundle.members.count),
      "models": .array(bundle.models.map { json($0) }),
    ])
  }

  private static let labelLimit = 5000

  /// Returns a value from an untrusted file with its texts and lists truncated.
  static func bounded(_ value: JSONValue, texts: Int = 20_000) -> JSONValue {
    switch value {
    case .string(let text): .string(clipped(text, texts))
    case .array(let elements): .array(elements.prefix(1000).map { bounded($0, texts: texts) })
    case .object(let members):
      .object(members.map { JSONValue.Member(key: $0.key, value: bounded($0.value, texts: texts)) })
    default: value
    }
  }

  /// Returns a diagnosis with its texts and lists truncated.
  ///
  /// The lists of layers and tensors are complete, because the graph is complete, too. Their texts are names, which have
  /// the limit of the graph's names.
  static func bounded(diagnosis: JSONValue) -> JSONValue {
    guard case .object(let members) = diagnosis else { return bounded(diagnosis, texts: 2000) }
    return .object(
      members.map { member in
        guard ["layers", "tensors"].contains(member.key), case .array(let elements) = member.value else {
          return JSONValue.Member(key: member.key, value: bounded(member.value, texts: 2000))
        }
        return JSONValue.Member(key: member.key, value: .array(elements.map { bounded($0, texts: 300) }))
      })
  }

  static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(
      members.compactMap { key, value in
        switch value {
        case nil, .null?, .array([])?, .string("")?: nil
        case let value?: JSONValue.Member(key: key, value: value)
        }
      })
  }

  private static func unsupported(_ item: ModelDescription.UnsupportedOperator) -> JSONValue {
    object([
      "graph": .int(item.subgraph), "index": .int(item.index), "op": .string(clipped(item.name, 300)),
      "version": .int(item.version),
      "reason": .string(clipped(item.reason, 5000)),
    ])
  }

  private static func graph(_ graph: ModelDescription.Graph) -> JSONValue {
    let drawing = GraphDrawing(graph)
    return object([
      "name": .string(clipped(graph.name, 300)),
      "inputs": .ints(graph.inputs),
      "outputs": .ints(graph.outputs),
      "tensors": .array(graph.tensors.map(tensor)),
      "operators": .array(graph.operators.map(operation)),
      "width": .int(drawing.layout.width),
      "height": .int(drawing.layout.height),
      "nodes": .array(drawing.layout.nodes.map { .ints([$0.x, $0.y, $0.width, $0.height]) }),
      "routes": .array(
        zip(drawing.tensors, drawing.layout.routes).map { tensor, route in
          object([
            "tensor": .int(tensor),
            "lines": .array(route.lines.map { .ints($0.flatMap { [$0.x, $0.y] }) }),
            "ends": .ints(route.ends.flatMap { [$0.x, $0.y] }),
            "omitted": .ints(route.omitted),
          ])
        }),
    ])
  }

  private static func tensor(_ tensor: ModelDescription.Tensor) -> JSONValue {
    object([
      "name": .string(clipped(tensor.name, 300)),
      "type": .string(tensor.type),
      "shape": .ints(tensor.shape),
      "signature": tensor.signature.map { .ints($0) },
      "role": tensor.role == .computed ? nil : .string(tensor.role.rawValue),
      "bytes": tensor.byteCount.map { .int($0) },
      "quantization": tensor.quantization.map(quantization),
      "values": tensor.values.map { .string(clipped($0, 500)) },
      "note": tensor.note.map { .string(clipped($0, 500)) },
    ])
  }

  private static func quantization(_ value: ModelDescription.Tensor.Quantization) -> JSONValue {
    .object([
      "channels": .int(value.channelCount), "axis": .int(value.axis),
      "scales": .floats([value.smallestScale, value.medianScale, value.largestScale]),
      "zeros": .ints([value.smallestZeroPoint, value.largestZeroPoint]),
    ])
  }

  private static func operation(_ operation: ModelDescription.Operator) -> JSONValue {
    object([
      "op": .string(clipped(operation.name, 300)),
      "version": .int(operation.version),
      "family": .int(OperatorFamily(operatorNamed: operation.name, isCustom: operation.isCustom).rawValue),
      "inputs": .ints(operation.inputs.map { $0 ?? -1 }),
      "outputs": .ints(operation.outputs),
      "options": .array(operation.options.map { .strings([clipped($0.name, 300), clipped($0.value, 1000)]) }),
      "callees": .ints(operation.callees),
      "summary": .string(clipped(operation.summary, 200)),
      "kernel": .string(clipped(operation.implementation, 100)),
    ])
  }

  private static func entryPoint(_ entry: ModelDescription.EntryPoint) -> JSONValue {
    func ports(_ ports: [ModelDescription.EntryPoint.Port]) -> JSONValue {
      .array(ports.map { .object(["name": .string(clipped($0.name, 300)), "tensor": .int($0.tensor)]) })
    }
    return object([
      "key": .string(clipped(entry.key, 300)), "graph": .int(entry.subgraph), "inputs": ports(entry.inputs),
      "outputs": ports(entry.outputs),
    ])
  }

  private static func arena(_ arena: ModelDescription.Arena) -> JSONValue {
    object([
      "bytes": .int(arena.byteCount),
      "operators": .array(
        arena.operators.map { .array([.int($0.subgraph), .int($0.index), .string(clipped($0.name, 300))]) }),
      "live": .ints(arena.liveBytes),
      "blocks": .array(
        arena.blocks.map { block in
          object([
            "offset": .int(block.offset), "bytes": .int(block.byteCount), "first": .int(block.first),
            "last": .int(block.last),
            "tensors": .ints(block.tensors), "names": .strings(block.names.map { clipped($0, 300) }),
          ])
        }),
      "deferred": .int(arena.deferredCount),
    ])
  }
}

/// A model's graph as boxes and lines: inputs, operators, and outputs, in that order.
package struct GraphDrawing: Sendable {
  package let layout: GraphLayout
  /// The tensor of each line of the layout.
  package let tensors: [Int]

  private static let characterWidth = 7.3
  private static let smallCharacterWidth = 6.7

  package init(_ graph: ModelDescription.Graph) {
    let firstOutput = graph.inputs.count + graph.operators.count
    var makers = [Int?](repeating: nil, count: graph.tensors.count)
    var readers = [[Int]](repeating: [], count: graph.tensors.count)
    for (position, tensor) in graph.inputs.enumerated() { makers[tensor] = position }
    for (index, operation) in graph.operators.enumerated() {
      for tensor in operation.inputs.compactMap({ $0 }) { readers[tensor].append(graph.inputs.count + index) }
      for tensor in operation.outputs { makers[tensor] = makers[tensor] ?? graph.inputs.count + index }
    }
    for (position, tensor) in graph.outputs.enumerated() { readers[tensor].append(firstOutput + position) }
    let drawn = graph.tensors.indices.filter { makers[$0] != nil && !readers[$0].isEmpty }
    tensors = drawn
    let sizes =
      graph.inputs.map { Self.size(ofEnd: graph.tensors[$0]) }
      + graph.operators.map { Self.size($0, graph) }
      + graph.outputs.map { Self.size(ofEnd: graph.tensors[$0]) }
    layout = GraphLayout(
      nodes: sizes, nets: drawn.map { GraphLayout.Net(source: makers[$0] ?? 0, targets: readers[$0]) },
      floating: Set(graph.inputs.count..<firstOutput))
  }

  /// Returns the size of an operator's box: the name with the index, the shape of the output, and a further line for
  /// the summary.
  private static func size(_ operation: ModelDescription.Operator, _ graph: ModelDescription.Graph) -> GraphLayout.Size
  {
    let shape = operation.outputs.first.map { shapeText(graph.tensors[$0].shape) } ?? ""
    let width = max(
      Double(operation.name.unicodeScalars.prefix(64).count + 5) * characterWidth,
      Double(max(shape.count, operation.summary.unicodeScalars.prefix(64).count)) * smallCharacterWidth)
    return GraphLayout.Size(width: bounded(width), height: operation.summary.isEmpty ? 44 : 60)
  }

  private static func size(ofEnd tensor: ModelDescription.Tensor) -> GraphLayout.Size {
    let width = max(
      Double(tensor.name.unicodeScalars.prefix(64).count + 4) * characterWidth,
      Double(shapeText(tensor.shape).count + tensor.type.count + 1) * smallCharacterWidth)
    return GraphLayout.Size(width: bounded(width + 8), height: 44)
  }

  /// Returns a clamped width that is even, so that the center is an integer.
  private static func bounded(_ width: Double) -> Int { Int(min(max(width, 84), 236) / 2) * 2 + 28 }

  private static func shapeText(_ shape: [Int]) -> String { shape.map(String.init).joined(separator: "×") }
}
