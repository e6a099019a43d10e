/// The color histogram of an object, regardless of where the colors are in its box.
///
/// A box alone cannot distinguish two objects that pass each other, or an object that moves in front of another. Their
/// colors mostly can.
///
/// - Source: color histograms compared by intersection (Swain and Ballard, "Color Indexing", 1991), with soft bins.
public struct Appearance: Sendable, Hashable {
  /// The number of levels each of red, green, and blue.
  private static let levels = 4
  private static let unit = 65535

  /// The fractions of the 64 colors, in units of 1/65535.
  private var shares = SIMD64<UInt16>()
  /// A number that identifies the lighting. Appearances under different light cannot be compared, so the caller
  /// increases this number when the light changes.
  public var light: Int

  /// Creates the appearance of an object.
  ///
  /// - Parameters:
  ///   - pixels: The red, green, and blue bytes of points all over the object. An incomplete last pixel is ignored.
  ///   - light: A number that stays the same as long as the light does.
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

  /// Counts a pixel for the levels on both sides of each of its channels, with more weight for the nearer level, so
  /// that slightly different light has little effect.
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
    /// The proximity to the upper level, 0…16.
    var fraction: Int

    init(_ byte: UInt8) {
      let position = Int(byte) * 16 * (levels - 1) / 255
      lower = min(position / 16, levels - 2)
      fraction = position - 16 * lower
    }
  }

  /// Returns the difference between two objects: 0 for identical histograms, 1 for no color in common.
  ///
  /// - Returns: `nil` if they were not seen under the same light.
  public func difference(from other: Appearance) -> Double? {
    guard light == other.light else { return nil }
    var (common, total) = (0, 0)
    for index in 0..<SIMD64<UInt16>.scalarCount {
      common += Int(min(shares[index], other.shares[index]))
      total += Int(shares[index]) + Int(other.shares[index])
    }
    return total > 0 ? 1 - 2 * Double(common) / Double(total) : 0
  }

  /// Updates the colors: blends in one fifth of the present colors. After a change of light, the present colors replace
  /// all previous ones.
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
