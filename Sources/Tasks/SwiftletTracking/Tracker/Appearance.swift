/// The color histogram of an object, wherever the colors they are in its box.
///
/// A box alone cannot tell two objects that pass each other, or one that comes to stand before another. Their colors
/// mostly can.
///
/// - Source: color histograms compared by intersection (Swain and Ballard, "Color Indexing", 1991), with soft bins.
public struct Appearance: Sendable, Hashable {
  /// Four levels of red, of green and of blue.
  private static let levels = 4
  private static let unit = 65535

  /// The shares of the 64 colors, in 65535ths.
  private var shares = SIMD64<UInt16>()
  /// Appearances under different light cannot be compared. The caller raises this number when the light changes.
  public var light: Int

  /// - Parameters:
  ///   - pixels: red, green and blue bytes in turn, of points all over the object; an incomplete last pixel is ignored.
  ///   - light: a number that stays the same as long as the light does.
  public init(pixels: some Collection<UInt8>, light: Int = 0) {
    self.light = light
    var counts = [Int](repeating: 0, count: Self.levels * Self.levels * Self.levels)
    var iterator = pixels.makeIterator()
    while let red = iterator.next(), let green = iterator.next(), let blue = iterator.next() {
      Self.count(red, green, blue, in: &counts)
    }
    let total = counts.reduce(0, +)
    guard total > 0 else { return }
    for index in counts.indices { shares[index] = UInt16(counts[index] * Self.unit / total) }
  }

  /// A pixel counts for the levels on either side of each of its channels, the more the nearer, so that a little more
  /// light changes little.
  private static func count(_ red: UInt8, _ green: UInt8, _ blue: UInt8, in counts: inout [Int]) {
    let (red, green, blue) = (Level(red), Level(green), Level(blue))
    let lower = (red.lower * levels + green.lower) * levels + blue.lower
    func add(_ weight: Int, at place: Int) {
      counts[place] += weight * (16 - blue.fraction)
      counts[place + 1] += weight * blue.fraction
    }
    add((16 - red.fraction) * (16 - green.fraction), at: lower)
    add((16 - red.fraction) * green.fraction, at: lower + levels)
    add(red.fraction * (16 - green.fraction), at: lower + levels * levels)
    add(red.fraction * green.fraction, at: lower + levels * levels + levels)
  }

  private struct Level {
    var lower: Int
    /// How near to the upper level, 0…16.
    var fraction: Int

    init(_ byte: UInt8) {
      let position = Int(byte) * 16 * (levels - 1) / 255
      lower = min(position / 16, levels - 2)
      fraction = position - 16 * lower
    }
  }

  /// By how much two objects differ: 0 for the same colors in the same shares, 1 for no color in common.
  ///
  /// - Returns: `nil` when they were not seen under the same light.
  public func difference(from other: Appearance) -> Double? {
    guard light == other.light else { return nil }
    var (common, total) = (0, 0)
    for index in 0..<SIMD64<UInt16>.scalarCount {
      common += Int(min(shares[index], other.shares[index]))
      total += Int(shares[index]) + Int(other.shares[index])
    }
    return total > 0 ? 1 - 2 * Double(common) / Double(total) : 0
  }

  /// Mixes a fifth of the object's present colors into the remembered ones. After a change of light the present
  /// colors replace them.
  mutating func follow(_ other: Appearance) {
    guard light == other.light else {
      self = other
      return
    }
    for index in 0..<SIMD64<UInt16>.scalarCount {
      shares[index] = UInt16((4 * Int(shares[index]) + Int(other.shares[index])) / 5)
    }
  }
}
