/// The parts that are painted on a head: brows, eyes, mouth, beard, and glasses. Coordinates are relative to the head's
/// half axes, toward the person's left and up.
struct FaceSkin {
  private let face: SceneFace
  /// The width of soft edges.
  private let blur: Float

  init(_ face: SceneFace, pixel: Float) {
    self.face = face
    blur = larger(0.012, 1.2 * pixel)
  }

  /// Returns the color at a point of the head.
  func tint(_ place: Vector3) -> Tint {
    guard place.z > 0 else { return face.skin }
    let (x, y) = (place.x, place.y)
    var tint = face.skin
    // The cheeks, and the shade below the nose and the lip.
    let cheek = unit(1 - length((magnitude(x) - 0.48) / 0.25, (y + 0.28) / 0.2))
    tint = tint.mixed(with: Tint(0.85, 0.35, 0.3), 0.16 * cheek)
    tint = tint * (1 - 0.3 * disc(x, y - face.noseY + 0.13, 0.13, 0.045))
    if face.beard != .none { beard(x, y, &tint) }
    if y < -0.2 { mouth(x, y, &tint) }
    if y > -0.3, y < 0.6 { eyes(x, y, &tint) }
    return tint
  }

  /// Returns 1 inside an ellipse and 0 outside, with a smooth edge.
  @inline(__always) private func disc(_ x: Float, _ y: Float, _ radiusX: Float, _ radiusY: Float) -> Float {
    let distance = length(x / radiusX, y / radiusY)
    return 1 - smoothStep(1 - blur / smaller(radiusX, radiusY), 1 + blur / smaller(radiusX, radiusY), distance)
  }

  /// Returns 1 within a range of values, with smooth edges.
  @inline(__always) private func strip(_ value: Float, _ half: Float) -> Float {
    1 - smoothStep(half - blur, half + blur, magnitude(value))
  }

  // MARK: Eyes

  private func eyes(_ x: Float, _ y: Float, _ tint: inout Tint) {
    let side: Float = x < 0 ? -1 : 1
    let across = magnitude(x) - face.eyeX
    // The socket is slightly darker than the rest.
    tint = tint * (1 - 0.16 * unit(1 - length(across / 0.28, (y - face.eyeY - 0.03) / 0.2)))
    brow(across, y, &tint)
    let opening = face.eyeOpening
    let white = disc(across, y - face.eyeY, face.eyeWidth, opening)
    if white > 0 {
      var eye = Tint(0.95, 0.94, 0.93)
      let gaze = side * face.gaze * 0.12
      let iris = larger(0.062, 0.5 * face.eyeWidth * 0.8)
      eye = eye.mixed(with: face.irisTint, disc(across - gaze, y - face.eyeY, iris, iris * 1.05))
      eye = eye.mixed(with: Tint(0.03, 0.03, 0.03), disc(across - gaze, y - face.eyeY, iris * 0.45, iris * 0.5))
      eye = eye.mixed(with: .white, disc(across - gaze - side * 0.025, y - face.eyeY - 0.03, 0.016, 0.016))
      tint = tint.mixed(with: eye, white)
    }
    // The upper eyelid.
    let lid = face.eyeY + opening * larger(0, 1 - across * across / (face.eyeWidth * face.eyeWidth)).squareRoot()
    if magnitude(across) < face.eyeWidth * 1.05 {
      tint = tint.mixed(with: face.skin * 0.25, 0.85 * strip(y - lid - 0.008, 0.016))
    }
    if face.glasses != .none { glasses(across, x, y, &tint) }
  }

  private func brow(_ across: Float, _ y: Float, _ tint: inout Tint) {
    let bend = face.eyeY + face.browLift + face.browTilt * 0.25 * across - 1.1 * across * across
    let half = face.browWidth * unit(1.25 - magnitude(across) / 0.24)
    guard half > 0 else { return }
    tint = tint.mixed(with: face.hairTint * 0.8, 0.9 * strip(y - bend, half))
  }

