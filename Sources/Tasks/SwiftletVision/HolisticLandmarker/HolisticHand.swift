/// A hand of a person whose body is known.
public struct HolisticHand: Sendable, Hashable {
  /// Its 21 points in the stored picture, in the order of ``HandLandmarks/Point``. Depth is measured from the wrist.
  public var landmarks: [NormalizedLandmark]
  /// The same points in metres from the middle of the hips: where the wrist of ``Pose/worldLandmarks`` is.
  public var worldLandmarks: [Landmark]

  /// A hand of these points.
  public init(landmarks: [NormalizedLandmark], worldLandmarks: [Landmark]) {
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
  }
}
