import Testing

@testable import SwiftletSyntheticData

@Suite("Arithmetic of scenes")
struct SceneMathTests {
  @Test("the generator matches its published values")
  func splitMix() {
    var generator = SplitMix64(state: 1_234_567)
    #expect(
      (0..<5).map { _ in generator.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }

  @Test("numbers are from the lower to the upper bound, and integers include both")
  func draws() {
    var generator = SplitMix64(state: 1)
    let numbers = (0..<4000).map { _ in generator.number(-2, 3) }
    #expect(numbers.allSatisfy { (-2...3).contains($0) } && (numbers.min() ?? 0) < -1.98 && (numbers.max() ?? 0) > 2.98)
    #expect(Set((0..<200).map { _ in generator.whole(2...4) }) == [2, 3, 4])
    #expect(Set((0..<200).map { _ in generator.one(of: ["a", "b", "c"]) }) == ["a", "b", "c"])
    #expect(Set((0..<50).map { _ in generator.sign() }) == [1, -1])
    #expect(!generator.happens(0) && generator.happens(1))
    let share = Double((0..<4000).count { _ in generator.happens(0.25) }) / 4000
    #expect(abs(share - 0.25) < 0.03)
  }

  @Test("scalar functions")
  func functions() {
    #expect(larger(2, 3) == 3 && larger(3, 2) == 3 && smaller(2, 3) == 2 && smaller(3, 2) == 2)
    #expect(magnitude(-2) == 2 && magnitude(2) == 2 && length(3, -4) == 5)
    #expect(unit(-0.5) == 0 && unit(0.5) == 0.5 && unit(1.5) == 1)
    #expect(smoothStep(2, 4, 2) == 0 && smoothStep(2, 4, 4) == 1 && smoothStep(2, 4, 3) == 0.5)
    #expect(smoothStep(2, 4, 2.5) == 0.15625 && smoothStep(2, 4, 1) == 0 && smoothStep(2, 4, 9) == 1)
    #expect(between(2, 6, 0) == 2 && between(2, 6, 1) == 6 && between(2, 6, 0.25) == 3)
    #expect(wholeBelow(2.75) == 2 && wholeBelow(-2.25) == -3 && wholeBelow(-2) == -2)
    #expect(fraction(2.75) == 0.75 && fraction(-2.25) == 0.75 && fraction(3) == 0)
  }

  @Test("vectors")
  func vectors() {
    let (first, second) = (Vector3(1, 2, 3), Vector3(4, -5, 7))
    #expect(first + second == Vector3(5, -3, 10) && first - second == Vector3(-3, 7, -4))
    #expect(first * 2 == Vector3(2, 4, 6) && first.dot(second) == 15)
    #expect(Vector3(0, 3, 4).normalized == Vector3(0, 0.6, 0.8) && Vector3(0, 0, 0).normalized == Vector3(0, 0, 1))
  }

  private func isNear(_ first: Vector3, _ second: Vector3) -> Bool {
    (first - second).dot(first - second) < 1e-10
  }

  @Test("an object is rotated about its axis, tilted, and rolled, and back again")
  func rotations() {
    let quarter = Float.pi / 2
    // Yaw turns the front to the right, pitch tips the top forward, and roll moves the right side up.
    let yaw = Rotation(yaw: quarter, pitch: 0, roll: 0), pitch = Rotation(yaw: 0, pitch: quarter, roll: 0)
    let roll = Rotation(yaw: 0, pitch: 0, roll: quarter)
    #expect(isNear(yaw.turned(Vector3(0, 0, 1)), Vector3(1, 0, 0)))
    #expect(isNear(yaw.turned(Vector3(1, 0, 0)), Vector3(0, 0, -1)))
    #expect(isNear(pitch.turned(Vector3(0, 1, 0)), Vector3(0, 0, 1)))
    #expect(isNear(pitch.turned(Vector3(0, 0, 1)), Vector3(0, -1, 0)))
    #expect(isNear(roll.turned(Vector3(1, 0, 0)), Vector3(0, 1, 0)))
    #expect(isNear(roll.turned(Vector3(0, 1, 0)), Vector3(-1, 0, 0)))
    // Yaw, pitch, and roll are applied in this order.
    let all = Rotation(yaw: quarter, pitch: quarter, roll: quarter)
    #expect(isNear(all.turned(Vector3(0, 0, 1)), roll.turned(pitch.turned(yaw.turned(Vector3(0, 0, 1))))))
    #expect(isNear(all.turned(Vector3(1, 2, 3)), roll.turned(pitch.turned(yaw.turned(Vector3(1, 2, 3))))))
    let any = Rotation(yaw: 0.3, pitch: -0.8, roll: 2)
    #expect(isNear(any.turnedBack(any.turned(Vector3(1, 2, 3))), Vector3(1, 2, 3)))
    #expect(!isNear(any.turnedBack(Vector3(1, 2, 3)), any.turned(Vector3(1, 2, 3))))
  }

  @Test(
    "hues range from red through green and blue to red",
    arguments: [
      (0, Tint(1, 0, 0)), (1.0 / 6, Tint(1, 1, 0)), (1.0 / 3, Tint(0, 1, 0)), (0.5, Tint(0, 1, 1)),
      (2.0 / 3, Tint(0, 0, 1)), (5.0 / 6, Tint(1, 0, 1)), (1, Tint(1, 0, 0)),
    ] as [(Float, Tint)])
  func hues(hue: Float, expected: Tint) {
    #expect(Tint(hue: hue, saturation: 1, brightness: 1).difference(from: expected) < 1e-5)
    let pale = Tint(hue: hue, saturation: 0, brightness: 0.5)
    #expect(pale.difference(from: Tint(0.5, 0.5, 0.5)) < 1e-6)
    let half = Tint(hue: hue, saturation: 0.5, brightness: 0.8)
    let mixed = (expected * 0.5 + 0.5) * 0.8
    #expect(half.difference(from: mixed) < 1e-5)
  }

  @Test("colors mix, scale, and differ by channel; named ones are far from each other")
  func tints() {
    #expect(Tint(0, 0.5, 1).mixed(with: Tint(1, 1, 0), 0.25) == Tint(0.25, 0.625, 0.75))
    #expect(Tint(0.25, 0.5, 1) * 2 == Tint(0.5, 1, 2))
    #expect(abs(Tint(0.25, 0.5, 1).difference(from: Tint(0.5, 0, 0.5)) - 1.25) < 1e-6)
    #expect(Tint.named.count == 14)
    for (index, tint) in Tint.named.enumerated() {
      for other in Tint.named[..<index] { #expect(tint.difference(from: other) > 0.3) }
    }
    var generator = SplitMix64(state: 8)
    let drawn = (0..<2000).map { _ in Tint.any(&generator) }
    let gray = Double(drawn.count { $0.red == $0.green && $0.green == $0.blue }) / 2000
    #expect(abs(gray - 0.12) < 0.03)
    let quiet = (0..<2000).map { _ in Tint.quiet(&generator) }
    func saturation(_ tint: Tint) -> Float {
      let (high, low) = (max(tint.red, tint.green, tint.blue), min(tint.red, tint.green, tint.blue))
      return 1 - low / high
    }
    #expect((quiet.map(saturation).max() ?? 1) < 0.56 && (drawn.map(saturation).max() ?? 0) > 0.95)
  }

  // MARK: Rasters

  @Test(
    "a row's pixels within a distance of a point",
    arguments: [
      (Float(5), Float(2), 10, 3..<8), (0, 2, 10, 0..<3), (9.5, 2, 10, 7..<10), (-9, 2, 10, 0..<0),
      (30, 2, 10, 10..<10), (5, -9, 10, 10..<10), (5, 100, 10, 0..<10),
    ])
  func ranges(center: Float, reach: Float, count: Int, expected: Range<Int>) {
    let range = Raster.range(center, reach, count)
    #expect(range == expected || (range.isEmpty && expected.isEmpty))
  }

  @Test("pixels around a point have relative centers, y upward, in a nonsquare image")
  func pixels() {
    var found: [String] = []
    Raster.forEachPixel(around: 3, 1, reach: 0.4, width: 4, height: 2) { found.append("\($0) \($1) \($2) \($3)") }
    #expect(found == ["2 0 -0.5 0.5", "3 0 0.5 0.5", "2 1 -0.5 -0.5", "3 1 0.5 -0.5"])
  }

  @Test("colors are blended over pixels by their share, and bytes are rounded and clamped")
  func blending() {
    var raster = Raster(width: 3, height: 2)
    #expect(raster.side == 2 && raster.samples.count == 18)
    raster.blend(2, 1, Tint(1, 0.5, 0.25), 1)
    raster.blend(2, 1, Tint(0, 0, 0.75), 0.5)
    #expect(raster.samples[15...] == [0.5, 0.25, 0.5] && raster.samples[..<15].allSatisfy { $0 == 0 })
    raster.samples[0...2] = [-1, 2, 0.5 / 255]
    #expect(raster.bytes[0...2] == [0, 255, 1] && raster.bytes[15...] == [128, 64, 128])
  }

  @Test("noise equals its corners at integer positions, and is smooth between them")
  func noise() {
    var generator = SplitMix64(state: 5)
    let noise = Noise(&generator)
    for (column, row) in [(0, 0), (3, -2), (-7, 11)] as [(Int32, Int32)] {
      #expect(noise.value(Float(column), Float(row)) == noise.corner(column, row))
      let middle = (noise.corner(column, row) + noise.corner(column + 1, row)) / 2
      #expect(abs(noise.value(Float(column) + 0.5, Float(row)) - middle) < 1e-5)
      let below = (noise.corner(column, row) + noise.corner(column, row + 1)) / 2
      #expect(abs(noise.value(Float(column), Float(row) + 0.5) - below) < 1e-5)
    }
    let corners = (0..<40).flatMap { column in (0..<40).map { noise.corner(column, $0) } }
    #expect(Set(corners).count == corners.count && corners.allSatisfy { (0...1).contains($0) })
    #expect(abs(corners.reduce(0, +) / 1600 - 0.5) < 0.03)
    #expect(noise.corner(1, 2) != noise.corner(2, 1))
    let rough = noise.rough(1.3, 2.7)
    let expected = 0.55 * noise.value(1.3, 2.7) + 0.3 * noise.value(19.73, 0.67) + 0.15 * noise.value(-25.41, 22.61)
    #expect(abs(rough - expected) < 1e-4)
  }

  // MARK: Surfaces and solids

  @Test("patterns have the first color at the right positions")
  func patterns() {
    let (red, blue) = (Tint(1, 0, 0), Tint(0, 0, 1))
    func tint(_ pattern: Surface.Pattern, _ x: Float, _ y: Float, _ z: Float = 0, normal: Vector3 = Vector3(0, 0, 1))
      -> Tint
    {
      Surface(pattern: pattern, first: red, second: blue, frequency: 2, gloss: 0, sharpness: 1)
        .tint(Vector3(x, y, z), normal: normal, blur: 0.01)
    }
    #expect(tint(.plain, 0.3, 0.9) == red)
    #expect(tint(.halved, 0, -0.1) == red && tint(.halved, 0, 0.1) == blue && tint(.halved, 1, -0.3) == blue)
    #expect(tint(.halved, 0, 0).difference(from: Tint(0.5, 0, 0.5)) < 1e-5)
    // Stripes: a wave of half a unit; more than 0.31 of it away from the middle is the second color.
    #expect(tint(.striped, 0, 0.25) == red && tint(.striped, 0, 0.02) == blue && tint(.striped, 0, 0.48) == blue)
    #expect(tint(.striped, 0, 0.14) == red && tint(.striped, 0, 0.06) == blue && tint(.striped, 0.5, 0.1) == red)
    // Dots are at the center of each square of half a unit, on the side that the surface faces most.
    #expect(tint(.dotted, 0.25, 0.25) == blue && tint(.dotted, 0.25, 0.45) == red && tint(.dotted, 0.25, 0.35) == blue)
    #expect(tint(.dotted, 0, 0.25, 0.25, normal: Vector3(1, 0.5, 0.5)) == blue)
    #expect(tint(.dotted, 0.25, 0, 0.25, normal: Vector3(0.5, 1, 0.5)) == blue)
    #expect(tint(.dotted, 0.25, 0, 0.25, normal: Vector3(0.5, 0.5, 1)) == red)
  }

  @Test(
    "solids have their dimensions",
    arguments: [
      (ObjectCategory.ball, Vector3(0, 0.93, 0)), (.cube, Vector3(0.64, 0, 0)), (.cube, Vector3(0, -0.64, 0.2)),
      (.cube, Vector3(0, 0, 0.64)), (.cylinder, Vector3(0.575, 0, 0)), (.cylinder, Vector3(0, 0.775, 0)),
      (.cylinder, Vector3(0, -0.775, 0)), (.ring, Vector3(0.97, 0, 0)), (.ring, Vector3(0.47, 0, 0)),
      (.ring, Vector3(0.72, 0, 0.25)), (.star, Vector3(0, 1.06, 0)), (.star, Vector3(0, 0, 0.22)),
      (.heart, Vector3(0, 0, 0.22)), (.cone, Vector3(0, -0.7, 0)), (.mug, Vector3(-0.8, -0.3, 0)),
      (.mug, Vector3(0, -0.69, 0)),
    ])
  func surfaces(category: ObjectCategory, point: Vector3) {
    #expect(abs(Solid(category: category, proportion: 0.5).distance(point)) < 1e-4)
  }

  @Test("solids are scaled by their proportion")
  func proportions() {
    func distance(_ category: ObjectCategory, _ proportion: Float, _ point: Vector3) -> Float {
      Solid(category: category, proportion: proportion).distance(point)
    }
    #expect(
      abs(distance(.cylinder, 1, Vector3(0.65, 0, 0))) < 1e-5 && abs(distance(.cylinder, 0, Vector3(0, 0.9, 0))) < 1e-5)
    #expect(abs(distance(.ring, 1, Vector3(1.04, 0, 0))) < 1e-5 && abs(distance(.ring, 0, Vector3(0.9, 0, 0))) < 1e-5)
    #expect(abs(distance(.star, 1, Vector3(0, 0, 0.28))) < 1e-5 && abs(distance(.heart, 0, Vector3(0, 0, 0.16))) < 1e-5)
    #expect(distance(.cone, 0, Vector3(0.7, -0.66, 0)) > 0 && distance(.cone, 1, Vector3(0.7, -0.66, 0)) < 0)
    #expect(distance(.mug, 0, Vector3(-0.8, 0, 0)) > 0 && distance(.mug, 1, Vector3(-0.8, 0, 0)) < 0)
    // A mug is hollow from above, and has a handle on the right.
    #expect(distance(.mug, 0.5, Vector3(-0.2, 0.3, 0)) > 0 && distance(.mug, 0.5, Vector3(0.74, -0.02, 0)) < 0)
    #expect(distance(.mug, 0.5, Vector3(-1.14, -0.02, 0)) > 0)
  }

  @Test("normals of a ball point away from its center")
  func normals() {
    for point in [Vector3(0.93, 0, 0), Vector3(0, 0.93, 0), Vector3(0, 0, 0.93), Vector3(0.537, -0.537, 0.537)] {
      let normal = Solid(category: .ball, proportion: 0).normal(point)
      #expect((normal - point.normalized).dot(normal - point.normalized) < 1e-6)
    }
  }

  // MARK: Names and files

  @Test("categories and kinds have distinct names and numbers")
  func names() {
    #expect(
      ObjectCategory.allCases.map(\.name) == ["ball", "cube", "cone", "cylinder", "ring", "star", "heart", "mug"])
    #expect(
      SoundKind.allCases.map(\.name)
        == ["silence", "tone", "two tones", "rising tone", "falling tone", "warble", "clicks", "noise"])
    #expect(SceneTask.allCases.map(\.rawValue) == ["face", "detection", "segmentation", "classification", "embedding"])
    #expect(
      SoundKind.allCases.map(\.rawValue) == Array(0..<8) && ObjectCategory.allCases.map(\.rawValue) == Array(0..<8))
    #expect(SyntheticSound.sampleRate == 8000 && SyntheticSound.sampleCount == 8000 && SceneTask.viewsPerIdentity == 8)
  }

  @Test("a WAV file has the header of 16-bit integers, one channel")
  func wavHeader() {
    let bytes = WAVEncoder.bytes([0.5, -2, 2], sampleRate: 8000)
    let header =
      Array("RIFF".utf8) + [42, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1F, 0, 0]
      + [0x80, 0x3E, 0, 0, 2, 0, 16, 0] + Array("data".utf8) + [6, 0, 0, 0]
    #expect(bytes == header + [0xFF, 0x3F, 0x01, 0x80, 0xFF, 0x7F])
  }

  @Test("boxes are disjoint if an edge of one is past the other's")
  func apart() {
    let box = LabelBox(left: 0.2, top: 0.2, right: 0.6, bottom: 0.6)
    func isApart(_ left: Float, _ top: Float, _ right: Float, _ bottom: Float) -> Bool {
      let other = LabelBox(left: left, top: top, right: right, bottom: bottom)
      #expect(box.isApart(from: other) == other.isApart(from: box))
      return box.isApart(from: other)
    }
    #expect(isApart(0.7, 0.2, 0.9, 0.6) && isApart(0.2, 0.7, 0.6, 0.9))
    #expect(!isApart(0.6, 0.2, 0.9, 0.6) && !isApart(0.2, 0.6, 0.6, 0.9) && !isApart(0.3, 0.3, 0.4, 0.4))
  }
}

extension Tint {
  fileprivate static func + (tint: Tint, value: Float) -> Tint {
    Tint(tint.red + value, tint.green + value, tint.blue + value)
  }
}
