/// A hand in a picture, and what it does.
public struct RecognizedHand: Sendable, Hashable {
  /// The hand.
  public var hand: Hand
  /// Its gesture, by name and without an index; empty where no gesture passes the options.
  public var gestures: [ResultCategory]

  /// A hand with its gesture.
  public init(hand: Hand, gestures: [ResultCategory]) {
    self.hand = hand
    self.gestures = gestures
  }
}

/// The hands in a picture and their gestures.
public struct GestureRecognizerResult: Sendable, Hashable {
  /// Those that are followed first, then new ones, best first; empty when there is none.
  public var hands: [RecognizedHand]
  /// The time the frame came with; in image mode a second per call: 0 s, 1 s, 2 s, …
  public var timestamp: Duration

  /// The hands of a picture.
  public init(hands: [RecognizedHand], timestamp: Duration) {
    self.hands = hands
    self.timestamp = timestamp
  }
}
