import SwiftletSchema
import Testing

@testable import SwiftletReports

@Suite("Geometry of graphs")
struct GraphGeometryTests {
  private func layout(
    _ sizes: [(Int, Int)], _ nets: [(Int, [Int])], floating: Set<Int> = [], lineLimit: Int = 30_000
  ) -> GraphLayout {
    GraphLayout(
      nodes: sizes.map { GraphLayout.Size(width: $0.0, height: $0.1) },
      nets: nets.map { GraphLayout.Net(source: $0.0, targets: $0.1) }, floating: floating, lineLimit: lineLimit)
  }

  private func boxes(_ layout: GraphLayout) -> [[Int]] {
    layout.nodes.map { [$0.x, $0.y, $0.width, $0.height] }
  }

  private func lines(_ layout: GraphLayout) -> [[[Int]]] {
    layout.routes.map { $0.lines.map { $0.flatMap { [$0.x, $0.y] } } }
  }

  @Test("a single node has a margin of 24 on all sides")
  func alone() {
    let layout = layout([(60, 30)], [])
    #expect(boxes(layout) == [[24, 24, 60, 30]] && layout.width == 108 && layout.height == 78)
    let empty = self.layout([], [])
    #expect(empty.width == 24 && empty.height == 48 && empty.routes.isEmpty)
  }

  @Test("a straight line leads from the lower center to the upper center, over a gap of 28")
  func straight() {
    let layout = layout([(60, 30), (100, 40)], [(0, [1])])
    #expect(boxes(layout) == [[44, 24, 60, 30], [24, 82, 100, 40]])
    #expect(layout.width == 148 && layout.height == 146)
    #expect(lines(layout) == [[[74, 54, 74, 82]]] && layout.routes[0].ends == [GraphLayout.Point(x: 74, y: 82)])
  }

  @Test("adjacent nodes have a gap of 26, and lower ones are centered between them")
  func beside() {
    let layout = layout([(60, 30), (40, 50), (80, 30)], [(0, [2]), (1, [2])])
    // Nodes are vertically centered in their layer; the line with the longest horizontal distance makes the gap higher.
    #expect(layout.nodes[1].x - layout.nodes[0].x - 60 == 26)
    #expect(layout.nodes[0].y == 34 && layout.nodes[1].y == 24)
    let centers = layout.nodes.map { $0.x + $0.width / 2 }
    #expect(abs(centers[2] * 2 - centers[0] - centers[1]) <= 1)
    let reach = Double(max(centers[2] - centers[0], centers[1] - centers[2]))
    #expect(abs(layout.nodes[2].y - 74 - Int(28 + reach * 0.08)) <= 1)
    // A line goes straight down to the layer's end before it curves.
    #expect(layout.routes[0].lines[0].map(\.y) == [64, 74, layout.nodes[2].y])
    #expect(layout.routes[1].lines[0].map(\.y) == [74, layout.nodes[2].y])
  }

  @Test("the gap below a layer is 110 at most")
  func farLines() {
    let sizes = [(Int, Int)](repeating: (200, 20), count: 14)
    // The last node of a wide layer reads the first node's value.
    let layout = layout(sizes, [(0, Array(1..<14))])
    #expect(layout.nodes[1].y == 24 + 20 + 110)
  }

