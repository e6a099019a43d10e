import Foundation
import SwiftletBase
import SwiftletCommandLine
import SwiftletDrawing
import SwiftletImage
import SwiftletJSON
import SwiftletTracking

/// The tracked objects in a frame of a video.
struct TrackedFrameResult: PrintableResult {
  var frame: FrameSource.Frame
  var timestampInMilliseconds: Double
  var objects: [TrackedObject]

  /// The `--json` and `--jsonl` object.
  var json: JSONValue {
    .object([
      "frame": .int(frame.index), "timestamp_ms": .double(timestampInMilliseconds), "image": .optional(frame.path),
      "width": .int(frame.image.width), "height": .int(frame.image.height), "objects": .array(objects.map(\.json)),
    ])
  }

  /// The text output, with a line end after each line.
  var text: String {
    "\(frame.name.sanitized): \(objects.count) objects\n"
      + objects.map { object in
        let box = object.box
        return "  \(object.caption.sanitized) at \(Int(box.x)),\(Int(box.y)) \(Int(box.width))×\(Int(box.height))\n"
      }.joined()
  }
}

extension TrackedObject {
  /// The `--json` form of an object.
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

  /// The ID and the best label, or the localizer's score if there is no label.
  var caption: String {
    let id = trackingID.map { "#\($0)" } ?? ""
    guard let label = labels.first else { return id + String(format: " %.2f", score) }
    return id + " " + (label.text.isEmpty ? "class \(label.index)" : label.text)
      + String(format: " %.2f", label.confidence)
  }
}

/// The files of `--annotate-dir`: every frame with its objects.
struct TrackAnnotation {
  private let folder: FrameFolder
  private var drawing = TrackDrawing()

  /// Creates the output, or `nil` without `--annotate-dir`.
  init?(_ arguments: Arguments) throws {
    guard let folder = try FrameFolder(arguments) else { return nil }
    self.folder = folder
  }

  mutating func write(_ result: TrackedFrameResult) throws {
    try folder.write(try drawing.drawn(result), index: result.frame.index)
  }
}

/// Draws objects into the frames of a video, each in its own color and with a trail of its previous positions.
struct TrackDrawing {
  /// The number of positions in a trail.
  private static let trailLength = 60

  private var trails: [Int: [Canvas.Place]] = [:]

  /// Returns the next frame with its objects.
  mutating func drawn(_ result: TrackedFrameResult) throws -> ImageBuffer {
    var canvas = try Canvas(result.frame.image.buffer)
    let seen = Set(result.objects.compactMap(\.trackingID))
    trails = trails.filter { seen.contains($0.key) }
    for object in result.objects {
      guard let id = object.trackingID else { continue }
      trails[id, default: []].append(Canvas.Place(x: Int(object.box.center.x), y: Int(object.box.center.y)))
      if let count = trails[id]?.count, count > Self.trailLength { trails[id]?.removeFirst(count - Self.trailLength) }
    }
    draw(result.objects, on: &canvas)
    return try canvas.image()
  }

  private func draw(_ objects: [TrackedObject], on canvas: inout Canvas) {
    for object in objects {
      let color = Canvas.Color.distinct(object.trackingID ?? 0)
      let trail = object.trackingID.flatMap { trails[$0] } ?? []
      for (from, to) in zip(trail, trail.dropFirst()) {
        canvas.strokeLine(fromX: from.x, fromY: from.y, toX: to.x, toY: to.y, lineWidth: canvas.lineWidth, color: color)
      }
      let box = object.box
      canvas.strokeRectangle(
        x: Int(box.x), y: Int(box.y), width: Int(box.width.rounded(.up)), height: Int(box.height.rounded(.up)),
        lineWidth: object.isPredicted ? 1 : canvas.lineWidth, color: color)
    }
    // Draw captions after all boxes, most prominent object last, so that its caption stays legible.
    for object in objects.reversed() {
      canvas.drawCaption(
        object.caption, x: Int(object.box.x), y: Int(object.box.y), plate: .distinct(object.trackingID ?? 0))
    }
  }
}
