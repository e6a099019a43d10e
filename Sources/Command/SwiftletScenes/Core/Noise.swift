/// Smooth noise without a table: numbers at the corners of a grid, and smooth steps between them.
struct Noise: Sendable, Hashable {
  private let seed: UInt32

  init(_ generator: inout SplitMix64) { seed = UInt32(truncatingIfNeeded: generator.next()) }

  /// A number for a corner, 0…1, that looks random.
  ///
  /// - Source: the finaliser of Austin Appleby's MurmurHash3, by which every bit depends on all others.
  @inline(__always) func corner(_ column: Int32, _ row: Int32) -> Float {
    var bits = seed ^ UInt32(bitPattern: column) &* 0x9E37_79B1 ^ UInt32(bitPattern: row) &* 0x85EB_CA77
    bits = (bits ^ (bits >> 16)) &* 0x85EB_CA6B
    bits = (bits ^ (bits >> 13)) &* 0xC2B2_AE35
    return Float((bits ^ (bits >> 16)) >> 8) * 0x1p-24
  }

  /// The noise at a place, 0…1.
  func value(_ x: Float, _ y: Float) -> Float {
    let (left, top) = (wholeBelow(x), wholeBelow(y))
    let (column, row) = (Int32(left), Int32(top))
    let across = smoothStep(0, 1, x - left)
    let upper = between(corner(column, row), corner(column &+ 1, row), across)
    let lower = between(corner(column, row &+ 1), corner(column &+ 1, row &+ 1), across)
    return between(upper, lower, smoothStep(0, 1, y - top))
  }

  /// Coarse noise with finer noise on it, 0…1.
  func rough(_ x: Float, _ y: Float) -> Float {
    0.55 * value(x, y) + 0.3 * value(2.1 * x + 17, 2.1 * y - 5) + 0.15 * value(4.3 * x - 31, 4.3 * y + 11)
  }
}
