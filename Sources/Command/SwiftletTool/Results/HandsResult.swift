import SwiftletDrawing
import SwiftletJSON
import SwiftletVision

/// The hands in a picture, with their gestures where those were looked for.
struct HandsResult: PictureResult {
  var picture: NamedPicture
  var hands: [Hand]
  /// The gesture of each hand, if it has one; `nil` if gestures are not recognized.
  var gestures: [Gesture?]?

  init(picture: NamedPicture, hands: [Hand]) { (self.picture, self.hands) = (picture, hands) }

  init(picture: NamedPicture, recognized hands: [RecognizedHand]) {
    (self.picture, self.hands, gestures) = (picture, hands.map(\.hand), hands.map(\.gesture))
  }

  var json: JSONValue {
    picture.json(
      "hands",
      hands.enumerated().map { index, hand in
        var members = [JSONValue.Member(key: "handedness", value: hand.handednessCategory.shortJSON)]
        if let gestures {
          members.append(.init(key: "gestures", value: .array(gestures[index].map { [$0.category.shortJSON] } ?? [])))
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
    [hands[index].handednessCategory, gestures?[index]?.category].compactMap(\.self)
      .map { $0.name + " " + $0.scoreText(digits: digits) }.joined(separator: ", ")
  }
}

extension Hand {
  /// The handedness as a category, as MediaPipe names and numbers it.
  var handednessCategory: ResultCategory {
    handedness == .right
      ? ResultCategory(index: 0, score: handednessScore, categoryName: "Right")
      : ResultCategory(index: 1, score: handednessScore, categoryName: "Left")
  }
}

extension Gesture {
  /// The gesture as a category; gestures have no number.
  fileprivate var category: ResultCategory { ResultCategory(index: -1, score: score, categoryName: name) }
}
