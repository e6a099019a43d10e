import SwiftletTestSupport
package import SwiftletVision

/// A model in the form of the short-range face detector that reads its boxes and scores from the image's first values.
/// It doesn't detect real faces, but it finds something in every image, and is fast.
package enum SyntheticFaceModel {
  package static let boxCount = 896
  package static let valuesPerBox = 16

  package static let bytes = detector(side: 128, boxCount: boxCount, valuesPerBox: valuesPerBox)

  /// Returns a detector with raw boxes and scores, without metadata.
  ///
  /// - Parameter side: The side of the square input, in pixels.
  package static func detector(side: Int, boxCount: Int, valuesPerBox: Int) -> [UInt8] {
    var graph = TestGraph()
    let image = graph.input(.float32, [1, side, side, 3])
    let flat = graph.tensor(.float32, [side * side * 3])
    graph.add(.reshape, [image, graph.constant([Int32(side * side * 3)])], [flat])
    for (begin, values) in [(0, valuesPerBox), (boxCount * valuesPerBox, 1)] {
      let part = graph.tensor(.float32, [boxCount * values])
      graph.add(
        .slice, [flat, graph.constant([Int32(begin)]), graph.constant([Int32(boxCount * values)])], [part])
      let output = graph.output(.float32, [1, boxCount, values])
      graph.add(.reshape, [part, graph.constant([Int32(1), Int32(boxCount), Int32(values)])], [output])
    }
    return TestGraph.bytes([graph])
  }

  package static var options: FaceDetectorOptions {
    FaceDetectorOptions(
      baseOptions: BaseOptions(model: .bytes(bytes)), minDetectionConfidence: 0.65)
  }

  /// Returns an image of noise that is always the same for a seed.
  package static func image(seed: UInt64) throws -> InputImage {
    var random = SplitMix64(state: seed)
    return try InputImage(
      rgb: (0..<(160 * 120 * 3)).map { _ in UInt8.random(in: 0...255, using: &random) }, width: 160, height: 120)
  }
}
