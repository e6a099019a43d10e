/// Paints faces, layer by layer from back to front.
struct FacePainter {
  let light: Light

  /// Paints a head with its shoulders.
  func paint(_ face: SceneFace, on raster: inout Raster) {
    let brush = HeadBrush(face, light: light, raster: raster)
    let isBald = face.hair == .none
    if !isBald { backHair(face, brush, &raster) }
    shoulders(face, brush, &raster)
    let ears = [Float(-1), 1].map { side in
      HeadLayer(
        center: Vector3(side * face.head.x * 1.0, -0.02, -0.08), axes: Vector3(0.09, 0.2, 0.13), rotation: face.rotation
      )
    }
    let coversEars = face.hair == .long || face.hair == .curly
    func paintEars(inFront: Bool) {
      for ear in ears where (face.rotation.turned(ear.center).z > 0.02) == inFront && !coversEars {
        brush.paint(ear, &raster) { hit in (face.skin * (0.92 - 0.25 * unit(1 - hit.share)), hit.share) }
      }
    }
    paintEars(inFront: false)
    let skin = FaceSkin(face, pixel: brush.pixel)
    brush.paint(HeadLayer(center: Vector3(0, 0, 0), axes: face.head, rotation: face.rotation), &raster) { hit in
      (skin.tint(hit.sphere), hit.share)
    }
    paintEars(inFront: true)
    let nose = HeadLayer(
      center: Vector3(0, face.noseY, face.head.z * 0.93), axes: Vector3(0.115, 0.13, 0.2) * face.noseSize,
      rotation: face.rotation)
    brush.paint(nose, &raster) { hit in
      (face.skin * between(0.8, 1.03, unit(0.55 + hit.sphere.y)), hit.share * smoothStep(0.0, 0.5, hit.sphere.z))
    }
    if !isBald { frontHair(face, brush, &raster) }
    if face.hat != .none { hat(face, brush, &raster) }
  }

  private func backHair(_ face: SceneFace, _ brush: HeadBrush, _ raster: inout Raster) {
    let (center, axes): (Vector3, Vector3)
    switch face.hair {
    case .long: (center, axes) = (Vector3(0, -0.35, -0.25), Vector3(face.head.x * 1.22, 1.35, face.head.z * 0.9))
    case .curly: (center, axes) = (Vector3(0, 0.22, -0.15), Vector3(face.head.x * 1.5, 1.12, face.head.z * 1.2))
    case .bun: (center, axes) = (Vector3(0, 1.08, -0.1), Vector3(0.3, 0.28, 0.3))
    default: return
    }
    let isCurly = face.hair == .curly
    brush.paint(HeadLayer(center: center, axes: axes, rotation: face.rotation), &raster) { hit in
      let strands = face.noise.value(hit.sphere.x * 16, isCurly ? hit.sphere.y * 16 : hit.sphere.y * 2)
      return (
        face.hairTint * (0.6 + 0.4 * strands),
        isCurly ? hit.share * smoothStep(0.02, 0.2, hit.normal.z + 0.25 * strands) : hit.share
      )
    }
  }

  private func shoulders(_ face: SceneFace, _ brush: HeadBrush, _ raster: inout Raster) {
    // The body is upright, and its neck leans slightly with the head.
    let upright = Rotation(yaw: 0, pitch: 0, roll: face.roll * 0.35)
    let neck = HeadLayer(center: Vector3(0, -0.95, -0.25), axes: Vector3(0.4, 0.75, 0.4), rotation: upright)
    brush.paint(neck, &raster) { hit in (face.skin * 0.78, hit.share) }
    // A bust that ends below the chest.
    let body = HeadLayer(center: Vector3(0, -2.55, -0.3), axes: Vector3(1.42, 1.3, 0.75), rotation: upright)
    brush.paint(body, &raster) { hit in
      let collar = smoothStep(0.9, 0.94, hit.sphere.y + 0.2 * magnitude(hit.sphere.x))
      return (
        face.clothes.mixed(with: face.accessory, collar * 0.6), hit.share * smoothStep(-0.28, -0.24, hit.sphere.y)
      )
    }
  }

