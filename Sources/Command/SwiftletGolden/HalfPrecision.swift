/// IEEE 754 half precision by its bits, because `Float16` does not exist on every platform we build for.
package enum HalfPrecision {
  /// The exact value of a half.
  package static func value(bitPattern: UInt16) -> Float {
    let sign = UInt32(bitPattern & 0x8000) << 16
    let exponent = UInt32(bitPattern >> 10) & 0x1F
    let fraction = UInt32(bitPattern & 0x3FF)
    switch exponent {
    case 0:
      let magnitude = Float(fraction) * 0x1p-24
      return sign == 0 ? magnitude : -magnitude
    case 0x1F:
      return Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
    default:
      return Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
    }
  }
}
