import Foundation
import MLKit
import SwiftletTestSupport

/// Models in files, and images in which they detect the objects of a test.
final class Fixtures: Sendable {
  let folder: URL
  let localizer: LocalModel
  let classifier: LocalModel

  /// A model that reads one pixel of a crop: three classes, red, green, and blue.
  static let colors = PassingModel(
    type: .uint8, scale: 1 / 255, width: 1, height: 1,
    outputs: [.init(shape: [1, 3], labels: ["red", "green", "blue"])])

  init(classifier: PassingModel = Fixtures.colors) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-mlkit-" + UUID().uuidString)
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func write(_ bytes: [UInt8], _ name: String) throws -> LocalModel {
      let file = folder.appendingPathComponent(name)
      try Data(bytes).write(to: file)
      return LocalModel(path: file.path)
    }
    localizer = try write(BoxReadingModel.bytes, "localizer.tflite")
    self.classifier = try write(classifier.bytes, "model.tflite")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Returns an object whose sides are 60/255 of the image's.
  static func object(_ left: UInt8, _ top: UInt8, score: UInt8 = 200) -> BoxReadingModel.Object {
    .init(left: left, top: top, right: left + 60, bottom: top + 60, score: score)
  }

  /// Returns an image of 50 × 100 pixels.
  static func image(_ objects: [BoxReadingModel.Object]) throws -> VisionImage {
    try VisionImage(rgb: BoxReadingModel.pixels(objects, width: 50, height: 100), width: 50, height: 100)
  }

  /// Returns detector options that use these models, and call back on a queue of their own.
  func custom(_ change: (CustomObjectDetectorOptions) -> Void = { _ in }) -> CustomObjectDetectorOptions {
    let options = CustomObjectDetectorOptions(localModel: classifier)
    options.localizerModel = localizer
    options.shouldEnableClassification = true
    options.completionQueue = DispatchQueue(label: "completions")
    change(options)
    return options
  }
}

/// Returns the ML Kit error of a call.
func mlKitError(_ body: () throws -> Void) -> MLKitError? { thrownError(body) }
