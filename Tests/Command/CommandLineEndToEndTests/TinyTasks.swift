import Foundation
import SwiftletImage
import SwiftletImageCodecs
import SwiftletTestSupport

/// Models without weights, whose results follow from the image: the output is the bytes of 4 × 4 pixels, divided by
/// 255.
enum TinyTask: String, CaseIterable {
  case classify, embed, segment

  /// Writes the model.
  func write(to folder: TemporaryFolder) throws -> String {
    var graph = TestGraph()
    let pixels = graph.input(.uint8, [1, 4, 4, 3], scale: 1 / 255)
    // A mask keeps the pixel positions, with red, green, and blue as classes; a vector lists the pixels in order.
    let shape = self == .segment ? [1, 4, 4, 3] : [1, 48]
    let wanted = graph.constant(shape.map(Int32.init))
    let result = graph.output(.uint8, shape, scale: 1 / 255)
    graph.add(.reshape, [pixels, wanted], [result])
    return try folder.write(TestGraph.bytes([graph]), to: rawValue + ".tflite")
  }
}

/// A 4 × 4 image: the upper half red, the lower left quarter green, the lower right one blue.
enum FlagImage {
  static let pixels: [[UInt8]] = (0..<16).map { index in
    index < 8 ? [255, 0, 0] : index % 4 < 2 ? [0, 102, 0] : [0, 0, 51]
  }

  static var bytes: [UInt8] {
    get throws {
      try ImageEncoder.encodePNG(ImageBuffer(bytes: pixels.flatMap(\.self), width: 4, height: 4, pixelFormat: .rgb8))
    }
  }

  static func write(to folder: TemporaryFolder, as name: String = "flag.png") throws -> String {
    try folder.write(bytes, to: name)
  }
}

/// A plain image of some size.
enum GrayImage {
  static func write(
    to folder: TemporaryFolder, as name: String = "gray.png", width: Int = 4, height: Int = 4, value: UInt8 = 128
  ) throws -> String {
    let image = try ImageBuffer(
      bytes: [UInt8](repeating: value, count: width * height), width: width, height: height, pixelFormat: .gray8)
    return try folder.write(try ImageEncoder.encodePNG(image), to: name)
  }
}
