/// The posture of a body.
public struct Pose: Sendable, Equatable {
  /// 33 points in the stored picture, in the order of ``PoseLandmarks/Point``, all with visibility and presence. Depth
  /// is measured from the middle of the hips.
  public var landmarks: [NormalizedLandmark]
  /// The same points in metres, from the middle of the hips, with the same visibility and presence.
  public var worldLandmarks: [Landmark]
  /// How sure the model is that a pixel is the person's, 0…1, in the size of the stored picture and lying as it does;
  /// `nil` when it was not asked for.
  public var segmentationMask: ConfidenceMask?

  /// A posture.
  public init(landmarks: [NormalizedLandmark], worldLandmarks: [Landmark], segmentationMask: ConfidenceMask? = nil) {
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
    self.segmentationMask = segmentationMask
  }

  /// A point in the stored picture; `nil` where the pose has fewer points.
  public subscript(point: PoseLandmarks.Point) -> NormalizedLandmark? {
    landmarks.indices.contains(point.rawValue) ? landmarks[point.rawValue] : nil
  }
}

extension Pose {
  /// What a pose takes in a result, without its mask, in bytes, about.
  static let byteCount = 33 * (MemoryLayout<NormalizedLandmark>.stride + MemoryLayout<Landmark>.stride) + 256

  /// Moves the pose to the mirror image of its image.
  mutating func mirror() {
    landmarks.mirror()
    worldLandmarks.mirror()
    segmentationMask = segmentationMask?.mirrored
  }
}
