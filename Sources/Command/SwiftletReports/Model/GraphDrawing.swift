/// A model's graph as boxes and lines: inputs, operators, outputs, in that order.
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

  /// Room for the name with the number, and for the shape of what it makes; a line more for its summary.
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

  /// Even, so that middles are whole.
  private static func bounded(_ width: Double) -> Int { Int(min(max(width, 84), 236) / 2) * 2 + 28 }

  private static func shapeText(_ shape: [Int]) -> String { shape.map(String.init).joined(separator: "×") }
}
