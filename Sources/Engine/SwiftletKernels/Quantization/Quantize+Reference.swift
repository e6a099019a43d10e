extension KernelReference {
  /// Returns `clamp(round(x / scale) + zeroPoint, lower, upper)`, rounded half away from zero.
  package static func quantize(_ x: Float, scale: Float, zeroPoint: Int32, lower: Int32, upper: Int32) -> Int32 {
    let rounded = min(max((x / scale).rounded(.toNearestOrAwayFromZero), -0x1p24), 0x1p24)
    return min(max(Int32(rounded) + zeroPoint, lower), upper)
  }

  /// Returns `clamp(round(x * factor) + zeroPoint, lower, upper)`, rounded half away from zero.
  package static func quantize(_ x: Float, factor: Float, zeroPoint: Int32, lower: Int32, upper: Int32) -> Int32 {
    let rounded = min(max((x * factor).rounded(.toNearestOrAwayFromZero), -0x1p24), 0x1p24)
    return min(max(Int32(rounded) + zeroPoint, lower), upper)
  }
}