  private func frontHair(_ face: SceneFace, _ brush: HeadBrush, _ raster: inout Raster) {
    let thickness: Float = face.hair == .curly ? 1.12 : face.hair == .bun ? 1.03 : 1.07
    let layer = HeadLayer(
      center: Vector3(0, 0.03, -0.03),
      axes: Vector3(face.head.x * thickness, face.head.y * thickness, face.head.z * thickness),
      rotation: face.rotation)
    let edge = larger(0.03, 2 * brush.pixel)
    brush.paint(layer, &raster) { hit in
      let place = hit.sphere
      // The hairline on the forehead; toward the back it runs down to the neck.
      var line = face.hairline
      switch face.hair {
      case .fringe: line = 0.36 + 0.1 * face.noise.value(place.x * 9, 0.5)
      case .long, .bun: line = face.hairline + 0.12 - 0.5 * magnitude(place.x) * magnitude(place.x)
      case .curly: line += 0.14 * (face.noise.value(place.x * 12, place.y * 12) - 0.5)
      default: line -= 0.22 * place.x * place.x
      }
      let sideways = smoothStep(0.35, -0.15, place.z)
      line = between(line, face.hair == .long ? -1.1 : -0.55, sideways * sideways * (magnitude(place.x) > 0 ? 1 : 0))
      let strands = face.noise.value(place.x * 22, face.hair == .curly ? place.y * 22 : place.y * 3 + place.z * 3)
      return (face.hairTint * (0.78 + 0.4 * strands), hit.share * smoothStep(-edge, edge, place.y - line))
    }
  }

  private func hat(_ face: SceneFace, _ brush: HeadBrush, _ raster: inout Raster) {
    let thickness: Float = face.hair == .curly ? 1.18 : 1.12
    let crown = HeadLayer(
      center: Vector3(0, 0.08, -0.03),
      axes: Vector3(face.head.x * thickness, face.head.y * (face.hat == .brimmed ? 1.2 : 1.1), face.head.z * thickness),
      rotation: face.rotation)
    let edge = larger(0.02, 2 * brush.pixel)
    brush.paint(crown, &raster) { hit in
      let line: Float = 0.42
      var tint = face.accessory
      if face.hat == .woollen {
        tint = tint * (0.85 + 0.15 * (magnitude(fraction(hit.sphere.x * 9) - 0.5) * 2))
        tint = tint.mixed(with: face.secondAccessory, smoothStep(0.62, 0.6, hit.sphere.y))
      }
      if face.hat == .brimmed { tint = tint.mixed(with: face.secondAccessory, smoothStep(0.56, 0.54, hit.sphere.y)) }
      return (tint, hit.share * smoothStep(-edge, edge, hit.sphere.y - line))
    }
    guard face.hat != .woollen else { return }
    let isBrimmed = face.hat == .brimmed
    let brim = HeadLayer(
      center: Vector3(0, 0.5, isBrimmed ? 0 : face.head.z * 0.75),
      axes: isBrimmed ? Vector3(face.head.x * 1.75, 0.05, face.head.z * 1.7) : Vector3(face.head.x * 0.85, 0.06, 0.62),
      rotation: face.rotation)
    brush.paint(brim, &raster) { hit in
      // The crown hides the part of a surrounding brim that is behind it.
      let isBehind = isBrimmed && hit.sphere.z < -0.15 && magnitude(hit.sphere.x) < 0.62
      return (face.accessory * (isBrimmed ? 0.9 : 0.75), isBehind ? 0 : hit.share)
    }
  }
}

/// Paints the ellipsoids of a head, lit by the scene's light.
struct HeadBrush {
  private let centerX: Float
  private let centerY: Float
  private let scale: Float
  private let light: Light
  private let rotation: Rotation
  /// The size of a pixel in half heights of the head.
  let pixel: Float

  init(_ face: SceneFace, light: Light, raster: Raster) {
    scale = face.size * raster.side
    centerX = face.centerX * Float(raster.width)
    centerY = face.centerY * Float(raster.height)
    pixel = 1 / scale
    self.light = light
    rotation = face.rotation
  }

  /// - Parameter paint: A closure that returns the color at a point, and its opacity.
  func paint(_ layer: HeadLayer, _ raster: inout Raster, _ paint: (HeadLayer.Hit) -> (Tint, Float)) {
    let center = layer.seenCenter
    let (width, height) = (raster.width, raster.height)
    let (left, top) = (centerX, centerY)
    Raster.forEachPixel(
      around: left + center.x * scale, top - center.y * scale, reach: layer.reach * scale + 1, width: width,
      height: height
    ) { column, row, _, _ in
      let x = (Float(column) + 0.5 - left) * pixel, y = (top - Float(row) - 0.5) * pixel
      guard let hit = layer.hit(x, y, pixel: pixel) else { return }
      let (tint, share) = paint(hit)
      if share > 0 {
        raster.blend(column, row, light.shade(tint, normal: hit.normal, openness: 1, gloss: 0.06, sharpness: 12), share)
      }
    }
  }
}
