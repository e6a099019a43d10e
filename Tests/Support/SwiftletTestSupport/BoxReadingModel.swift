import SwiftletSchema

/// An object detection model that reads its detections from the image, so that a test can place objects as needed.
///
/// The image is divided into 5 × 5 fields of one color. The 75 bytes of their colors are the four sides of each box,
/// then each box's class, then each box's score, in 255ths.
package struct BoxReadingModel: Sendable {
  package struct Object: Sendable {
    /// The sides, in 255ths of the image.
    package var left, top, right, bottom: UInt8
    /// The score, in 255ths.
    package var score: UInt8
    package var category: UInt8

    package init(left: UInt8, top: UInt8, right: UInt8, bottom: UInt8, score: UInt8, category: UInt8 = 0) {
      self.left = left
      self.top = top
      self.right = right
      self.bottom = bottom
      self.score = score
      self.category = category
    }
  }

  /// The number of boxes that the model returns for every image, 1…12; boxes that an image doesn't contain have a score
  /// of 0.
  package static let boxCount = 12

  /// The model file.
  package static let bytes: [UInt8] = {
    let side = 10
    var graph = TestGraph()
    let image = graph.input(.uint8, [1, side, side, 3])
    let real = graph.tensor(.float32, [1, side, side, 3])
    graph.add(.cast, [image], [real])
    let flat = graph.tensor(.float32, [side * side * 3])
    graph.add(.reshape, [real, graph.constant([Int32(side * side * 3)])], [flat])
    let fractions = graph.tensor(.float32, [side * side * 3])
    graph.add(.mul, [flat, graph.constant([Float(1) / 255])], [fractions])
    // The center of every field, whatever the image's orientation.
    let positions = (0..<75).map { (byte: Int) -> Int32 in
      let (field, channel) = (byte / 3, byte % 3)
      let pixel: Int = (field / 5 * 2 + 1) * side + field % 5 * 2 + 1
      return Int32(pixel * 3 + channel)
    }
    let parts: [(begin: Int, source: Int, shape: [Int])] = [
      (0, fractions, [1, boxCount, 4]), (4 * boxCount, flat, [1, boxCount]), (5 * boxCount, fractions, [1, boxCount]),
    ]
    for (begin, source, shape) in parts {
      let count = shape.reduce(1, *)
      let part = graph.tensor(.float32, [count])
      graph.add(
        .gather, [source, graph.constant(Array(positions[begin..<begin + count]))], [part], options: GatherOptions.empty
      )
      graph.add(.reshape, [part, graph.constant(shape.map(Int32.init))], [graph.output(.float32, shape)])
    }
    graph.add(.reshape, [graph.constant([Float(boxCount)]), graph.constant([Int32(1)])], [graph.output(.float32, [1])])
    return TestGraph.bytes([graph])
  }()

  /// Returns the RGB bytes of an upright image in which the model detects `objects`.
  ///
  /// - Parameters:
  ///   - width: A multiple of 5, at least 20, as `height`.
  package static func pixels(_ objects: [Object], width: Int, height: Int) -> [UInt8] {
    var fields = [UInt8](repeating: 0, count: 75)
    for (index, object) in objects.prefix(boxCount).enumerated() {
      fields.replaceSubrange(4 * index..<4 * index + 4, with: [object.top, object.left, object.bottom, object.right])
      fields[4 * boxCount + index] = object.category
      fields[5 * boxCount + index] = object.score
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(3 * width * height)
    for band in 0..<5 {
      var row: [UInt8] = []
      for field in 5 * band..<5 * band + 5 {
        for _ in 0..<width / 5 { row += fields[3 * field..<3 * field + 3] }
      }
      for _ in 0..<height / 5 { bytes += row }
    }
    return bytes
  }
}
