/// A color as video carries it, by the recommendations of the ITU: brightness and color differences out of red, green
/// and blue.
struct BroadcastColor {
  let y: UInt8
  let cb: UInt8
  let cr: UInt8

  /// - Parameters:
  ///   - rgb: 0…255.
  ///   - red: its share in brightness, K_R.
  ///   - blue: its share in brightness, K_B.
  ///   - isFull: whether all values of a byte are used; else 16…235 for brightness, 16…240 for differences.
  init(_ rgb: [UInt8], red: Double, blue: Double, isFull: Bool) {
    let (r, g, b) = (Double(rgb[0]) / 255, Double(rgb[1]) / 255, Double(rgb[2]) / 255)
    let brightness = red * r + (1 - red - blue) * g + blue * b
    let differences = [(b - brightness) / (2 * (1 - blue)), (r - brightness) / (2 * (1 - red))]
    y = UInt8((isFull ? 255 * brightness : 219 * brightness + 16).rounded())
    let bytes = differences.map { UInt8(min(max(((isFull ? 255 : 224) * $0 + 128).rounded(), 0), 255)) }
    (cb, cr) = (bytes[0], bytes[1])
  }
}
