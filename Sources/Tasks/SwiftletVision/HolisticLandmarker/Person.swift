import SwiftletImage

/// A person in an image: body, hands, and face.
public struct Person: Sendable, Equatable {
  /// The body.
  public var pose: Pose
  /// The person's own left hand; `nil` if it is not seen.
  public var leftHand: HolisticHand?
  /// The person's own right hand; `nil` if it is not seen.
  public var rightHand: HolisticHand?
  /// The face, without a matrix; `nil` if it is not seen.
  public var face: Face?

  /// Creates a person.
  public init(
    pose: Pose, leftHand: HolisticHand? = nil, rightHand: HolisticHand? = nil, face: Face? = nil
  ) {
    self.pose = pose
    self.leftHand = leftHand
    self.rightHand = rightHand
    self.face = face
  }

  /// Moves the person to the mirror image of its image.
  mutating func mirror() {
    pose.mirror()
    leftHand?.mirror()
    rightHand?.mirror()
    face?.mirror()
  }
}

/// A hand of a person whose body is known.
public struct HolisticHand: Sendable, Hashable {
  /// The 21 landmarks in the stored image, in the order of ``HandLandmarks/Point``. Depth is measured from the wrist.
  public var landmarks: [NormalizedLandmark]
  /// The world landmarks: the same points in meters from the middle of the hips, with the wrist where
  /// ``Pose/worldLandmarks`` has it.
  public var worldLandmarks: [Landmark]

  /// Creates a hand.
  public init(landmarks: [NormalizedLandmark], worldLandmarks: [Landmark]) {
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
  }

  /// Moves the hand to the mirror image of its image.
  mutating func mirror() {
    landmarks.mirror()
    worldLandmarks.mirror()
  }
}
