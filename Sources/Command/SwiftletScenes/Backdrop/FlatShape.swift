import SwiftletBase

/// Something flat that is nothing in particular: a bar, a sheet, a patch, or a line that looks like writing.
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

  /// - Parameters:
  ///   - centerX: a share of the picture's width.
  ///   - centerY: a share of its height.
  ///   - size: 1 for the usual.
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
      // Letters are cells of a line; in each some strokes are there and others are not.
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
