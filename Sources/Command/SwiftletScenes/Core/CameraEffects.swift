/// What a camera does to a picture: unsharpness, exposure, colour cast, dark corners, noise.
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
          // Two numbers together are noise of the kind that sensors have: small errors are likelier than large ones.
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

  /// Each sample becomes a quarter of its two neighbours and half of itself, across and then down.
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
