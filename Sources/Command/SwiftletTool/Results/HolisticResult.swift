import SwiftletDrawing
import SwiftletJSON
import SwiftletVision

/// The person in a picture.
struct HolisticResult: PictureResult {
  var picture: NamedPicture
  /// `nil` if there is no person.
  var person: Person?
  /// Where the mask was written; `nil` where it was not asked for.
  var maskFile: String?

  private var hands: [(name: String, hand: HolisticHand?)] {
    [("left hand", person?.leftHand), ("right hand", person?.rightHand)]
  }

  var json: JSONValue {
    .object(
      picture.members + [
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
    return picture.text(
      "parts of a person",
      parts.compactMap { name, points in points.map { name + " " + $0.extent(in: picture.image) } })
  }

  /// The body under the face, and the hands above both.
  func draw(on canvas: inout Canvas) throws {
    if let pose = person?.pose { try canvas.drawPose(pose, in: picture.image, color: .distinct(0)) }
    if let face = person?.face { canvas.drawFace(face, in: picture.image, color: .distinct(1)) }
    for (index, part) in hands.enumerated() {
      guard let hand = part.hand else { continue }
      canvas.drawSkeleton(
        hand.landmarks, HandLandmarks.connections, in: picture.image, color: .distinct(2 + index))
    }
  }
}

extension HolisticHand {
  /// The object of a hand in `--json`.
  fileprivate var json: JSONValue {
    .object(["landmarks": .array(landmarks.map(\.json)), "world_landmarks": .array(worldLandmarks.map(\.json))])
  }
}
