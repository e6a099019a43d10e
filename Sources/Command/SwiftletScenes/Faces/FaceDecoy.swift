/// Something round with marks on it that is no face: a disc, a dial, a fruit, dots in disorder.
struct FaceDecoy: Sendable, Hashable {
  private let centerX: Float
  private let centerY: Float
  private let size: Float
  private let tint: Tint
  private let mark: Tint
  private let stretch: Float
  private let rotation: Rotation
  private let marks: [Mark]

  private struct Mark: Sendable, Hashable {
    var x: Float
    var y: Float
    var halfWidth: Float
    var halfHeight: Float
  }

  init(_ generator: inout SplitMix64) {
    centerX = generator.number(0.05, 0.95)
    centerY = generator.number(0.05, 0.95)
    size = generator.number(0.06, 0.3)
    tint =
      generator.happens(0.5)
      ? Tint(0.86, 0.66, 0.50).mixed(with: Tint(0.5, 0.33, 0.24), generator.number(-0.3, 1)) : .any(&generator)
    mark = generator.happens(0.6) ? .black : .any(&generator)
    stretch = generator.number(0.7, 1.2)
    rotation = Rotation(yaw: 0, pitch: 0, roll: generator.number(-3.1, 3.1))
    var marks: [Mark] = []
    switch generator.whole(0...3) {
    case 0: break
    case 1:
      // A dial: two hands.
      marks = [
        Mark(x: 0, y: 0.3, halfWidth: 0.05, halfHeight: 0.35), Mark(x: 0.2, y: 0, halfWidth: 0.25, halfHeight: 0.06),
      ]
    case 2:
      // One eye or one mouth, as of a face of which the rest is missing.
      marks = [
        Mark(
          x: generator.number(-0.5, 0.5), y: generator.number(-0.5, 0.5), halfWidth: generator.number(0.12, 0.3),
          halfHeight: 0.08)
      ]
    default:
      for _ in 0..<generator.whole(4...9) {
        let half = generator.number(0.04, 0.12)
        marks.append(
          Mark(x: generator.number(-0.8, 0.8), y: generator.number(-0.8, 0.8), halfWidth: half, halfHeight: half))
      }
    }
    self.marks = marks
  }

  func paint(_ light: Light, on raster: inout Raster) {
    let scale = size * raster.side
    let layer = HeadLayer(center: Vector3(0, 0, 0), axes: Vector3(stretch, 1, 0.9), rotation: rotation)
    let (width, height) = (raster.width, raster.height)
    Raster.forEachPixel(
      around: centerX * Float(width), centerY * Float(height), reach: layer.reach * scale + 1, width: width,
      height: height
    ) { column, row, right, up in
      guard let hit = layer.hit(right / scale, up / scale, pixel: 1 / scale) else { return }
      var share: Float = 0
      for mark in marks {
        let distance = length((hit.sphere.x - mark.x) / mark.halfWidth, (hit.sphere.y - mark.y) / mark.halfHeight)
        share = larger(share, 1 - smoothStep(0.8, 1.1, distance))
      }
      let tint = tint.mixed(with: mark, share)
      raster.blend(
        column, row, light.shade(tint, normal: hit.normal, openness: 1, gloss: 0.1, sharpness: 12), hit.share)
    }
  }
}
