import SwiftletTestSupport
package import SwiftletVision

/// A model with the four outputs of an object detector, which it reads from a gray image of 5 × 5 pixels: three boxes,
/// classes, and scores from one row each, and a count of three.
package enum SyntheticObjectModel {
  package static let bytes: [UInt8] = {
    var graph = TestGraph()
    let image = graph.input(.uint8, [1, 5, 5, 3])
    let real = graph.tensor(.float32, [1, 5, 5, 3])
    graph.add(.cast, [image], [real])
    let flat = graph.tensor(.float32, [75])
    graph.add(.reshape, [real, graph.constant([Int32(75)])], [flat])
    let fractions = graph.tensor(.float32, [75])
    graph.add(.mul, [flat, graph.constant([Float(1) / 255])], [fractions])
    for (begin, source, shape) in [(0, fractions, [1, 3, 4]), (30, flat, [1, 3]), (45, fractions, [1, 3])] {
      let count = shape.reduce(1, *)
      let part = graph.tensor(.float32, [count])
      graph.add(.slice, [source, graph.constant([Int32(begin)]), graph.constant([Int32(count)])], [part])
      graph.add(.reshape, [part, graph.constant(shape.map(Int32.init))], [graph.output(.float32, shape)])
    }
    let count = graph.output(.float32, [1])
    graph.add(.reshape, [graph.constant([Float(3)]), graph.constant([Int32(1)])], [count])
    return TestGraph.bytes([graph])
  }()

  /// Returns an image that encodes three boxes of classes 1, 2, and 3 with scores of about 0.9, 0.7, and 0.1.
  package static func image() throws -> InputImage {
    var values = [UInt8](repeating: 0, count: 75)
    // Top, left, bottom, right.
    values.replaceSubrange(0..<12, with: [0, 0, 51, 102, 51, 51, 204, 153, 0, 102, 255, 255])
    values.replaceSubrange(30..<33, with: [1, 2, 3])
    values.replaceSubrange(45..<48, with: [230, 179, 26])
    return try InputImage(rgb: values, width: 5, height: 5)
  }
}
