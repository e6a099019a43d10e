import Foundation
import SwiftletCommandLine
import SwiftletVision

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

  /// One line for people.
  var text: String {
    let names = categories.map { category in
      let name = category.displayName ?? category.categoryName ?? (category.index >= 0 ? "class \(category.index)" : "")
      return (name.isEmpty ? "" : name + " ") + String(format: "%.3f", category.score)
    }
    return "  \(names.joined(separator: ", ")) at \(Int(boundingBox.minX)),\(Int(boundingBox.minY)) "
      + "\(Int(boundingBox.width))×\(Int(boundingBox.height))\n"
  }
}

extension ResultCategory {
  var json: JSONValue {
    .object([
      "index": .int(index), "score": .float(score), "name": .optional(categoryName), "display_name": .optional(displayName),
    ])
  }
}

/// The result of a detector on one picture.
struct PictureDetections {
  var path: String
  var image: MPImage
  var detections: [Detection]

  var json: JSONValue {
    .object([
      "image": .string(path), "width": .int(image.width), "height": .int(image.height),
      "detections": .array(detections.map(\.json)),
    ])
  }

  /// - Parameter noun: what was looked for, in the plural.
  func text(_ noun: String) -> String {
    "\(path): \(detections.count) \(noun)\n" + detections.map(\.text).joined()
  }
}
