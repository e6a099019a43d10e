import SwiftletVision

// Unchecked because its base class is: it has constants only.

/// The bodies in a picture.
#if canImport(ObjectiveC)
  @objc(MPPPoseLandmarkerResult) @objcMembers
#endif
open class PoseLandmarkerResult: TaskResult, @unchecked Sendable {
  /// 33 points in the picture for every body, all with visibility and presence; empty when there is none.
  public let landmarks: [[NormalizedLandmark]]
  /// The same points in metres, from the middle of the hips.
  public let worldLandmarks: [[Landmark]]
  /// For every body how sure the model is that a pixel is the person's; empty unless asked for.
  public let segmentationMasks: [Mask]

  /// A result of these points and masks.
  public init(
    landmarks: [[NormalizedLandmark]], worldLandmarks: [[Landmark]], segmentationMasks: [Mask],
    timestampInMilliseconds: Int
  ) {
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
    self.segmentationMasks = segmentationMasks
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: [Pose], time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: [Pose], at time: Duration) {
    self.init(
      landmarks: value.map { $0.landmarks.map { NormalizedLandmark($0) } },
      worldLandmarks: value.map { $0.worldLandmarks.map { Landmark($0) } },
      segmentationMasks: value.compactMap { $0.segmentationMask.map { Mask($0) } },
      timestampInMilliseconds: time.inMilliseconds)
  }
}
