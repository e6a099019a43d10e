/// What a sound is. The raw value is the kind's number in labels and models.
package enum SoundKind: Int, Sendable, CaseIterable {
  case silence, tone, twoTones, risingTone, fallingTone, warble, clicks, noise

  /// The English name.
  package var name: String {
    switch self {
    case .twoTones: "two tones"
    case .risingTone: "rising tone"
    case .fallingTone: "falling tone"
    default: "\(self)"
    }
  }
}
