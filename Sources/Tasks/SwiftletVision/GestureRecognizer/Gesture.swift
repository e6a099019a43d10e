import SwiftletTasks

/// A gesture of a hand, such as `Thumb_Up`.
public struct Gesture: Sendable, Hashable {
  /// The name of the gesture in the model's label file; `None` for a hand that makes no gesture.
  public var name: String
  /// The score of the gesture, 0…1.
  public var score: Float

  /// Creates a gesture.
  public init(name: String, score: Float) {
    self.name = name
    self.score = score
  }
}

/// A hand in an image and its gesture.
public struct RecognizedHand: Sendable, Hashable {
  /// The hand.
  public var hand: Hand
  /// The gesture; `nil` if no gesture passes the options.
  public var gesture: Gesture?

  /// Creates a hand with its gesture.
  public init(hand: Hand, gesture: Gesture?) {
    self.hand = hand
    self.gesture = gesture
  }
}
