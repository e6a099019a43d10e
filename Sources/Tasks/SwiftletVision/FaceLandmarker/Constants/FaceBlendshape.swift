/// What a face does, as a number that tells how much: the names and the order of MediaPipe's blendshapes.
///
/// Left and right are the subject's own.
public enum FaceBlendshape: Int, Sendable, Hashable, CaseIterable {
  /// That the face rests; practically 0.
  case neutral
  case browDownLeft
  case browDownRight
  case browInnerUp
  case browOuterUpLeft
  case browOuterUpRight
  case cheekPuff
  case cheekSquintLeft
  case cheekSquintRight
  case eyeBlinkLeft
  case eyeBlinkRight
  case eyeLookDownLeft
  case eyeLookDownRight
  case eyeLookInLeft
  case eyeLookInRight
  case eyeLookOutLeft
  case eyeLookOutRight
  case eyeLookUpLeft
  case eyeLookUpRight
  case eyeSquintLeft
  case eyeSquintRight
  case eyeWideLeft
  case eyeWideRight
  case jawForward
  case jawLeft
  case jawOpen
  case jawRight
  case mouthClose
  case mouthDimpleLeft
  case mouthDimpleRight
  case mouthFrownLeft
  case mouthFrownRight
  case mouthFunnel
  case mouthLeft
  case mouthLowerDownLeft
  case mouthLowerDownRight
  case mouthPressLeft
  case mouthPressRight
  case mouthPucker
  case mouthRight
  case mouthRollLower
  case mouthRollUpper
  case mouthShrugLower
  case mouthShrugUpper
  case mouthSmileLeft
  case mouthSmileRight
  case mouthStretchLeft
  case mouthStretchRight
  case mouthUpperUpLeft
  case mouthUpperUpRight
  case noseSneerLeft
  case noseSneerRight

  /// What models and results call it: the name of the case, but `_neutral` for ``neutral``.
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
