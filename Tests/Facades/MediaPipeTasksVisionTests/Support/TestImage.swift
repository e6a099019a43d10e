import Foundation
import MediaPipeTasksVision
import SwiftletImageCodecs
import SwiftletTestSupport

/// The images and models of these tests.
enum TestImage {
  static func image(_ name: String, orientation: MPImageOrientation = .up) throws -> MPImage {
    let decoded = try ImageDecoder.decode(path: TestData.path("images/" + name))
    return MPImage(imageBuffer: decoded.image, orientation: orientation)
  }

  /// Returns a uniform gray image.
  static func plain(width: Int = 32, height: Int = 24) throws -> MPImage {
    try MPImage(rgb: [UInt8](repeating: 128, count: width * height * 3), width: width, height: height)
  }
}

enum TestModel {
  static var objects: String { TestData.path("models/detection/coco_ssd_mobilenet_v1_1.0_quant.tflite") }
  static var faces: String { TestData.path("models/face/face_detector_short_range_metadata.tflite") }
  static var embedding: String { TestData.path("models/embedding/mobilenet_v2_035_96_embedder.tflite") }
  static var classes: String { TestData.path("models/classification/mobilenet_v1_0.25_224_quant.tflite") }
  static var segments: String { TestData.path("models/segmentation/deeplabv3_257_metadata.tflite") }
  static var selfie: String { TestData.path("models/segmentation/selfie_segmentation_256_metadata.tflite") }
}

/// A delegate call, as a value that can be stored in a stream.
struct Told: Sendable {
  var summary: String?
  var timestamp: Int
  var errorCode: Int?
}

/// Returns the error as callers of MediaPipe see it.
func failure(_ body: () throws -> Void) -> NSError? {
  do {
    try body()
    return nil
  } catch {
    return error as NSError
  }
}
