/// The head and shoulders of a synthetic person: appearance, position, and orientation.
package struct SceneFace: Sendable, Hashable {
  enum Hair: Int, Sendable, CaseIterable { case none, short, fringe, long, curly, bun }
  enum Mouth: Int, Sendable, CaseIterable { case closed, smile, open, grin }
  enum Glasses: Int, Sendable, CaseIterable { case none, round, square, dark }
  enum Hat: Int, Sendable, CaseIterable { case none, cap, woollen, brimmed }
  enum Beard: Int, Sendable, CaseIterable { case none, full, chin, moustache, stubble }

  /// The center of the head, relative to the image's width and height.
  package var centerX: Float
  package var centerY: Float
  /// Half the height of the head, relative to the image's shorter side.
  package var size: Float
  let rotation: Rotation
  let roll: Float

  /// The half axes of the head, in half heights of the head.
  let head: Vector3
  let skin: Tint
  let hairTint: Tint
  var lipTint: Tint
  var irisTint: Tint
  let clothes: Tint
  let accessory: Tint
  let secondAccessory: Tint
  let hair: Hair
  let mouth: Mouth
  let glasses: Glasses
  let hat: Hat
  let beard: Beard
  let noise: Noise

  let eyeX: Float
  let eyeY: Float
  let eyeWidth: Float
  let eyeOpening: Float
  let gaze: Float
  let browLift: Float
  let browTilt: Float
  let browWidth: Float
  let noseY: Float
  let noseSize: Float
  let mouthY: Float
  let mouthWidth: Float
  let mouthOpening: Float
  let hairline: Float

  init(_ generator: inout SplitMix64) {
    (centerX, centerY, size) = (0.5, 0.5, 0.3)
    let isUpright = generator.happens(0.8)
    roll = isUpright ? generator.number(-0.3, 0.3) : generator.number(-0.8, 0.8)
    let isFrontal = generator.happens(0.65)
    rotation = Rotation(
      yaw: isFrontal ? generator.number(-0.35, 0.35) : generator.number(-0.85, 0.85),
      pitch: generator.number(-0.3, 0.3), roll: roll)
    head = Vector3(generator.number(0.68, 0.82), 1, generator.number(0.8, 0.92))
    let tones = [
      Tint(0.98, 0.84, 0.74), Tint(0.94, 0.76, 0.62), Tint(0.86, 0.66, 0.50), Tint(0.74, 0.53, 0.37),
      Tint(0.56, 0.37, 0.25), Tint(0.38, 0.24, 0.17),
    ]
    let tone = generator.whole(0...4)
    skin = tones[tone].mixed(with: tones[tone + 1], generator.number(0, 1))
    let hairTones = [
      Tint(0.09, 0.07, 0.07), Tint(0.20, 0.12, 0.08), Tint(0.36, 0.21, 0.12), Tint(0.58, 0.38, 0.18),
      Tint(0.85, 0.70, 0.40), Tint(0.62, 0.24, 0.10),
      Tint(0.62, 0.62, 0.62), Tint(0.88, 0.87, 0.85),
    ]
    hairTint = generator.happens(0.06) ? .any(&generator) : generator.one(of: hairTones) * generator.number(0.85, 1.1)
    lipTint = skin.mixed(
      with: generator.happens(0.3) ? Tint(0.75, 0.12, 0.18) : Tint(0.66, 0.30, 0.28), generator.number(0.45, 0.85))
    irisTint = generator.one(of: [
      Tint(0.25, 0.15, 0.08), Tint(0.40, 0.26, 0.12), Tint(0.25, 0.42, 0.62), Tint(0.30, 0.45, 0.28),
      Tint(0.12, 0.10, 0.09),
    ])
    clothes = .any(&generator)
    accessory = .any(&generator)
    secondAccessory = .any(&generator)
    hair = generator.one(of: [.none, .short, .short, .short, .fringe, .fringe, .long, .long, .curly, .bun])
    mouth = generator.one(of: Mouth.allCases)
    glasses = generator.happens(0.3) ? generator.one(of: [.round, .square, .square, .dark]) : .none
    hat = generator.happens(0.2) ? generator.one(of: [.cap, .woollen, .brimmed]) : .none
    beard =
      hair != .long && hair != .bun && generator.happens(0.4)
      ? generator.one(of: [.full, .chin, .moustache, .stubble]) : .none
    noise = Noise(&generator)
    eyeX = generator.number(0.36, 0.43)
    eyeY = generator.number(0.06, 0.15)
    eyeWidth = generator.number(0.15, 0.19)
    eyeOpening = generator.happens(0.07) ? 0.012 : generator.number(0.055, 0.1)
    gaze = generator.number(-0.35, 0.35)
    browLift = generator.number(0.15, 0.23)
    browTilt = generator.number(-0.25, 0.25)
    browWidth = generator.number(0.022, 0.05)
    noseY = generator.number(-0.26, -0.17)
    noseSize = generator.number(0.85, 1.2)
    mouthY = generator.number(-0.56, -0.48)
    mouthWidth = generator.number(0.24, 0.34)
    mouthOpening = generator.number(0.05, 0.14)
    hairline = generator.number(0.48, 0.66)
  }

  // MARK: Positions

  /// Returns the position of a point of the head in the image.
  ///
  /// - Parameter point: The point relative to the head's center, in half heights of the head.
  func place(_ point: Vector3, width: Int, height: Int) -> (x: Float, y: Float) {
    let scale = size * Float(Swift.min(width, height))
    let seen = rotation.turned(point)
    return (centerX * Float(width) + seen.x * scale, centerY * Float(height) - seen.y * scale)
  }

  /// Returns a point on the front of the face from its coordinates relative to the head's half axes, toward the
  /// person's left and up.
  func onHead(_ across: Float, _ up: Float, out: Float = 1) -> Vector3 {
    let depth = larger(0, 1 - across * across - up * up).squareRoot()
    return Vector3(across * head.x, up * head.y, depth * head.z * out)
  }

  /// The right eye, left eye, nose tip, mouth center, right ear, and left ear. Right is the person's right, which the
  /// viewer sees on the left.
  var keyPoints: [Vector3] {
    [
      onHead(-eyeX, eyeY), onHead(eyeX, eyeY), noseTip, onHead(0, mouthY), Vector3(-head.x, -0.02, -0.02),
      Vector3(head.x, -0.02, -0.02),
    ]
  }

  var noseTip: Vector3 { Vector3(0, noseY, head.z * 0.97 + 0.15 * noseSize) }

  /// The outline of the face from above the brows to the chin, as points of the head.
  var outline: [Vector3] {
    let brow = eyeY + browLift + 0.1
    return [
      onHead(-0.62, brow), onHead(0, brow), onHead(0.62, brow), onHead(-0.93, 0), onHead(0.93, 0), onHead(-0.85, -0.4),
      onHead(0.85, -0.4),
      onHead(-0.45, -0.87), onHead(0.45, -0.87), onHead(0, -0.985), noseTip,
    ]
  }
}
