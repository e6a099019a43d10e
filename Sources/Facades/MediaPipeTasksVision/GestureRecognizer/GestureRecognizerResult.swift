public import class MediaPipeTasksCommon.ResultCategory
import SwiftletVision

// Unchecked because its base class is: it has constants only.

/// The hands in a picture and their gestures. All lists are empty when no hand has a gesture, as in MediaPipe.
#if canImport(ObjectiveC)
  @objc(MPPGestureRecognizerResult) @objcMembers
#endif
open class GestureRecognizerResult: TaskResult, @unchecked Sendable {
  /// For every hand its gesture, by name and with the index -1; an empty list where a hand has none and another one has
  /// (there MediaPipe leaves the list out, so that the others do not stand beside their hands).
  public let gestures: [[ResultCategory]]
  /// For every hand one category: whether it is the person's `Right` or `Left` hand, in a picture that is not mirrored.
  public let handedness: [[ResultCategory]]
  /// 21 points in the picture for every hand, in the order of ``HandLandmark``.
  public let landmarks: [[NormalizedLandmark]]
  /// The same points in metres, from about the hand's middle.
  public let worldLandmarks: [[Landmark]]

  /// A result of these gestures and points.
  public init(
    gestures: [[ResultCategory]], handedness: [[ResultCategory]], landmarks: [[NormalizedLandmark]],
    worldLandmarks: [[Landmark]], timestampInMilliseconds: Int
  ) {
    self.gestures = gestures
    self.handedness = handedness
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: [RecognizedHand], time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: [RecognizedHand], at time: Duration) {
    let hands = value.allSatisfy { $0.gesture == nil } ? [] : value
    self.init(
      gestures: hands.map { $0.gesture.map { [ResultCategory($0)] } ?? [] },
      handedness: hands.map { [ResultCategory(handednessOf: $0.hand)] },
      landmarks: hands.map { $0.hand.landmarks.map { NormalizedLandmark($0) } },
      worldLandmarks: hands.map { $0.hand.worldLandmarks.map { Landmark($0) } },
      timestampInMilliseconds: time.inMilliseconds)
  }
}
