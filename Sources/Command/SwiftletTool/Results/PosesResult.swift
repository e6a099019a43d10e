import SwiftletDrawing
import SwiftletJSON
import SwiftletVision

/// The poses in an image.
struct PosesResult: ImageResult {
  var input: NamedImage
  var poses: [Pose]
  /// The files of the masks, or `nil` if no masks were requested.
  var maskFiles: [String?]?

  var json: JSONValue {
    input.json("poses", poses.enumerated().map { index, pose in pose.json(maskFile: maskFiles?[index]) })
  }

  var text: String {
    input.text(
      "bodies",
      poses.map { pose in
        let visible = pose.landmarks.count { $0.isVisible }
        return "body \(pose.landmarks.extent(in: input.image)), \(visible) of \(pose.landmarks.count) points visible"
      })
  }

  func draw(on canvas: inout Canvas) throws {
    for (index, pose) in poses.enumerated() { try canvas.drawPose(pose, in: input.image, color: .distinct(index)) }
  }
}

extension Pose {
  /// Returns the `--json` object of a pose.
  func json(maskFile: String?) -> JSONValue {
    .object([
      "landmarks": .array(landmarks.map(\.json)), "world_landmarks": .array(worldLandmarks.map(\.json)),
      "mask": .optional(maskFile),
    ])
  }
}

extension NormalizedLandmark {
  /// Whether the landmark is more likely visible than not.
  var isVisible: Bool { (visibility ?? 1) >= 0.5 }
}

extension Canvas {
  /// Draws an overlay over the body, and lines between the visible landmarks.
  mutating func drawPose(_ pose: Pose, in image: InputImage, color: Color) throws {
    if let mask = pose.segmentationMask { try tint(strengths: mask.pixels, opacity: 0.5, color: color) }
    drawSkeleton(pose.landmarks, PoseLandmarks.connections, in: image, color: color)
  }
}

/// The person in an image, with pose, hand, and face landmarks.
struct HolisticResult: ImageResult {
  var input: NamedImage
  /// The person, or `nil` if none was detected.
  var person: Person?
  /// The file of the mask, or `nil` if no mask was requested.
  var maskFile: String?

  private var hands: [(name: String, hand: HolisticHand?)] {
    [("left hand", person?.leftHand), ("right hand", person?.rightHand)]
  }

  var json: JSONValue {
    .object(
      input.members + [
        .init(key: "pose", value: person?.pose.json(maskFile: maskFile) ?? .null),
        .init(key: "left_hand", value: person?.leftHand?.json ?? .null),
        .init(key: "right_hand", value: person?.rightHand?.json ?? .null),
        .init(key: "face", value: person?.face?.json ?? .null),
      ])
  }

  var text: String {
    let parts: [(String, [NormalizedLandmark]?)] =
      [("body", person?.pose.landmarks), ("face", person?.face?.landmarks)]
      + hands.map { ($0.name, $0.hand?.landmarks) }
    return input.text(
      "parts of a person",
      parts.compactMap { name, points in points.map { name + " " + $0.extent(in: input.image) } })
  }

  /// Draws the pose below the face, and the hands on top.
  func draw(on canvas: inout Canvas) throws {
    if let pose = person?.pose { try canvas.drawPose(pose, in: input.image, color: .distinct(0)) }
    if let face = person?.face { canvas.drawFace(face, in: input.image, color: .distinct(1)) }
    for (index, part) in hands.enumerated() {
      guard let hand = part.hand else { continue }
      canvas.drawSkeleton(
        hand.landmarks, HandLandmarks.connections, in: input.image, color: .distinct(2 + index))
    }
  }
}

extension HolisticHand {
  /// The `--json` object of a hand.
  fileprivate var json: JSONValue {
    .object(["landmarks": .array(landmarks.map(\.json)), "world_landmarks": .array(worldLandmarks.map(\.json))])
  }
}

extension Canvas {
  /// Draws the visible landmarks, and lines between them.
  mutating func drawSkeleton(
    _ points: [NormalizedLandmark], _ connections: [LandmarkConnection], in image: InputImage, color: Color
  ) {
    let places = points.map { $0.isVisible ? $0.place(in: image) : nil }
    strokeEdges(connections.lazy.map { ($0.start, $0.end) }, between: places, lineWidth: lineWidth, color: color)
    fillDots(places, color: color)
  }

  /// Draws a caption above the landmarks.
  mutating func drawCaption(_ text: String, above points: [NormalizedLandmark], in image: InputImage, plate: Color) {
    let places = points.compactMap { $0.place(in: image) }
    guard let left = places.map(\.x).min(), let top = places.map(\.y).min() else { return }
    drawCaption(text, x: left, y: top, plate: plate)
  }
}
