import SwiftletJSON
import SwiftletDrawing
import SwiftletBase
import SwiftletImage
import SwiftletVision

/// The result of a detector on an image.
struct DetectionResult: ImageResult {
  /// A face or an object.
  struct Detection {
    var categories: [ResultCategory]
    var box: PixelRect
    var keypoints: [NormalizedPoint]

    var x: Int { Int(box.x) }
    var y: Int { Int(box.y) }
    var width: Int { Int(box.width) }
    var height: Int { Int(box.height) }
  }

  var path: String
  var image: InputImage
  var detections: [Detection]
  /// The name of the detected objects, in the plural.
  var plural: String
  /// Whether there is only one class, so that its name is redundant.
  var isOneClass: Bool

  /// Creates the result of a face detector. Faces have a single class without a name.
  init(path: String, image: InputImage, faces: [FaceDetection]) {
    (self.path, self.image, plural, isOneClass) = (path, image, "faces", true)
    detections = faces.map {
      Detection(categories: [ResultCategory(index: 0, score: $0.score)], box: $0.box, keypoints: $0.keypoints)
    }
  }

  /// Creates the result of an object detector.
  init(path: String, image: InputImage, objects: [ObjectDetection]) {
    (self.path, self.image, plural, isOneClass) = (path, image, "objects", false)
    detections = objects.map { Detection(categories: $0.categories, box: $0.box, keypoints: $0.keypoints) }
  }

  var json: JSONValue {
    .object([
      "image": .string(path), "width": .int(image.width), "height": .int(image.height),
      "detections": .array(detections.map(\.json)),
    ])
  }

  var text: String {
    "\(path.sanitized): \(detections.count) \(plural)\n"
      + detections.map {
        "  \(label($0, digits: 3).sanitized) at \($0.x),\($0.y) \($0.width)×\($0.height)\n"
      }.joined()
  }

  private func label(_ detection: Detection, digits: Int) -> String {
    detection.categories.map { category in
      (isOneClass ? "" : category.name + " ") + category.scoreText(digits: digits)
    }.joined(separator: ", ")
  }

  /// Draws a box with its categories for each detection, and a dot for each keypoint.
  func draw(on canvas: inout Canvas) {
    for (index, detection) in detections.enumerated() {
      let color = Canvas.Color.distinct(index)
      canvas.strokeRectangle(
        x: detection.x, y: detection.y, width: detection.width, height: detection.height, lineWidth: canvas.lineWidth,
        color: color)
      for keypoint in detection.keypoints {
        // Keypoints can be anywhere; those far outside aren't drawn.
        let (x, y) = (Double(keypoint.x) * Double(image.width), Double(keypoint.y) * Double(image.height))
        guard abs(x) < 1e6, abs(y) < 1e6 else { continue }
        canvas.fillDisc(centerX: Int(x), centerY: Int(y), radius: canvas.lineWidth + 1, color: .white)
        canvas.fillDisc(centerX: Int(x), centerY: Int(y), radius: canvas.lineWidth, color: color)
      }
    }
    // Draw captions after all boxes, best detection last, so that it stays legible if captions overlap.
    for (index, detection) in detections.enumerated().reversed() {
      canvas.drawCaption(label(detection, digits: 2), x: detection.x, y: detection.y, plate: .distinct(index))
    }
  }
}

extension DetectionResult.Detection {
  /// The `--json` form of a detection.
  fileprivate var json: JSONValue {
    .object([
      "box": .object(["x": .int(x), "y": .int(y), "width": .int(width), "height": .int(height)]),
      "categories": .array(categories.map(\.json)),
      "keypoints": .array(keypoints.map { .object(["x": .float($0.x), "y": .float($0.y)]) }),
    ])
  }
}
