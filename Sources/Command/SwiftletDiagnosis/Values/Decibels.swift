import SwiftletBase

/// Ratios of powers.
enum Decibels {
  /// Returns `10 log₁₀(signal / noise)`: infinite without noise, and minus infinite without a signal.
  static func ratio(_ signal: Double, _ noise: Double) -> Double {
    guard noise > 0 else { return .infinity }
    return signal > 0 ? 10 * log10(signal / noise) : -.infinity
  }
}
