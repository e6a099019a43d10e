import Foundation
import SwiftletCommandLine
import SwiftletImage
import SwiftletImageCodecs
import SwiftletVision

/// Writes a picture with its detections drawn in: a box a detection, a dot a key point.
struct Annotation {
  private enum Format { case png, jpeg }

  private let path: String
  private let format: Format

  /// `nil` without `--annotate`.
  ///
  /// - Throws: `UsageError` for another kind of file, and for several pictures.
  init?(_ arguments: Arguments, isList: Bool) throws(UsageError) {
    guard let path = arguments.string("annotate") else { return nil }
    guard !isList else { throw UsageError("--annotate takes one picture; call the program once for each") }
    switch path.lowercased().split(separator: ".").last {
    case "png": format = .png
    case "jpg", "jpeg": format = .jpeg
    default: throw UsageError("--annotate writes .png or .jpg, got '\(path)'")
    }
    self.path = path
  }

  func write(_ image: MPImage, detections: [Detection]) throws {
    var canvas = try Canvas(image.buffer)
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
    let drawn = try canvas.image()
    try OutputFile.write(
      format == .png ? try ImageEncoder.encodePNG(drawn) : try ImageEncoder.encodeJPEG(drawn), to: path)
  }
}
