extension KernelReference {
  /// `clamp(round(x / scale) + zeroPoint, lower, upper)`, halves away from zero.
  package static func quantize(_ x: Float, scale: Float, zeroPoint: Int32, lower: Int32, upper: Int32) -> Int32 {
    let rounded = min(max((x / scale).rounded(.toNearestOrAwayFromZero), -0x1p24), 0x1p24)
    return min(max(Int32(rounded) + zeroPoint, lower), upper)
  }

  /// `clamp(round(zeroPoint + x * factor), lower, upper)`, halves away from zero.
  package static func quantize(_ x: Float, factor: Float, zeroPoint: Int32, lower: Int32, upper: Int32) -> Int32 {
    let product = x * factor
    let rounded = (Float(zeroPoint) + product).rounded(.toNearestOrAwayFromZero)
    return min(max(Int32(min(max(rounded, -0x1p24), 0x1p24)), lower), upper)
  }
}
