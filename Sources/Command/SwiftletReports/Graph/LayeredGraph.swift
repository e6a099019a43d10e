/// A graph whose lines only lead from one layer to the next. A line that passes a layer has a bend there.
struct LayeredGraph {
  /// A node, or the bend of a line.
  struct Vertex {
    var layer: Int
    var width: Int
    var height: Int
    var isBend: Bool
    /// The length of the longest path through the vertex; 0 for bends and for nodes next to the paths.
    var wayLength = 0
    /// The neighbors in the layer above and in the layer below.
    var upper: [Int] = []
    var lower: [Int] = []
  }

  /// A net's bends, one in each layer below its source, and the readers that it reaches.
  struct Chain {
    var bends: [Int] = []
    var targets: [Int] = []
    var omitted: [Int] = []
  }

  /// The nodes in their order, followed by the bends.
  private(set) var vertices: [Vertex]
  /// The vertices of each layer from left to right.
  var layers: [[Int]]
  private(set) var chains: [Chain]

  init(sizes: [GraphLayout.Size], nets: [GraphLayout.Net], assignment: LayerAssignment, lineLimit: Int) {
    let layerOfNode = assignment.layers
    vertices = sizes.enumerated().map { node, size in
      Vertex(
        layer: layerOfNode[node], width: size.width, height: size.height, isBend: false,
        wayLength: assignment.wayLengths[node])
    }
    layers = Array(repeating: [], count: (layerOfNode.max() ?? -1) + 1)
    chains = []
    chains.reserveCapacity(nets.count)
    let limit = Self.longestSpan(nets, layerOfNode, total: lineLimit)
    for net in nets {
      var chain = Chain()
      // A node that reads a value twice gets a single line.
      for target in Set(net.targets).sorted() {
        let span = layerOfNode[target] - layerOfNode[net.source]
        if target > net.source, span >= 1, span <= limit {
          chain.targets.append(target)
        } else {
          chain.omitted.append(target)
        }
      }
      let span = chain.targets.map { layerOfNode[$0] - layerOfNode[net.source] }.max() ?? 0
      var previous = net.source
      for layer in layerOfNode[net.source] + 1..<layerOfNode[net.source] + max(span, 1) {
        vertices.append(Vertex(layer: layer, width: 2, height: 0, isBend: true))
        chain.bends.append(vertices.count - 1)
        join(previous, vertices.count - 1)
        previous = vertices.count - 1
      }
      for target in chain.targets {
        let distance = layerOfNode[target] - layerOfNode[net.source]
        join(distance == 1 ? net.source : chain.bends[distance - 2], target)
      }
      chains.append(chain)
    }
    for (index, vertex) in vertices.enumerated() { layers[vertex.layer].append(index) }
  }

  private mutating func join(_ upper: Int, _ lower: Int) {
    vertices[upper].lower.append(lower)
    vertices[lower].upper.append(upper)
  }

  /// Returns the length of the longest line to draw, so that all lines up to this length pass at most `total` layers
  /// together.
  private static func longestSpan(_ nets: [GraphLayout.Net], _ layerOfNode: [Int], total: Int) -> Int {
    var layersBySpan = [Int](repeating: 0, count: (layerOfNode.max() ?? 0) + 2)
    for net in nets {
      let span = net.targets.filter { $0 > net.source }.map { layerOfNode[$0] - layerOfNode[net.source] }.max() ?? 0
      if span > 1 { layersBySpan[span] += span - 1 }
    }
    var sum = 0
    for (span, layers) in layersBySpan.enumerated() {
      sum += layers
      if sum > total { return max(span - 1, 1) }
    }
    return layersBySpan.count
  }
}

/// The kind of work that an operator does. The operators of a family have the same color in all pages.
package enum OperatorFamily: Int, Sendable, CaseIterable {
  case product, reduction, arithmetic, control, custom, conversion, lookup, movement

  /// The name in the legend.
  package var title: String {
    switch self {
    case .product: "convolutions and products"
    case .reduction: "pooling and reductions"
    case .arithmetic: "arithmetic and activations"
    case .control: "control, state and recurrence"
    case .custom: "custom operators"
    case .conversion: "quantization and casts"
    case .lookup: "resizing and look-ups"
    case .movement: "shapes and moving data"
    }
  }

  /// - Parameter name: The schema's name, `CONV_2D`, or a custom operator's own name.
  package init(operatorNamed name: String, isCustom: Bool) {
    if isCustom {
      self = .custom
      return
    }
    let plain = name.hasPrefix("STABLEHLO_") ? String(name.dropFirst("STABLEHLO_".count)) : name
    self = Self.members.first { $0.names.contains(plain) }?.family ?? Self.guess(plain)
  }

  private static func guess(_ name: String) -> OperatorFamily {
    if name.hasPrefix("CONV_") || name.hasSuffix("CONVOLUTION") { return .product }
    if name.hasPrefix("REDUCE") || name.contains("POOL_") || name.hasPrefix("UNSORTED_SEGMENT") { return .reduction }
    if name.contains("LSTM") || name.contains("RNN") || name.contains("VARIABLE") { return .control }
    if name.hasPrefix("HASHTABLE") || name.hasPrefix("GATHER") || name.hasPrefix("RESIZE") || name.contains("LOOKUP")
      || name.contains("SCATTER")
    {
      return .lookup
    }
    if name.contains("SLICE") || name.hasPrefix("SPLIT") || name.contains("PAD") || name.contains("BATCH_ND")
      || name.hasPrefix("BATCH_TO_SPACE")
    {
      return .movement
    }
    return .arithmetic
  }

  private static let members: [(family: OperatorFamily, names: Set<String>)] = [
    (.product, ["DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "BATCH_MATMUL", "TRANSPOSE_CONV", "DOT_GENERAL", "RFFT2D"]),
    (
      .reduction,
      [
        "MEAN", "SUM", "ARG_MAX", "ARG_MIN", "CUMSUM", "TOPK_V2", "SEGMENT_SUM", "SORT", "UNIQUE",
        "NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V5",
      ]
    ),
    (
      .control,
      ["IF", "WHILE", "CASE", "CALL", "CALL_ONCE", "VAR_HANDLE", "SVDF", "COMPOSITE", "CUSTOM_CALL", "DELEGATE"]
    ),
    (.conversion, ["QUANTIZE", "DEQUANTIZE", "CAST", "FAKE_QUANT", "DENSIFY", "BITCAST", "CONVERT"]),
    (
      .lookup,
      [
        "ONE_HOT", "DEPTH_TO_SPACE", "SPACE_TO_DEPTH", "WHERE", "BUCKETIZE", "SPARSE_TO_DENSE", "LSH_PROJECTION",
        "SKIP_GRAM",
      ]
    ),
    (
      .movement,
      [
        "RESHAPE", "TRANSPOSE", "CONCATENATION", "CONCATENATE", "CONCAT_EMBEDDINGS", "PACK", "UNPACK", "SQUEEZE",
        "EXPAND_DIMS", "TILE",
        "BROADCAST_TO", "BROADCAST_ARGS", "BROADCAST_IN_DIM", "SHAPE", "RANK", "REVERSE_V2", "REVERSE_SEQUENCE", "FILL",
        "ZEROS_LIKE", "RANGE", "IOTA",
        "MATRIX_DIAG", "MATRIX_SET_DIAG", "DILATE",
      ]
    ),
  ]
}
