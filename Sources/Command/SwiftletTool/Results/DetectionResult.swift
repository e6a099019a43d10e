import Foundation
import SwiftletJSON
import SwiftletDrawing
import SwiftletBase
import SwiftletVision

/// What a detector found in a picture.
struct DetectionResult: PictureResult {
  var path: String
  var image: MPImage
  var detections: [Detection]
  var subject: Subject

  /// What a detector looks for.
  struct Subject {
    var plural: String
    /// Whether there is but one class of it, so that naming it says nothing.
    var isOneClass: Bool

    static let faces = Subject(plural: "faces", isOneClass: true)
    static let objects = Subject(plural: "objects", isOneClass: false)
  }

  var json: JSONValue {
    .object([
      "image": .string(path), "width": .int(image.width), "height": .int(image.height),
      "detections": .array(detections.map(\.json)),
    ])
  }

  var text: String {
    "\(path.shown): \(detections.count) \(subject.plural)\n"
      + detections.map { detection in
        let box = detection.boundingBox
        return
          "  \(label(detection, digits: 3).shown) at \(Int(box.minX)),\(Int(box.minY)) \(Int(box.width))×\(Int(box.height))\n"
      }.joined()
  }

  private func label(_ detection: Detection, digits: Int) -> String {
    detection.categories.map { category in
      (subject.isOneClass ? "" : category.name + " ") + category.scoreText(digits: digits)
    }.joined(separator: ", ")
  }

  /// A box with its categories for each detection, a dot for each key point.
  func draw(on canvas: inout Canvas) {
    for (index, detection) in detections.enumerated() {
      let color = Canvas.Color.distinct(index)
      let box = detection.boundingBox
      canvas.strokeRectangle(
        x: Int(box.minX), y: Int(box.minY), width: Int(box.width), height: Int(box.height), lineWidth: canvas.lineWidth,
        color: color)
      for keypoint in detection.keypoints ?? [] {
        // Points may lie anywhere; those far outside are not drawn.
        let x = keypoint.location.x * CGFloat(image.width)
        let y = keypoint.location.y * CGFloat(image.height)
        guard abs(x) < 1e6, abs(y) < 1e6 else { continue }
        canvas.fillDisc(centerX: Int(x), centerY: Int(y), radius: canvas.lineWidth + 1, color: .white)
        canvas.fillDisc(centerX: Int(x), centerY: Int(y), radius: canvas.lineWidth, color: color)
      }
    }
    // After all boxes, and the best last: where labels overlap it can be read.
    for (index, detection) in detections.enumerated().reversed() {
      let label = label(detection, digits: 2)
      canvas.drawCaption(
        label, x: Int(detection.boundingBox.minX), y: Int(detection.boundingBox.minY), plate: .distinct(index))
    }
  }
}

extension Detection {
  /// The form of a detection in `--json`.
  var json: JSONValue {
    .object([
      "box": .object([
        "x": .int(Int(boundingBox.minX)), "y": .int(Int(boundingBox.minY)), "width": .int(Int(boundingBox.width)),
        "height": .int(Int(boundingBox.height)),
      ]),
      "categories": .array(categories.map(\.json)),
      "keypoints": .array(
        (keypoints ?? []).map {
          .object(["x": .float(Float($0.location.x)), "y": .float(Float($0.location.y))])
        }),
    ])
  }
}
