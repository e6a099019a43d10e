import SwiftletImage

/// The effects of a camera on an image: blur, exposure, color cast, vignetting, and noise.
struct CameraEffects: Sendable, Hashable {
  private let blurPasses: Int
  private let contrast: Float
  private let brightness: Float
  private let cast: Tint
  private let vignette: Float
  private let noiseLevel: Float
  private let noise: Noise

  /// - Parameter strength: 0 for a perfect camera, 1 for the usual range.
  init(strength: Float, _ generator: inout SplitMix64) {
    blurPasses = generator.happens(0.35 * strength) ? generator.whole(1...2) : 0
    contrast = 1 + strength * generator.number(-0.3, 0.25)
    brightness = strength * generator.number(-0.14, 0.14)
    cast = Tint(
      1 + strength * generator.number(-0.12, 0.12), 1 + strength * generator.number(-0.08, 0.08),
      1 + strength * generator.number(-0.12, 0.12))
    vignette = generator.happens(0.4) ? strength * generator.number(0.1, 0.45) : 0
    noiseLevel = generator.happens(0.6) ? strength * generator.number(0.005, 0.07) : 0
    noise = Noise(&generator)
  }

  func apply(to raster: inout Raster) {
    for _ in 0..<blurPasses { Self.blur(&raster) }
    let (width, height) = (raster.width, raster.height)
    raster.samples.withUnsafeMutableBufferPointer { samples in
      var offset = 0
      var row = 0
      while row < height {
        let down = (Float(row) + 0.5) / Float(height) - 0.5
        var column = 0
        while column < width {
          let across = (Float(column) + 0.5) / Float(width) - 0.5
          let tone = 1 - vignette * 2 * (across * across + down * down)
          // The sum of two numbers resembles sensor noise: small errors are more likely than large ones.
          var error: Float = 0
          if noiseLevel > 0 {
            error =
              noiseLevel * (noise.corner(Int32(column), Int32(row)) + noise.corner(Int32(column), ~Int32(row)) - 1)
          }
          samples[offset] = exposed(samples[offset], cast.red, tone) + error
          samples[offset + 1] = exposed(samples[offset + 1], cast.green, tone) + error
          samples[offset + 2] = exposed(samples[offset + 2], cast.blue, tone) + error
          offset += 3
          column += 1
        }
        row += 1
      }
    }
  }

  @inline(__always) private func exposed(_ sample: Float, _ cast: Float, _ tone: Float) -> Float {
    ((unit(sample) - 0.5) * contrast + 0.5 + brightness) * cast * tone
  }

  /// Replaces each sample by half of itself plus a quarter of each neighbor, first horizontally and then vertically.
  private static func blur(_ raster: inout Raster) {
    pass(&raster.samples, lines: raster.height, count: raster.width, lineStep: raster.width * 3, step: 3)
    pass(&raster.samples, lines: raster.width, count: raster.height, lineStep: 3, step: raster.width * 3)
  }

  private static func pass(_ samples: inout [Float], lines: Int, count: Int, lineStep: Int, step: Int) {
    samples.withUnsafeMutableBufferPointer { samples in
      var line = 0
      while line < lines {
        var channel = 0
        while channel < 3 {
          var index = line * lineStep + channel
          var before = samples[index]
          var position = 0
          while position < count {
            let own = samples[index]
            let after = position + 1 < count ? samples[index + step] : own
            samples[index] = 0.25 * before + 0.5 * own + 0.25 * after
            before = own
            index += step
            position += 1
          }
          channel += 1
        }
        line += 1
      }
    }
  }
}

/// Smooth noise without a table: values at the corners of a grid, interpolated smoothly.
struct Noise: Sendable, Hashable {
  private let seed: UInt32

  init(_ generator: inout SplitMix64) { seed = UInt32(truncatingIfNeeded: generator.next()) }

