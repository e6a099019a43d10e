import SwiftletDrawing
import SwiftletJSON
import SwiftletVision

/// The bodies in a picture.
struct PosesResult: PictureResult {
  var picture: NamedPicture
  var poses: [Pose]
  /// Where the mask of each was written; `nil` where masks were not asked for.
  var maskFiles: [String?]?

  var json: JSONValue {
    picture.json("poses", poses.enumerated().map { index, pose in pose.json(maskFile: maskFiles?[index]) })
  }

  var text: String {
    picture.text(
      "bodies",
      poses.map { pose in
        let visible = pose.landmarks.count { $0.isVisible }
        return "body \(pose.landmarks.extent(in: picture.image)), \(visible) of \(pose.landmarks.count) points visible"
      })
  }

  func draw(on canvas: inout Canvas) throws {
    for (index, pose) in poses.enumerated() { try canvas.drawPose(pose, in: picture.image, color: .distinct(index)) }
  }
}

extension Pose {
  /// The object of a pose in `--json`.
  func json(maskFile: String?) -> JSONValue {
    .object([
      "landmarks": .array(landmarks.map(\.json)), "world_landmarks": .array(worldLandmarks.map(\.json)),
      "mask": .optional(maskFile),
    ])
  }
}

extension NormalizedLandmark {
  /// Whether the point can rather be seen than not.
  var isVisible: Bool { (visibility ?? 1) >= 0.5 }
}

extension Canvas {
  /// Draws a tint where the body is, and lines between the points that can be seen.
  mutating func drawPose(_ pose: Pose, in image: InputImage, color: Color) throws {
    if let mask = pose.segmentationMask { try tint(strengths: mask.pixels, opacity: 0.5, color: color) }
    drawSkeleton(pose.landmarks, PoseLandmarks.connections, in: image, color: color)
  }
}
