import SwiftletBase
import SwiftletEngine

extension Float {
  /// The exponent, when this is a power of two as far as single-precision logarithms can tell.
  ///
  /// - Source: the reference's check of int16 scales; a thousandth of an octave counts as exact.
  var exponentOfTwo: Int32? {
    let logarithm = logf(self) * (1 / logf(2))
    let rounded = logarithm.rounded(.toNearestOrAwayFromZero)
    guard abs(logarithm - rounded) < 1e-3 else { return nil }
    return Int32(saturating: rounded)
  }
}
