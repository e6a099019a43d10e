/// The person in a picture.
public struct HolisticLandmarkerResult: Sendable, Equatable {
  /// The body; `nil` when there is nobody. Without it there are neither hands nor a face.
  public var pose: Pose?
  /// The person's own left hand; `nil` when it is not seen.
  public var leftHand: HolisticHand?
  /// The person's own right hand; `nil` when it is not seen.
  public var rightHand: HolisticHand?
  /// The face, without a matrix; `nil` when it is not seen.
  public var face: Face?
  /// The time the frame came with; in image mode a second per call: 0 s, 1 s, 2 s, …
  public var timestamp: Duration

  /// The person in a picture.
  public init(
    pose: Pose? = nil, leftHand: HolisticHand? = nil, rightHand: HolisticHand? = nil, face: Face? = nil,
    timestamp: Duration
  ) {
    self.pose = pose
    self.leftHand = leftHand
    self.rightHand = rightHand
    self.face = face
    self.timestamp = timestamp
  }
}
