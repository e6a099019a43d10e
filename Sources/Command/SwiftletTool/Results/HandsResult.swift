import SwiftletDrawing
import SwiftletJSON
import SwiftletVision

/// The hands in a picture, with their gestures where those were looked for.
struct HandsResult: PictureResult {
  var picture: NamedPicture
  var hands: [Hand]
  /// Those of each hand; `nil` where none were looked for.
  var gestures: [[ResultCategory]]?

  var json: JSONValue {
    picture.json(
      "hands",
      hands.enumerated().map { index, hand in
        var members = [JSONValue.Member(key: "handedness", value: hand.handedness.shortJSON)]
        if let gestures {
          members.append(.init(key: "gestures", value: .array(gestures[index].map(\.shortJSON))))
        }
        return .object(
          members + [
            .init(key: "landmarks", value: .array(hand.landmarks.map(\.json))),
            .init(key: "world_landmarks", value: .array(hand.worldLandmarks.map(\.json))),
          ])
      })
  }

  var text: String {
    picture.text(
      "hands", hands.indices.map { label($0, digits: 3) + " " + hands[$0].landmarks.extent(in: picture.image) })
  }

  func draw(on canvas: inout Canvas) {
    for (index, hand) in hands.enumerated() {
      canvas.drawSkeleton(hand.landmarks, HandLandmarks.connections, in: picture.image, color: .distinct(index))
    }
    // After all skeletons, and the first last: where labels overlap it can be read.
    for (index, hand) in hands.enumerated().reversed() {
      canvas.drawCaption(label(index, digits: 2), above: hand.landmarks, in: picture.image, plate: .distinct(index))
    }
  }

  private func label(_ index: Int, digits: Int) -> String {
    ([hands[index].handedness] + (gestures?[index] ?? [])).map { $0.name + " " + $0.scoreText(digits: digits) }
      .joined(separator: ", ")
  }
}
