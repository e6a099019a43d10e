/// The hands in a picture.
public struct HandLandmarkerResult: Sendable, Hashable {
  /// Those that are followed first, then new ones, best first; empty when there is none.
  public var hands: [Hand]
  /// The time the frame came with; in image mode a second per call: 0 s, 1 s, 2 s, …
  public var timestamp: Duration

  /// The hands of a picture.
  public init(hands: [Hand], timestamp: Duration) {
    self.hands = hands
    self.timestamp = timestamp
  }
}
