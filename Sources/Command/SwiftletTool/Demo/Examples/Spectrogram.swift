import Foundation
import SwiftletImage

/// A spectrogram: the loudness of each frequency over time.
struct Spectrogram {
  /// The window length in samples, and the hop size.
  private static let window = 256
  private static let step = 64
  /// The dynamic range in decibels; quieter values are black.
  private static let range: Float = 60

  /// The number of time steps.
  let width: Int
  /// The number of frequencies, from zero to half the sample rate.
  var height: Int { Self.window / 2 }
  /// The levels from 0 (silence) to 1, by time step, each from low to high frequency.
  let levels: [Float]

  /// - Parameter samples: The samples in −1…1, at least one window.
  init(_ samples: [Float]) {
    let count = Self.window
    // With a Hann window, a full-scale sine has a magnitude of a quarter of the window length.
    let hann = (0..<count).map { 0.5 - 0.5 * cos(2 * Float.pi * Float($0) / Float(count)) }
    let transform = FourierTransform(count: count)
    width = max(0, (samples.count - count) / Self.step + 1)
    levels = (0..<width).flatMap { moment in
      let values = transform.magnitudes(of: hann.indices.map { samples[moment * Self.step + $0] * hann[$0] })
      return values.map { value in
        let decibels = 20 * log10(max(value * 4 / Float(count), 1e-9))
        return min(1, max(0, 1 + decibels / Self.range))
      }
    }
  }

  /// Returns the image: time to the right, frequency upward, loudness from dark to bright.
  func image() throws -> ImageBuffer {
    var bytes = [UInt8](repeating: 0, count: 3 * width * height)
    for moment in 0..<width {
      for pitch in 0..<height {
        let color = Self.color(levels[moment * height + pitch])
        let place = 3 * ((height - 1 - pitch) * width + moment)
        for channel in 0..<3 { bytes[place + channel] = color[channel] }
      }
    }
    return try ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: .rgb8)
  }

  /// A color map from dark blue over violet and orange to light yellow. The brightness increases monotonically, so that
  /// it is readable without colors.
  private static let colors: [SIMD3<Float>] = [
    [10, 12, 30], [66, 28, 110], [160, 48, 110], [235, 110, 50], [252, 226, 140],
  ]

  private static func color(_ level: Float) -> SIMD3<UInt8> {
    let place = level * Float(colors.count - 1)
    let index = min(colors.count - 2, Int(place))
    let color = colors[index] + (colors[index + 1] - colors[index]) * (place - Float(index))
    return SIMD3<UInt8>(color)
  }
}

/// The discrete Fourier transform of real numbers, for a power-of-two length.
///
/// - Source: Cooley and Tukey, "An Algorithm for the Machine Calculation of Complex Fourier Series" (1965).
struct FourierTransform {
  private let count: Int
  /// The twiddle factors: real and imaginary parts.
  private let turns: [SIMD2<Float>]
  /// The bit-reversed index of each number.
  private let places: [Int]

  /// - Precondition: `count` is a power of two.
  init(count: Int) {
    self.count = count
    turns = (0..<count).map { index in
      let angle = -2 * Float.pi * Float(index) / Float(count)
      return [cos(angle), sin(angle)]
    }
    let bits = count.trailingZeroBitCount
    places = (0..<count).map { index in
      (0..<bits).reduce(0) { $0 << 1 | (index >> $1) & 1 }
    }
  }

  /// Returns the magnitude of each frequency, from zero up to, but not including, half the sample rate.
  ///
  /// - Precondition: The number of values equals the length of the transform.
  func magnitudes(of values: [Float]) -> [Float] {
    var values = places.map { SIMD2<Float>(values[$0], 0) }
    var half = 1
    while half < count {
      for start in stride(from: 0, to: count, by: 2 * half) {
        for offset in 0..<half {
          let turn = turns[offset * (count / (2 * half))]
          let (first, second) = (values[start + offset], values[start + half + offset])
          let turned = SIMD2(
            second.x * turn.x - second.y * turn.y, second.x * turn.y + second.y * turn.x)
          values[start + offset] = first + turned
          values[start + half + offset] = first - turned
        }
      }
      half *= 2
    }
    return values.prefix(count / 2).map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }
  }
}

/// The waveform of a sound.
struct Waveform {
  static let width = 240
  static let height = 60

  /// The minimum and maximum sample of each column.
  private let columns: [(low: Float, high: Float)]

  /// - Parameter samples: The samples in −1…1, at least one per column.
  init(_ samples: [Float]) {
    columns = (0..<Self.width).map { column in
      let part = samples[(column * samples.count / Self.width)..<((column + 1) * samples.count / Self.width)]
      return (part.min() ?? 0, part.max() ?? 0)
    }
  }

  /// The outline as the `d` attribute of an SVG path: along the maxima, and back along the minima.
  var path: String {
    func point(_ column: Int, _ value: Float) -> String {
      let middle = Float(Self.height) / 2
      return String(format: "%d %.1f", column, middle - value * (middle - 1))
    }
    let there = columns.indices.map { point($0, columns[$0].high + 0.01) }
    let back = columns.indices.reversed().map { point($0, columns[$0].low - 0.01) }
    return "M" + (there + back).joined(separator: "L") + "Z"
  }
}
