import SwiftletSchema

extension TestGraph {
  /// The metadata of a model whose image is normalized with mean 0 and deviation 1.
  package static let normalization: [UInt8] = {
    let unit: [Int: FlatValue] = [0: .byte(1), 1: .table([0: .floats([0]), 1: .floats([1])])]
    return FlatValue.file(
      root: [3: .tables([[2: .tables([[0: .string("image"), 4: .tables([unit])]])]])], identifier: "M001")
  }()

  /// Returns a graph that takes an image `[1, height, width, 3]` and returns these outputs for any image.
  package static func giving(
    _ outputs: [(values: [Float], shape: [Int])], forImageOf height: Int, by width: Int
  ) -> TestGraph {
    var graph = TestGraph()
    let count = height * width * 3
    let image = graph.input(.float32, [1, height, width, 3])
    let flat = graph.tensor(.float32, [count])
    graph.add(.reshape, [image, graph.constant([Int32(count)])], [flat])
    let one = graph.tensor(.float32, [1])
    graph.add(.slice, [flat, graph.constant([Int32(0)]), graph.constant([Int32(1)])], [one])
    let zero = graph.tensor(.float32, [1])
    graph.add(.mul, [one, graph.constant([Float(0)])], [zero], options: MulOptions.empty)
    for (values, shape) in outputs {
      let result = graph.output(.float32, shape)
      graph.add(.add, [graph.constant(values, shape: shape), zero], [result], options: AddOptions.empty)
    }
    return graph
  }
}