  /// Returns a pseudorandom value for a corner, 0…1.
  ///
  /// - Source: The finalizer of Austin Appleby's MurmurHash3, in which every output bit depends on all input bits.
  @inline(__always) func corner(_ column: Int32, _ row: Int32) -> Float {
    var bits = seed ^ UInt32(bitPattern: column) &* 0x9E37_79B1 ^ UInt32(bitPattern: row) &* 0x85EB_CA77
    bits = (bits ^ (bits >> 16)) &* 0x85EB_CA6B
    bits = (bits ^ (bits >> 13)) &* 0xC2B2_AE35
    return Float((bits ^ (bits >> 16)) >> 8) * 0x1p-24
  }

  /// Returns the noise at a position, 0…1.
  func value(_ x: Float, _ y: Float) -> Float {
    let (left, top) = (wholeBelow(x), wholeBelow(y))
    let (column, row) = (Int32(left), Int32(top))
    let across = smoothStep(0, 1, x - left)
    let upper = between(corner(column, row), corner(column &+ 1, row), across)
    let lower = between(corner(column, row &+ 1), corner(column &+ 1, row &+ 1), across)
    return between(upper, lower, smoothStep(0, 1, y - top))
  }

  /// Returns coarse noise with finer noise added, 0…1.
  func rough(_ x: Float, _ y: Float) -> Float {
    0.55 * value(x, y) + 0.3 * value(2.1 * x + 17, 2.1 * y - 5) + 0.15 * value(4.3 * x - 31, 4.3 * y + 11)
  }
}

/// An image that is being painted: the red, green, and blue components of every pixel, row by row.
struct Raster: Sendable {
  let width: Int
  let height: Int
  var samples: [Float]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    samples = [Float](repeating: 0, count: width * height * 3)
  }

  /// The unit of relative sizes: the shorter side.
  var side: Float { Float(Swift.min(width, height)) }

  /// Blends a color into a pixel.
  ///
  /// - Parameter share: The weight of the color, 0…1, against the existing pixel.
  @inline(__always) mutating func blend(_ column: Int, _ row: Int, _ tint: Tint, _ share: Float) {
    let offset = (row * width + column) * 3
    samples.withUnsafeMutableBufferPointer { samples in
      samples[offset] += (tint.red - samples[offset]) * share
      samples[offset + 1] += (tint.green - samples[offset + 1]) * share
      samples[offset + 2] += (tint.blue - samples[offset + 2]) * share
    }
  }

  /// Calls `body` for the pixels of a rectangle around a point that are inside the image. Their centers are relative to
  /// the point, with y upward.
  ///
  /// - Parameter body: A closure that receives the column, the row, and the distances to the right of and above the
  ///   point, in pixels.
  @inline(__always) static func forEachPixel(
    around centerX: Float, _ centerY: Float, reach: Float, width: Int, height: Int,
    _ body: (Int, Int, Float, Float) -> Void
  ) {
    let columns = range(centerX, reach, width)
    var row = range(centerY, reach, height).lowerBound
    let end = range(centerY, reach, height).upperBound
    while row < end {
      var column = columns.lowerBound
      while column < columns.upperBound {
        body(column, row, Float(column) + 0.5 - centerX, centerY - Float(row) - 0.5)
        column += 1
      }
      row += 1
    }
  }

  /// Returns the pixels of a row or column within reach of a position.
  static func range(_ center: Float, _ reach: Float, _ count: Int) -> Range<Int> {
    let first = Int(Swift.min(Swift.max(center - reach, 0), Float(count)))
    let end = Int(Swift.min(Swift.max(center + reach + 1, 0), Float(count)))
    return first..<Swift.max(first, end)
  }

  /// The bytes of the image, rounded.
  var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: samples.count) { bytes, count in
      samples.withUnsafeBufferPointer { samples in
        var index = 0
        while index < samples.count {
          bytes[index] = UInt8(unit(samples[index]) * 255 + 0.5)
          index += 1
        }
      }
      count = samples.count
    }
  }

  /// Returns the image.
  ///
  /// - Throws: `ImageError` if an image cannot be that large.
  func image() throws -> ImageBuffer { try ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: .rgb8) }
}