  @Test("a line bends in each layer that it passes, 16 from the adjacent node")
  func bends() {
    let layout = layout([(60, 30), (60, 30), (60, 30)], [(0, [1, 2]), (1, [2])])
    let route = layout.routes[0]
    #expect(route.lines.count == 3 && route.ends.count == 2 && route.omitted.isEmpty)
    let trunk = route.lines[0]
    #expect(trunk.first?.y == 54 && trunk.last?.y == layout.nodes[1].y + 30)
    let bend = trunk[trunk.count - 1].x
    let node = layout.nodes[1]
    #expect(min(abs(bend - node.x), abs(bend - node.x - 60)) == 17, "a bend is two wide")
    #expect(
      route.lines[2].first == trunk.last
        && route.lines[2].last == GraphLayout.Point(x: layout.nodes[2].x + 30, y: layout.nodes[2].y))
    // The trunk of the graph stays straight.
    #expect(Set(layout.nodes.map { $0.x + 30 }).count == 1)
  }

  @Test("a value that two layers read is one branching line")
  func branches() {
    let layout = layout(
      [(60, 30), (60, 30), (60, 30), (60, 30)], [(0, [1, 2, 3]), (1, [2]), (2, [3])])
    let route = layout.routes[0]
    #expect(route.lines.count == 4 && route.ends.map(\.y) == [1, 2, 3].map { layout.nodes[$0].y })
    let trunk = route.lines[0]
    // The line to node 2 starts at the end of its first bend, the line to node 3 at its last bend.
    #expect(route.lines[2].first?.y == layout.nodes[1].y + 30 && route.lines[3].first == trunk.last)
    #expect(trunk.last?.y == layout.nodes[2].y + 30)
  }

  @Test("lines can pass the maximum number of layers, and beyond it, the longest is omitted")
  func lineLimit() {
    let sizes = [(Int, Int)](repeating: (60, 30), count: 5)
    // Spans of 2 and 4 pass 1 and 3 layers.
    let nets: [(Int, [Int])] = [(0, [1, 4]), (1, [2, 3]), (2, [3]), (3, [4])]
    #expect(layout(sizes, nets, lineLimit: 4).routes.map(\.omitted) == [[], [], [], []])
    #expect(layout(sizes, nets, lineLimit: 3).routes.map(\.omitted) == [[4], [], [], []])
    #expect(layout(sizes, nets, lineLimit: 1).routes.map(\.omitted) == [[4], [], [], []])
    #expect(layout(sizes, nets, lineLimit: 0).routes.map(\.omitted) == [[4], [3], [], []])
  }

  @Test("a node is one layer below its lowest input, or just above its first reader")
  func layers() {
    func assignment(_ count: Int, _ nets: [(Int, [Int])], _ floating: Set<Int> = []) -> LayerAssignment {
      LayerAssignment(
        nodeCount: count, nets: nets.map { GraphLayout.Net(source: $0.0, targets: $0.1) }, floating: floating)
    }
    let plain = assignment(5, [(0, [1, 3]), (1, [2]), (2, [3]), (4, [])])
    #expect(plain.layers == [0, 1, 2, 3, 0] && plain.wayLengths == [4, 4, 4, 4, 1])
    // Readers that precede their producer are ignored.
    #expect(assignment(3, [(2, [0]), (0, [1])]).layers == [0, 1, 0])
    // 3 reads nothing and 2 reads it; 4 reads only 3; both float.
    let floating = assignment(6, [(0, [1]), (1, [2]), (3, [4]), (4, [5]), (2, [5])], [3, 4])
    #expect(floating.layers == [0, 1, 2, 1, 2, 3] && floating.wayLengths == [4, 4, 4, 0, 0, 4])
    // A node that reads from a node that doesn't float doesn't float either.
    let anchored = assignment(5, [(0, [1, 3]), (1, [2]), (2, [4]), (3, [4])], [3])
    #expect(anchored.layers == [0, 1, 2, 1, 3] && anchored.wayLengths == [4, 4, 4, 3, 4])
    #expect(assignment(1, [], [0]).layers == [0])
  }

  @Test("crossings are removed if an order without them exists")
  func crossings() {
    // Two chains that start in the wrong order, and a node in between without readers.
    let layout = layout(
      [(60, 30), (60, 30), (60, 30), (60, 30), (60, 30)], [(0, [3]), (1, [2]), (2, [4]), (3, [4])])
    let x = layout.nodes.map(\.x)
    #expect((x[0] < x[1]) == (x[3] < x[2]))
    for (upper, lower) in [(0, 3), (1, 2)] { #expect(abs(x[upper] - x[lower]) <= 1) }
  }

  // MARK: Model drawings

  private func tensor(_ name: String, _ shape: [Int], type: String = "int8") -> ModelDescription.Tensor {
    ModelDescription.Tensor(name: name, type: type, shape: shape)
  }

  @Test("inputs, operators, and outputs are boxes, and tensors with producer and consumer are lines")
  func drawing() {
    let graph = ModelDescription.Graph(
      name: "", tensors: [tensor("x", [1]), tensor("w", [1]), tensor("y", [1]), tensor("unread", [1])],
      operators: [ModelDescription.Operator(name: "ADD", version: 1, inputs: [0, 1, nil], outputs: [2, 3])],
      inputs: [0], outputs: [2])
    let drawing = GraphDrawing(graph)
    #expect(drawing.tensors == [0, 2] && drawing.layout.nodes.count == 3)
    #expect(drawing.layout.nodes.map(\.y) == [24, 96, 168])
    #expect(drawing.layout.routes.map(\.ends.count) == [1, 1])
  }

  @Test("an operator that computes a constant is drawn just above its reader")
  func floatingOperators() {
    let graph = ModelDescription.Graph(
      name: "", tensors: (0..<6).map { tensor("t\($0)", [1]) },
      operators: [
        ModelDescription.Operator(name: "ABS", version: 1, inputs: [0], outputs: [1]),
        ModelDescription.Operator(name: "NEG", version: 1, inputs: [1], outputs: [2]),
        ModelDescription.Operator(name: "CAST", version: 1, inputs: [3], outputs: [4]),
        ModelDescription.Operator(name: "ADD", version: 1, inputs: [2, 4], outputs: [5]),
      ], inputs: [0], outputs: [5])
    let nodes = GraphDrawing(graph).layout.nodes
    #expect(nodes[3].y == nodes[2].y && nodes[3].y > nodes[1].y)
  }

  @Test("boxes have room for names, shapes, and a summary, from 112 to 264 wide")
  func sizes() {
    func width(_ operation: ModelDescription.Operator, _ shape: [Int] = [1]) -> [Int] {
      let graph = ModelDescription.Graph(
        name: "", tensors: [tensor("t", shape)], operators: [operation], inputs: [], outputs: [])
      let node = GraphDrawing(graph).layout.nodes[0]
      return [node.width, node.height]
    }
    func named(_ count: Int, summary: String = "") -> ModelDescription.Operator {
      var operation = ModelDescription.Operator(
        name: String(repeating: "N", count: count), version: 1, inputs: [], outputs: [0])
      operation.summary = summary
      return operation
    }
    // A letter of a name is 7.3 wide, with five more for the index; a letter of a shape or summary 6.7.
    #expect(width(named(3)) == [112, 44] && width(named(6)) == [112, 44])
    #expect(width(named(7)) == [114, 44] && width(named(20)) == [210, 44])
    #expect(width(named(27)) == [260, 44] && width(named(28)) == [264, 44] && width(named(64)) == [264, 44])
    #expect(width(named(3), [Int](repeating: 1, count: 10)) == [154, 44])
    #expect(width(named(3, summary: "3×3")) == [112, 60])
    #expect(width(named(3, summary: String(repeating: "s", count: 20))) == [162, 60])
    func end(_ name: String, _ shape: [Int], type: String = "int8") -> [Int] {
      let graph = ModelDescription.Graph(
        name: "", tensors: [tensor(name, shape, type: type)], operators: [], inputs: [0], outputs: [])
      let node = GraphDrawing(graph).layout.nodes[0]
      return [node.width, node.height]
    }
    // The name of a graph input or output has four more letters for the index, and 8 more pixels; its shape follows its
    // type.
    #expect(end("x", [1]) == [112, 44] && end(String(repeating: "x", count: 10), [1]) == [138, 44])
    #expect(end("x", [1, 224, 224, 3]) == [142, 44])
    #expect(end("x", [1, 224, 224, 3], type: "float32") == [162, 44])
  }

  // MARK: Families

  @Test("every operator of the schema keeps its family")
  func families() {
    let expected: [OperatorFamily: [String]] = [
      .product: [
        "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "TRANSPOSE_CONV", "BATCH_MATMUL", "CONV_3D",
        "CONV_3D_TRANSPOSE", "RFFT2D", "STABLEHLO_CONVOLUTION", "STABLEHLO_DOT_GENERAL",
      ],
      .reduction: [
        "AVERAGE_POOL_2D", "L2_POOL_2D", "MAX_POOL_2D", "MEAN", "SUM", "ARG_MAX", "ARG_MIN", "CUMSUM", "TOPK_V2",
        "SEGMENT_SUM", "UNIQUE", "NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V5", "REDUCE_PROD", "REDUCE_MAX",
        "REDUCE_MIN", "REDUCE_ANY", "REDUCE_ALL", "UNSORTED_SEGMENT_PROD", "UNSORTED_SEGMENT_MAX",
        "UNSORTED_SEGMENT_SUM", "UNSORTED_SEGMENT_MIN", "REDUCE_WINDOW", "STABLEHLO_REDUCE", "STABLEHLO_SORT",
        "STABLEHLO_REDUCE_WINDOW",
      ],
      .control: [
        "LSTM", "RNN", "SVDF", "UNIDIRECTIONAL_SEQUENCE_LSTM", "UNIDIRECTIONAL_SEQUENCE_RNN",
        "BIDIRECTIONAL_SEQUENCE_LSTM", "BIDIRECTIONAL_SEQUENCE_RNN", "IF", "WHILE", "CALL", "CALL_ONCE", "DELEGATE",
        "VAR_HANDLE", "READ_VARIABLE", "ASSIGN_VARIABLE", "STABLEHLO_WHILE", "STABLEHLO_COMPOSITE",
        "STABLEHLO_CUSTOM_CALL", "STABLEHLO_CASE",
      ],
      .conversion: [
        "QUANTIZE", "DEQUANTIZE", "CAST", "FAKE_QUANT", "DENSIFY", "BITCAST", "STABLEHLO_CONVERT",
      ],
      .lookup: [
        "EMBEDDING_LOOKUP", "HASHTABLE_LOOKUP", "LSH_PROJECTION", "RESIZE_BILINEAR", "SPACE_TO_DEPTH", "DEPTH_TO_SPACE",
        "SKIP_GRAM", "EMBEDDING_LOOKUP_SPARSE", "GATHER", "SPARSE_TO_DENSE", "ONE_HOT", "RESIZE_NEAREST_NEIGHBOR",
        "GATHER_ND", "WHERE", "SCATTER_ND", "HASHTABLE", "HASHTABLE_FIND", "HASHTABLE_IMPORT", "HASHTABLE_SIZE",
        "BUCKETIZE", "STABLEHLO_GATHER", "STABLEHLO_SCATTER",
      ],
      .movement: [
        "RESHAPE", "CONCATENATION", "CONCAT_EMBEDDINGS", "PAD", "BATCH_TO_SPACE_ND", "SPACE_TO_BATCH_ND", "TRANSPOSE",
        "SQUEEZE", "STRIDED_SLICE", "SPLIT", "EXPAND_DIMS", "PADV2", "SLICE", "SHAPE", "PACK", "UNPACK", "TILE",
        "FILL", "MIRROR_PAD", "RANGE", "REVERSE_V2", "RANK", "ZEROS_LIKE", "SPLIT_V", "REVERSE_SEQUENCE",
        "MATRIX_DIAG", "MATRIX_SET_DIAG", "BROADCAST_TO", "BROADCAST_ARGS", "DYNAMIC_UPDATE_SLICE", "DILATE",
        "STABLEHLO_BROADCAST_IN_DIM", "STABLEHLO_CONCATENATE", "STABLEHLO_SLICE", "STABLEHLO_DYNAMIC_SLICE",
        "STABLEHLO_DYNAMIC_UPDATE_SLICE", "STABLEHLO_IOTA", "STABLEHLO_PAD", "STABLEHLO_RESHAPE",
        "STABLEHLO_TRANSPOSE",
      ],
    ]
    var families: [String: OperatorFamily] = [:]
    for (family, names) in expected { for name in names { families[name] = family } }
    for builtin in BuiltinOperator.allCases {
      let name = builtin.schemaName
      #expect(
        OperatorFamily(operatorNamed: name, isCustom: false) == families[name] ?? .arithmetic, "\(name)")
    }
    #expect(OperatorFamily.allCases.map(\.rawValue) == Array(0..<8))
    #expect(
      [OperatorFamily.product, .reduction, .arithmetic, .control, .custom, .conversion, .lookup, .movement].map(
        \.rawValue)
        == Array(0..<8))
  }
}
