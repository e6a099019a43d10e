extension KernelReference {
  /// The real result of adding or multiplying two quantised values, in units of the output's scale and unrounded.
  package static func combine(
    _ left: Int, zeroPoint leftZero: Int, scale leftScale: Double, _ right: Int, zeroPoint rightZero: Int,
    scale rightScale: Double, isProduct: Bool
  ) -> Double {
    let x = Double(left - leftZero) * leftScale, y = Double(right - rightZero) * rightScale
    return isProduct ? x * y : x + y
  }
}
