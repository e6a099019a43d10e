/// A video color by the ITU recommendations: luma and chroma from red, green, and blue.
struct BroadcastColor {
  let y: UInt8
  let cb: UInt8
  let cr: UInt8

  /// Converts a color.
  ///
  /// - Parameters:
  ///   - rgb: The color, 0…255.
  ///   - red: The luma weight of red, K_R.
  ///   - blue: The luma weight of blue, K_B.
  ///   - isFull: Whether the range is full; otherwise it is 16…235 for luma and 16…240 for chroma.
  init(_ rgb: [UInt8], red: Double, blue: Double, isFull: Bool) {
    let (r, g, b) = (Double(rgb[0]) / 255, Double(rgb[1]) / 255, Double(rgb[2]) / 255)
    let brightness = red * r + (1 - red - blue) * g + blue * b
    let differences = [(b - brightness) / (2 * (1 - blue)), (r - brightness) / (2 * (1 - red))]
    y = UInt8((isFull ? 255 * brightness : 219 * brightness + 16).rounded())
    let bytes = differences.map { UInt8(min(max(((isFull ? 255 : 224) * $0 + 128).rounded(), 0), 255)) }
    (cb, cr) = (bytes[0], bytes[1])
  }
}
