import SwiftletBase

/// A pattern that fills a plane, in two colours and what lies between.
struct Texture: Sendable, Hashable {
  enum Kind: Int, Sendable, CaseIterable {
    case plain, gradient, cloudy, checks, stripes, wood, blotches, tiles, speckles
  }

  let kind: Kind
  let first: Tint
  let second: Tint
  private let noise: Noise
  private let frequency: Float
  private let sine: Float
  private let cosine: Float
  private let grain: Float

  init(_ generator: inout SplitMix64) {
    kind = generator.one(of: Kind.allCases)
    noise = Noise(&generator)
    let angle = generator.number(0, 6.28)
    (sine, cosine) = (sin(angle), cos(angle))
    if kind == .wood {
      let brightness = generator.number(0.35, 0.95)
      first = Tint(brightness, brightness * generator.number(0.6, 0.75), brightness * generator.number(0.3, 0.5))
      second = first * generator.number(0.55, 0.8)
    } else {
      first = .quiet(&generator)
      second = generator.happens(0.6) ? first * generator.number(0.5, 1.4) : .quiet(&generator)
    }
    frequency =
      switch kind {
      case .plain, .gradient: 1
      case .cloudy, .blotches: generator.number(2, 8)
      case .checks, .tiles: generator.number(3, 9)
      case .stripes: generator.number(3, 12)
      case .wood: generator.number(3, 7)
      case .speckles: generator.number(15, 40)
      }
    grain = generator.number(0, 0.08)
  }

  /// The colour at a place, in lengths of the picture's shorter side.
  ///
  /// - Parameter blur: how wide an edge is drawn.
  func tint(_ x: Float, _ y: Float, blur: Float) -> Tint {
    let u = x * cosine - y * sine, v = x * sine + y * cosine
    let edge = blur * frequency
    let share: Float
    switch kind {
    case .plain: share = 0
    case .gradient: share = unit(0.5 + 0.8 * (u - 0.35))
    case .cloudy: share = noise.rough(u * frequency, v * frequency)
    case .checks:
      share = 0.5 + 0.5 * Self.wave(u * frequency, edge) * Self.wave(v * frequency, edge)
    case .stripes: share = 0.5 + 0.5 * Self.wave(u * frequency, edge)
    case .wood:
      let bend = noise.value(u * 0.8 * frequency, v * 0.25) * 2.5
      share = 0.7 * fraction(u * frequency + bend) + 0.3 * noise.value(u * 40, v * 3)
    case .blotches: share = smoothStep(0.44, 0.56, noise.rough(u * frequency, v * frequency))
    case .tiles:
      let joint = larger(magnitude(fraction(u * frequency) - 0.5), magnitude(fraction(v * frequency) - 0.5))
      let tone = 0.35 * noise.corner(Int32(wholeBelow(u * frequency)), Int32(wholeBelow(v * frequency)))
      share = between(tone, 1, smoothStep(0.46 - edge, 0.46 + edge, joint))
    case .speckles: share = smoothStep(0.6, 0.75, noise.value(u * frequency, v * frequency))
    }
    let tint = first.mixed(with: second, share)
    return grain > 0.01 ? tint * (1 + grain * (noise.value(x * 70, y * 70) - 0.5) * 2) : tint
  }

  /// -1 and 1 in turns, with soft edges.
  @inline(__always) private static func wave(_ value: Float, _ edge: Float) -> Float {
    let distance = magnitude(fraction(value) - 0.5) - 0.25
    return smoothStep(-edge, edge, distance) * 2 - 1
  }
}
