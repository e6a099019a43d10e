import SwiftletEngine

extension FixedWidthInteger {
  /// The nearest representable integer below or at `value`; NaN gives the smallest, as conversion instructions do.
  @inline(__always)
  init(saturating value: Float) {
    if value >= Float(Self.max) {
      self = .max
    } else if value > Float(Self.min) {
      self = Self(value)
    } else {
      self = .min
    }
  }
}
