/// Renders solids with light, highlight, and shadow, and records which object each pixel belongs to.
///
/// Parallel rays go through the pixel centers. The outline is smoothed by the distance at which adjacent rays pass
/// the solid, which also determines the darkness of its shadow.
struct ObjectPainter {
  /// The distance that a shadow extends beyond its object, in the object's units.
  private static let shadowReach: Float = 0.42

  let light: Light

  /// The result of one ray.
  private struct Ray {
    /// The minimum distance from the surface; 0 if the ray hit it.
    var distance: Float
    var point: Vector3
  }

  /// Paints an object.
  ///
  /// - Parameters:
  ///   - owners: The number of the visible object for each pixel. Pixels of which the object covers at least half are
  ///     set to `number`.
  /// - Returns: The number of pixels that the object covers.
  func paint(_ object: SceneObject, number: UInt8, on raster: inout Raster, owners: inout [UInt8]) -> Int {
    let scale = object.size * raster.side
    let (centerX, centerY) = (object.centerX * Float(raster.width), object.centerY * Float(raster.height))
    let pixel = 1 / scale
    let reach = (Solid.reach + Self.shadowReach) * scale + 1
    // Rays also start slightly outside the image, for shadows that fall into it.
    let shift = light.shadow * (0.3 * scale)
    let side = Int(2 * reach) + 1
    let (left, top) = (Int((centerX - reach).rounded(.down)), Int((centerY - reach).rounded(.down)))
    var rays = [Float](repeating: 9, count: side * side)
    var covered = 0
    var painted: [(column: Int, row: Int, tint: Tint, share: Float)] = []
    painted.reserveCapacity(side * side)
    rays.withUnsafeMutableBufferPointer { rays in
      var row = 0
      while row < side {
        let y = (centerY - Float(top + row) - 0.5) * pixel
        var column = 0
        while column < side {
          let x = (Float(left + column) + 0.5 - centerX) * pixel
          if let ray = ray(object, x, y) {
            rays[row * side + column] = ray.distance
            let share = 1 - ray.distance * scale
            if share > 0, left + column >= 0, left + column < raster.width, top + row >= 0, top + row < raster.height {
              painted.append((left + column, top + row, tint(object, ray.point, blur: pixel), share))
            }
          }
          column += 1
        }
        row += 1
      }
    }
    castShadow(
      rays, side: side, left: left + Int(shift.x), top: top - Int(shift.y), pixel: 1 / (Self.shadowReach * 1),
      on: &raster)
    for spot in painted {
      raster.blend(spot.column, spot.row, spot.tint, spot.share)
      if spot.share >= 0.5 {
        owners[spot.row * raster.width + spot.column] = number
        covered += 1
      }
    }
    return covered
  }

  private func castShadow(_ rays: [Float], side: Int, left: Int, top: Int, pixel: Float, on raster: inout Raster) {
    let shadow = Tint(0.03, 0.03, 0.05)
    for row in Swift.max(0, -top)..<Swift.max(Swift.max(0, -top), Swift.min(side, raster.height - top)) {
      for column in Swift.max(0, -left)..<Swift.max(Swift.max(0, -left), Swift.min(side, raster.width - left)) {
        let depth = 1 - rays[row * side + column] * pixel
        if depth > 0 { raster.blend(left + column, top + row, shadow, light.shadowDepth * depth * depth) }
      }
    }
  }

  /// Follows the ray through an image position, in the object's units; returns `nil` if it passes too far away to
  /// matter.
  private func ray(_ object: SceneObject, _ x: Float, _ y: Float) -> Ray? {
    let farthest = Solid.reach + Self.shadowReach
    let squared = x * x + y * y
    guard squared < farthest * farthest else { return nil }
    let depth = larger(Solid.reach * Solid.reach - squared, 0.04).squareRoot()
    let start = object.rotation.turnedBack(Vector3(x, y, depth))
    let direction = object.rotation.turnedBack(Vector3(0, 0, -1))
    var nearest = Ray(distance: 9, point: start)
    var travelled: Float = 0
    var steps = 0
    while travelled < 2 * depth, steps < 60 {
      let point = start + direction * travelled
      let distance = object.solid.distance(point)
      if distance < nearest.distance { nearest = Ray(distance: distance, point: point) }
      if distance < 0.004 { return Ray(distance: 0, point: point) }
      travelled += larger(distance, 0.006)
      steps += 1
    }
    return nearest.distance < Self.shadowReach ? nearest : nil
  }

  private func tint(_ object: SceneObject, _ point: Vector3, blur: Float) -> Tint {
    let normal = object.solid.normal(point)
    let seen = object.rotation.turned(normal)
    let tint = object.surface.tint(point, normal: normal, blur: blur)
    // Less light reaches a surface that has another surface close in front of it.
    let openness = 0.55 + 0.45 * unit(object.solid.distance(point + normal * 0.22) / 0.22)
    return light.shade(
      tint, normal: seen, openness: openness, gloss: object.surface.gloss, sharpness: object.surface.sharpness)
  }
}