  private func glasses(_ across: Float, _ x: Float, _ y: Float, _ tint: inout Tint) {
    let below = y - face.eyeY + 0.02
    let isRound = face.glasses == .round
    let (halfWidth, halfHeight): (Float, Float) = isRound ? (0.26, 0.24) : (0.29, 0.19)
    // Negative inside a lens.
    let edge =
      isRound
      ? (length(across / halfWidth, below / halfHeight) - 1) * halfHeight
      : larger(magnitude(across) - halfWidth, magnitude(below) - halfHeight)
    let lens = 1 - smoothStep(-blur, blur, edge)
    if face.glasses == .dark {
      tint = tint.mixed(
        with: Tint(0.06, 0.06, 0.08).mixed(with: Tint(0.3, 0.32, 0.36), unit(0.4 + 2 * below)), 0.92 * lens)
    } else {
      tint = tint.mixed(with: .white, 0.1 * lens)
    }
    let frame = face.accessory.mixed(with: .black, 0.6)
    tint = tint.mixed(with: frame, strip(edge, 0.022))
    if magnitude(x) < face.eyeX - halfWidth { tint = tint.mixed(with: frame, strip(below - 0.05, 0.022)) }
    if across > halfWidth { tint = tint.mixed(with: frame, strip(below - 0.06, 0.022)) }
  }

  // MARK: Mouth and beard

  private func mouth(_ x: Float, _ y: Float, _ tint: inout Tint) {
    let half = face.mouthWidth
    guard magnitude(x) < half + 0.08, magnitude(y - face.mouthY) < 0.35 else { return }
    let curve: Float =
      switch face.mouth {
      case .closed: 0.1
      case .smile: 1.1
      case .open: 0.2
      case .grin: 1.3
      }
    let middle = face.mouthY + curve * (x * x - 0.4 * half * half)
    let share = larger(0, 1 - x * x / (half * half))
    let lip = (0.05 + 0.02 * face.noseSize) * share.squareRoot()
    let isOpen = face.mouth == .open || face.mouth == .grin
    let gap = isOpen ? face.mouthOpening * share.squareRoot() : 0
    let outer = strip(y - middle, lip + gap)
    guard outer > 0, share > 0 else { return }
    tint = tint.mixed(with: y > middle ? face.lipTint * 0.88 : face.lipTint, outer)
    guard isOpen else {
      tint = tint.mixed(with: face.lipTint * 0.4, 0.9 * strip(y - middle, 0.012))
      return
    }
    let inside = strip(y - middle, gap)
    let isTeeth = face.mouth == .grin || y - middle > gap * 0.35
    tint = tint.mixed(with: isTeeth ? Tint(0.96, 0.95, 0.92) : Tint(0.25, 0.06, 0.07), inside)
    if face.mouth == .grin { tint = tint.mixed(with: Tint(0.6, 0.55, 0.52), 0.6 * inside * strip(y - middle, 0.01)) }
  }

  private func beard(_ x: Float, _ y: Float, _ tint: inout Tint) {
    let under = face.mouthY
    var share: Float = 0
    switch face.beard {
    case .full, .stubble:
      // From ear to ear along the jaw, and around the mouth.
      let jaw = smoothStep(-0.02, 0.1, length(x * 0.95, y + 0.02) - 0.62) * smoothStep(0.12, -0.02, y)
      let lip = smoothStep(0.0, 0.05, under + 0.2 - y) * smoothStep(0.42, 0.36, magnitude(x))
      share = larger(jaw, lip) * (face.beard == .stubble ? 0.35 : 0.93)
    case .chin: share = disc(x, y - under + 0.26, 0.24, 0.24) * 0.93
    case .moustache: share = disc(x, y - under - 0.13 + 0.25 * x * x, 0.34, 0.06) * 0.93
    case .none: break
    }
    let strands = face.noise.value(x * 30, y * 14)
    tint = tint.mixed(with: face.hairTint * (0.75 + 0.4 * strands), share)
  }
}
