import Foundation
import SwiftletImage

/// How loud each pitch of a sound is, from one moment to the next.
struct Spectrogram {
  /// Samples that are looked at together, and how far it is from one look to the next.
  private static let window = 256
  private static let step = 64
  /// What is quieter than the loudest possible by more than this is black, in decibels.
  private static let range: Float = 60

  /// How many moments there are.
  let width: Int
  /// How many pitches there are, from none to half the sample rate.
  var height: Int { Self.window / 2 }
  /// From 0 for silence to 1, moment after moment, each from low to high.
  let levels: [Float]

  /// - Parameter samples: in −1…1, at least one window of them.
  init(_ samples: [Float]) {
    let count = Self.window
    // Of a Hann window: a sine of full height gives a quarter of the window's length.
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

  /// Time to the right, pitch upwards, loudness from dark to bright.
  func picture() throws -> ImageBuffer {
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

  /// From night over violet and orange to a light yellow, each brighter than the one before, so that it can be read
  /// without colours too.
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
