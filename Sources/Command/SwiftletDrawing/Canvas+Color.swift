extension Canvas {
  /// A colour without transparency.
  package struct Color: Sendable, Hashable {
    /// The red part.
    package var red: UInt8
    /// The green part.
    package var green: UInt8
    /// The blue part.
    package var blue: UInt8

    /// A colour of these parts in sRGB.
    package init(red: UInt8, green: UInt8, blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }

    /// White.
    package static let white = Color(red: 255, green: 255, blue: 255)
    /// Black.
    package static let black = Color(red: 0, green: 0, blue: 0)

    /// Colours that are easy to tell apart, for numbered things; the same number always has the same colour. There are
    /// 24, then they repeat.
    package static func distinct(_ number: Int) -> Color {
      palette[((number % palette.count) + palette.count) % palette.count]
    }

    private static let palette = [
      Color(red: 230, green: 57, blue: 70), Color(red: 29, green: 131, blue: 220), Color(red: 46, green: 160, blue: 67),
      Color(red: 245, green: 166, blue: 35), Color(red: 148, green: 82, blue: 214),
      Color(red: 20, green: 178, blue: 170),
      Color(red: 226, green: 88, blue: 164), Color(red: 140, green: 100, blue: 60),
      Color(red: 170, green: 215, blue: 30),
      Color(red: 35, green: 55, blue: 165), Color(red: 140, green: 20, blue: 45), Color(red: 0, green: 205, blue: 240),
      Color(red: 250, green: 220, blue: 0), Color(red: 195, green: 60, blue: 255), Color(red: 0, green: 95, blue: 55),
      Color(red: 255, green: 110, blue: 80), Color(red: 120, green: 195, blue: 255),
      Color(red: 115, green: 135, blue: 0),
      Color(red: 100, green: 0, blue: 120), Color(red: 130, green: 250, blue: 165),
      Color(red: 200, green: 105, blue: 0),
      Color(red: 255, green: 160, blue: 205), Color(red: 0, green: 100, blue: 125),
      Color(red: 185, green: 165, blue: 125),
    ]

    /// Black or white, whichever can be read on this colour.
    package var readable: Color {
      // The weights of the channels in brightness, as in ITU-R BT.601.
      let brightness = 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
      return brightness > 150_000 ? .black : .white
    }

    /// - Parameter share: of `other`, out of 256.
    func mixed(with other: Color, share: Int) -> Color {
      Color(
        red: Self.mixed(red, other.red, share), green: Self.mixed(green, other.green, share),
        blue: Self.mixed(blue, other.blue, share))
    }

    private static func mixed(_ own: UInt8, _ other: UInt8, _ share: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: (Int(own) * (256 - share) + Int(other) * share + 128) >> 8)
    }
  }

  /// An opacity as a share out of 256; what is not a number is opaque.
  static func share(_ opacity: Float) -> Int {
    opacity < 1 ? Int(max(opacity, 0) * 256 + 0.5) : 256
  }
}
