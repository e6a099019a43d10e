/// A hand in a picture.
public struct Hand: Sendable, Hashable {
  /// Its 21 points, in the order of ``HandLandmarks/Point``. Depth is measured from the wrist. They say nothing of
  /// visibility and presence.
  public var landmarks: [NormalizedLandmark]
  /// The same points in metres, from about the hand's middle, as they lie in the stored picture.
  public var worldLandmarks: [Landmark]
  /// Whether it is the `Right` (index 0) or the `Left` (index 1) hand of the person, in a picture that is not mirrored.
  public var handedness: ResultCategory

  /// A hand of these points.
  public init(landmarks: [NormalizedLandmark], worldLandmarks: [Landmark], handedness: ResultCategory) {
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
    self.handedness = handedness
  }
}

extension Hand {
  /// What a hand takes in a result, with its handedness and gesture, in bytes, about.
  static let byteCount =
    HandLandmarks.count * (MemoryLayout<NormalizedLandmark>.stride + MemoryLayout<Landmark>.stride) + 512
}
