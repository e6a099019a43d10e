import SwiftletVision

/// The probabilities of smiling and open eyes, from the blendshapes of a face.
///
/// A blendshape's score measures the strength of an expression, and is no probability. A logistic function maps it to
/// one. The score of a clear smile is about 0.5, and that of a mouth at rest about 0. The blink scores of open eyes are
/// below 0.2, and those of closed eyes about 0.7.
struct FaceExpression: Sendable, Hashable {
  private static let steepness: Float = 12
  private static let smile: Float = 0.35
  private static let blink: Float = 0.5

  let smiling: CGFloat
  let leftEyeOpen: CGFloat
  let rightEyeOpen: CGFloat

  init(_ blendshapes: FaceBlendshapes) {
    smiling = Self.probability(
      that: (blendshapes[.mouthSmileLeft] + blendshapes[.mouthSmileRight]) / 2, exceeds: Self.smile)
    leftEyeOpen = 1 - Self.probability(that: blendshapes[.eyeBlinkLeft], exceeds: Self.blink)
    rightEyeOpen = 1 - Self.probability(that: blendshapes[.eyeBlinkRight], exceeds: Self.blink)
  }

  /// Returns a number that is 0.5 if the score equals the middle, and increases with the score.
  private static func probability(that score: Float, exceeds middle: Float) -> CGFloat {
    1 / (1 + exp(-CGFloat(steepness * (score - middle))))
  }
}
