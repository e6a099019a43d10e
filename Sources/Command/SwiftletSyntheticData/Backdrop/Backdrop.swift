import SwiftletBase

/// The background of a scene: a surface seen from above, or a wall with a table in front of it.
struct Backdrop: Sendable, Hashable {
  private let wall: Texture
  private let table: Texture?
  /// The far edge of the table, relative to the height.
  private let horizon: Float
  private let clutter: [FlatShape]

  /// - Parameter clutter: The range of the number of flat shapes.
  init(clutter: ClosedRange<Int>, _ generator: inout SplitMix64) {
    wall = Texture(&generator)
    table = generator.happens(0.4) ? Texture(&generator) : nil
    horizon = generator.number(0.35, 0.75)
    let count = generator.whole(clutter)
    var shapes: [FlatShape] = []
    for _ in 0..<count { shapes.append(FlatShape(&generator)) }
    self.clutter = shapes
  }

  /// The main colors.
  var tints: [Tint] { [wall.first, wall.second] + (table.map { [$0.first, $0.second] } ?? []) }

  func paint(on raster: inout Raster) {
    let pixel = 1 / raster.side
    let (width, height) = (raster.width, raster.height)
    let edge = horizon * Float(height)
    raster.samples.withUnsafeMutableBufferPointer { samples in
      var offset = 0
      var row = 0
      while row < height {
        let y = (Float(row) + 0.5) * pixel
        let isTable = table != nil && Float(row) >= edge
        let texture = isTable ? table ?? wall : wall
        // Darker toward the edge between table and wall.
        let tone = table == nil ? 1 : 1 - 0.22 * larger(0, 1 - magnitude(Float(row) - edge) / (0.12 * Float(height)))
        var column = 0
        while column < width {
          let tint = texture.tint((Float(column) + 0.5) * pixel, isTable ? y * 1.6 : y, blur: pixel)
          samples[offset] = tint.red * tone
          samples[offset + 1] = tint.green * tone
          samples[offset + 2] = tint.blue * tone
          offset += 3
          column += 1
        }
        row += 1
      }
    }
    for shape in clutter { shape.paint(on: &raster) }
  }
}

/// A flat shape that isn't an object: a bar, a sheet, a patch, or a line that resembles writing.
struct FlatShape: Sendable, Hashable {
  enum Kind: Int, Sendable, CaseIterable { case bar, sheet, patch, writing }

  private let kind: Kind
  private let tint: Tint
  private let second: Tint
  private let centerX: Float
  private let centerY: Float
  private let halfWidth: Float
  private let halfHeight: Float
  private let sine: Float
  private let cosine: Float
  private let noise: Noise
  private let opacity: Float

  init(_ generator: inout SplitMix64) {
    self.init(
      generator.one(of: Kind.allCases), generator.number(0, 1), generator.number(0, 1), generator.number(0.5, 1.2),
      &generator)
  }

  /// Creates a shape.
  ///
  /// - Parameters:
  ///   - centerX: The horizontal center, relative to the image's width.
  ///   - centerY: The vertical center, relative to the image's height.
  ///   - size: The size relative to the default of 1.
  init(_ kind: Kind, _ centerX: Float, _ centerY: Float, _ size: Float, _ generator: inout SplitMix64) {
    self.kind = kind
    self.centerX = centerX
    self.centerY = centerY
    tint = .any(&generator)
    second = .quiet(&generator)
    noise = Noise(&generator)
    switch kind {
    case .bar: (halfWidth, halfHeight) = (size * generator.number(0.2, 0.6), size * generator.number(0.01, 0.04))
    case .sheet: (halfWidth, halfHeight) = (size * generator.number(0.08, 0.25), size * generator.number(0.06, 0.2))
    case .patch:
      let radius = size * generator.number(0.06, 0.2)
      (halfWidth, halfHeight) = (radius, radius * generator.number(0.3, 0.8))
    case .writing: (halfWidth, halfHeight) = (size * generator.number(0.1, 0.35), size * generator.number(0.015, 0.045))
    }
    let angle = kind == .writing ? generator.number(-0.4, 0.4) : generator.number(-1.57, 1.57)
    (sine, cosine) = (sin(angle), cos(angle))
    opacity = generator.number(0.7, 1)
  }

  func paint(on raster: inout Raster) {
    let side = raster.side
    let reach = length(halfWidth, halfHeight) * side + 2
    let (width, height) = (raster.width, raster.height)
    Raster.forEachPixel(
      around: centerX * Float(width), centerY * Float(height), reach: reach, width: width, height: height
    ) { column, row, right, up in
      let u = (right * cosine + up * sine) / side, v = (up * cosine - right * sine) / side
      let share = opacity * coverage(u, v, side)
      if share > 0 {
        raster.blend(column, row, kind == .sheet && u + v > 0 ? tint.mixed(with: second, 0.3) : tint, share)
      }
    }
  }

  private func coverage(_ u: Float, _ v: Float, _ side: Float) -> Float {
    switch kind {
    case .bar, .sheet:
      return unit(0.5 + (halfWidth - magnitude(u)) * side) * unit(0.5 + (halfHeight - magnitude(v)) * side)
    case .patch:
      let wobble = 0.35 * noise.value(u * 14 + 40, v * 14 + 40)
      return unit(0.5 + (1 - wobble - length(u / halfWidth, v / halfHeight)) * halfHeight * side)
    case .writing:
      // Letters are cells of a line, each with a random subset of strokes.
      guard magnitude(u) < halfWidth, magnitude(v) < halfHeight else { return 0 }
      let cell = u / (1.3 * halfHeight)
      let (letter, across) = (Int32(wholeBelow(cell)), fraction(cell))
      guard noise.corner(letter, 0) > 0.18 else { return 0 }
      let along = v / halfHeight
      let thickness: Float = 0.2
      let upright = noise.corner(letter, 1) < 0.7 && magnitude(across - 0.25) < thickness / 2
      let second = noise.corner(letter, 2) < 0.5 && magnitude(across - 0.7) < thickness / 2
      let place = noise.corner(letter, 3) * 1.6 - 0.8
      let bar = magnitude(along - place) < thickness && across > 0.2 && across < 0.75
      return upright || second || bar ? 1 : 0
    }
  }
}

/// A pattern that fills a plane, in two colors and their blends.
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

  /// Returns the color at a position, in units of the image's shorter side.
  ///
  /// - Parameter blur: The width of an edge.
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

  /// Returns a square wave of -1 and 1 with soft edges.
  @inline(__always) private static func wave(_ value: Float, _ edge: Float) -> Float {
    let distance = magnitude(fraction(value) - 0.5) - 0.25
    return smoothStep(-edge, edge, distance) * 2 - 1
  }
}
