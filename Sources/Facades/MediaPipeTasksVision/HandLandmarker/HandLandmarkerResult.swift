public import class MediaPipeTasksCommon.ResultCategory
import SwiftletVision

// Unchecked because its base class is: it has constants only.

/// The hands in a picture.
#if canImport(ObjectiveC)
  @objc(MPPHandLandmarkerResult) @objcMembers
#endif
open class HandLandmarkerResult: TaskResult, @unchecked Sendable {
  /// 21 points in the picture for every hand, in the order of ``HandLandmark``; empty when there is none.
  public let landmarks: [[NormalizedLandmark]]
  /// The same points in metres, from about the hand's middle.
  public let worldLandmarks: [[Landmark]]
  /// For every hand one category: whether it is the person's `Right` or `Left` hand, in a picture that is not mirrored.
  public let handedness: [[ResultCategory]]

  /// A result of these points.
  public init(
    landmarks: [[NormalizedLandmark]], worldLandmarks: [[Landmark]], handedness: [[ResultCategory]],
    timestampInMilliseconds: Int
  ) {
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
    self.handedness = handedness
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: [Hand], time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: [Hand], at time: Duration) {
    self.init(
      landmarks: value.map { $0.landmarks.map { NormalizedLandmark($0) } },
      worldLandmarks: value.map { $0.worldLandmarks.map { Landmark($0) } },
      handedness: value.map { [ResultCategory(handednessOf: $0)] },
      timestampInMilliseconds: time.inMilliseconds)
  }
}
