import Foundation
import SwiftletTestSupport

/// A model in a file that goes away with the value.
final class ModelFile: Sendable {
  let path: String

  init(_ bytes: [UInt8]) throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-\(UUID().uuidString).tflite").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// As many bytes as one that reads an image of three times that width and height: those in the middle of each field
  /// of 3 × 3.
  ///
  /// Of an image that is turned, models see places that are up to a pixel of theirs off: fields have to be larger.
  static func middles(of bytes: [UInt8], width: Int, height: Int) -> [UInt8] {
    (0..<width * height).flatMap { field -> [UInt8] in
      let pixel = (3 * (field / width) + 1) * 3 * width + 3 * (field % width) + 1
      return Array(bytes[3 * pixel..<3 * pixel + 3])
    }
  }

  /// A classifier whose score of class `n` is the byte `n` of the image that it sees, row after row, red first.
  static func reading(width: Int, height: Int) throws -> ModelFile {
    let names = (0..<3 * width * height).map { "byte\($0)" }
    let model = PassingModel(
      type: .uint8, scale: 1 / 255, width: width, height: height,
      outputs: [.init(shape: [1, names.count], labels: names)],
      normalization: nil)
    return try ModelFile(model.bytes)
  }
}
