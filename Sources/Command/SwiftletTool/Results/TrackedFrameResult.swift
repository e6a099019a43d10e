import Foundation
import SwiftletJSON
import SwiftletBase
import SwiftletTracking

/// What is known of the objects in a frame of a video.
struct TrackedFrameResult: PrintableResult {
  var frame: FrameSource.Frame
  var timestampInMilliseconds: Double
  var objects: [TrackedObject]

  /// The object of `--json` and `--jsonl`.
  var json: JSONValue {
    .object([
      "frame": .int(frame.index), "timestamp_ms": .double(timestampInMilliseconds), "image": .optional(frame.path),
      "width": .int(frame.image.width), "height": .int(frame.image.height), "objects": .array(objects.map(\.json)),
    ])
  }

  /// Lines for people, each with its end.
  var text: String {
    "\(frame.name.shown): \(objects.count) objects\n"
      + objects.map { object in
        let box = object.box
        return "  \(object.caption.shown) at \(Int(box.x)),\(Int(box.y)) \(Int(box.width))×\(Int(box.height))\n"
      }.joined()
  }
}

extension TrackedObject {
  /// The form of an object in `--json`.
  var json: JSONValue {
    .object([
      "tracking_id": .optional(trackingID),
      "frame": .object([
        "x": .double(box.x), "y": .double(box.y), "width": .double(box.width), "height": .double(box.height),
      ]),
      "labels": .array(
        labels.map {
          .object(["index": .int($0.index), "text": .string($0.text), "confidence": .float($0.confidence)])
        }),
    ])
  }

  /// ID and best label, or the localizer's score where there is no label.
  var caption: String {
    let id = trackingID.map { "#\($0)" } ?? ""
    guard let label = labels.first else { return id + String(format: " %.2f", score) }
    return id + " " + (label.text.isEmpty ? "class \(label.index)" : label.text)
      + String(format: " %.2f", label.confidence)
  }
}
