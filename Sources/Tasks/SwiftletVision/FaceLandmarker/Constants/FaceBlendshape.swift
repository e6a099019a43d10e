/// The blendshapes of a face, with MediaPipe's names and order.
///
/// Left and right are the subject's own.
public enum FaceBlendshape: Int, Sendable, Hashable, CaseIterable {
  /// The neutral face; its score is practically 0.
  case neutral
  /// The left eyebrow goes down.
  case browDownLeft
  /// The right eyebrow goes down.
  case browDownRight
  /// The inner ends of both eyebrows go up.
  case browInnerUp
  /// The outer end of the left eyebrow goes up.
  case browOuterUpLeft
  /// The outer end of the right eyebrow goes up.
  case browOuterUpRight
  /// Both cheeks are blown out.
  case cheekPuff
  /// The left cheek goes up, below the eye.
  case cheekSquintLeft
  /// The right cheek goes up, below the eye.
  case cheekSquintRight
  /// The lids of the left eye close.
  case eyeBlinkLeft
  /// The lids of the right eye close.
  case eyeBlinkRight
  /// The left eye looks down.
  case eyeLookDownLeft
  /// The right eye looks down.
  case eyeLookDownRight
  /// The left eye looks towards the nose.
  case eyeLookInLeft
  /// The right eye looks towards the nose.
  case eyeLookInRight
  /// The left eye looks away from the nose.
  case eyeLookOutLeft
  /// The right eye looks away from the nose.
  case eyeLookOutRight
  /// The left eye looks up.
  case eyeLookUpLeft
  /// The right eye looks up.
  case eyeLookUpRight
  /// The face around the left eye contracts.
  case eyeSquintLeft
  /// The face around the right eye contracts.
  case eyeSquintRight
  /// The lids of the left eye open wide.
  case eyeWideLeft
  /// The lids of the right eye open wide.
  case eyeWideRight
  /// The lower jaw comes forward.
  case jawForward
  /// The lower jaw moves to the left.
  case jawLeft
  /// The lower jaw opens.
  case jawOpen
  /// The lower jaw moves to the right.
  case jawRight
  /// The lips close, whatever the position of the jaw.
  case mouthClose
  /// The left corner of the mouth goes back.
  case mouthDimpleLeft
  /// The right corner of the mouth goes back.
  case mouthDimpleRight
  /// The left corner of the mouth goes down.
  case mouthFrownLeft
  /// The right corner of the mouth goes down.
  case mouthFrownRight
  /// The lips form an open ring.
  case mouthFunnel
  /// Both lips move to the left.
  case mouthLeft
  /// The lower lip goes down on the left side.
  case mouthLowerDownLeft
  /// The lower lip goes down on the right side.
  case mouthLowerDownRight
  /// The lower lip is pressed up on the left side.
  case mouthPressLeft
  /// The lower lip is pressed up on the right side.
  case mouthPressRight
  /// The closed lips contract, as for a kiss.
  case mouthPucker
  /// Both lips move to the right.
  case mouthRight
  /// The lower lip rolls inwards.
  case mouthRollLower
  /// The upper lip rolls inwards.
  case mouthRollUpper
  /// The lower lip moves outwards.
  case mouthShrugLower
  /// The upper lip moves outwards.
  case mouthShrugUpper
  /// The left corner of the mouth goes up.
  case mouthSmileLeft
  /// The right corner of the mouth goes up.
  case mouthSmileRight
  /// The left corner of the mouth goes outwards.
  case mouthStretchLeft
  /// The right corner of the mouth goes outwards.
  case mouthStretchRight
  /// The upper lip goes up on the left side.
  case mouthUpperUpLeft
  /// The upper lip goes up on the right side.
  case mouthUpperUpRight
  /// The left side of the nose goes up.
  case noseSneerLeft
  /// The right side of the nose goes up.
  case noseSneerRight

  /// The name in models and results: the case name, except for ``neutral``, which is named `_neutral`.
  public var name: String { Self.names[rawValue] }

  static let names: [String] = [
    "_neutral", "browDownLeft", "browDownRight", "browInnerUp", "browOuterUpLeft", "browOuterUpRight", "cheekPuff",
    "cheekSquintLeft", "cheekSquintRight", "eyeBlinkLeft", "eyeBlinkRight", "eyeLookDownLeft", "eyeLookDownRight",
    "eyeLookInLeft", "eyeLookInRight", "eyeLookOutLeft", "eyeLookOutRight", "eyeLookUpLeft", "eyeLookUpRight",
    "eyeSquintLeft", "eyeSquintRight", "eyeWideLeft", "eyeWideRight", "jawForward", "jawLeft", "jawOpen", "jawRight",
    "mouthClose", "mouthDimpleLeft", "mouthDimpleRight", "mouthFrownLeft", "mouthFrownRight", "mouthFunnel",
    "mouthLeft", "mouthLowerDownLeft", "mouthLowerDownRight", "mouthPressLeft", "mouthPressRight", "mouthPucker",
    "mouthRight", "mouthRollLower", "mouthRollUpper", "mouthShrugLower", "mouthShrugUpper", "mouthSmileLeft",
    "mouthSmileRight", "mouthStretchLeft", "mouthStretchRight", "mouthUpperUpLeft", "mouthUpperUpRight",
    "noseSneerLeft", "noseSneerRight",
  ]
}
