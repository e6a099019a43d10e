import Foundation
import SwiftletCommandLine
import SwiftletDrawing
import SwiftletImage
import SwiftletTracking

/// The files of `--annotate-dir`: every frame with its objects drawn in.
struct TrackAnnotation {
  private let folder: FrameFolder
  private var drawing = TrackDrawing()

  /// `nil` without `--annotate-dir`.
  init?(_ arguments: Arguments) throws {
    guard let folder = try FrameFolder(arguments) else { return nil }
    self.folder = folder
  }

  mutating func write(_ result: TrackedFrameResult) throws {
    try folder.write(try drawing.drawn(result), index: result.frame.index)
  }
}

/// Draws objects into the frames of a video, each in a colour of its own and with a trail of where it was.
struct TrackDrawing {
  /// How many places a trail goes back.
  private static let trailLength = 60

  private var trails: [Int: [Canvas.Place]] = [:]

  /// The next frame with its objects drawn in.
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
    // After all boxes, and the most prominent last: where captions overlap it can be read.
    for object in objects.reversed() {
      canvas.drawCaption(
        object.caption, x: Int(object.box.x), y: Int(object.box.y), plate: .distinct(object.trackingID ?? 0))
    }
  }
}
