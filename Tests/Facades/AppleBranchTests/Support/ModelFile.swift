import Foundation
import SwiftletTestSupport

/// A model in a file that is deleted with the object.
final class ModelFile: Sendable {
  let path: String

  init(_ bytes: [UInt8]) throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-\(UUID().uuidString).tflite").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the bytes at the center of each field of 3 × 3 pixels, from the bytes of an image with three times this
  /// width and height.
  ///
  /// In a rotated image, models sample positions that are off by up to one of their pixels, so fields must be larger.
  static func middles(of bytes: [UInt8], width: Int, height: Int) -> [UInt8] {
    (0..<width * height).flatMap { field -> [UInt8] in
      let pixel = (3 * (field / width) + 1) * 3 * width + 3 * (field % width) + 1
      return Array(bytes[3 * pixel..<3 * pixel + 3])
    }
  }

  /// Returns a classifier whose score of class `n` is the byte `n` of its input image, row by row, red first.
  static func reading(width: Int, height: Int) throws -> ModelFile {
    let names = (0..<3 * width * height).map { "byte\($0)" }
    let model = PassingModel(
      type: .uint8, scale: 1 / 255, width: width, height: height,
      outputs: [.init(shape: [1, names.count], labels: names)],
      normalization: nil)
    return try ModelFile(model.bytes)
  }
}
