import SwiftletImage
import Testing

@testable import SwiftletSyntheticData

/// Recorded scenes, sounds, and sentences; the numbers were not derived independently. A change of their generation
/// fails here, and also changes the data that the bundled models are evaluated on.
///
/// Numbers are compared with a small tolerance, because the sines of C libraries differ in their last bits.
@Suite("Recorded scenes")
struct PinnedSceneTests {
  /// Returns checksums of an image: the sum of its samples, and sums weighted by column, row, and channel.
  private static func sums(_ image: ImageBuffer) -> [Int] {
    let bytes = image.packedBytes()
    var (all, across, down, channels) = (0, 0, 0, 0)
    bytes.withUnsafeBufferPointer { bytes in
      for row in 0..<image.height {
        for column in 0..<image.width {
          let offset = 3 * (row * image.width + column)
          let (red, green, blue) = (Int(bytes[offset]), Int(bytes[offset + 1]), Int(bytes[offset + 2]))
          let sum = red + green + blue
          all += sum
          across += sum * (column * 5 % 13 - 6)
          down += sum * (row * 5 % 11 - 5)
          channels += green - 2 * blue
        }
      }
    }
    return [all, across, down, channels]
  }

  private static func isNear(_ values: [Int], _ expected: [Int]) -> Bool {
    values.count == expected.count && zip(values, expected).allSatisfy { abs($0 - $1) <= 90 }
  }

  private static func check(_ scenes: [Scene], _ expected: [[Int]], _ place: SourceLocation = #_sourceLocation) throws {
    let found = try Scene.drawn(scenes).map { sums($0.image) }
    #expect(
      found.count == expected.count && zip(found, expected).allSatisfy { isNear($0, $1) }, "\(found)",
      sourceLocation: place)
  }

  private static func scenes(_ task: SceneTask, _ numbers: Range<Int>) -> [Scene] {
    numbers.map { Scene(task, seed: 2026, number: $0, width: 44, height: 36) }
  }

  @Test("of faces")
  func faces() throws {
    try Self.check(Self.scenes(.face, 0..<40), Pins.faces)
  }

  @Test("of faces with a perfect camera, upright")
  func largeFaces() throws {
    let scenes = (0..<8).map { Scene(.face, seed: 7, number: $0, width: 60, height: 80).withoutCameraFaults() }
    try Self.check(scenes, Pins.largeFaces)
  }

  @Test("of objects for detection, segmentation, classification, and embedding")
  func objects() throws {
    try Self.check(Self.scenes(.detection, 0..<10), Pins.detection)
    try Self.check(Self.scenes(.segmentation, 0..<8), Pins.segmentation)
    try Self.check(Self.scenes(.classification, 0..<16), Pins.classification)
    try Self.check(Self.scenes(.embedding, 4..<14), Pins.embedding)
  }

  @Test("of a video")
  func video() throws {
    let video = SceneVideo(seed: 3, width: 40, height: 32, objectCount: 3)
    try Self.check([Float(0), 0.25, 0.6, 1].map(video.scene), Pins.video)
  }

  @Test("labels of faces and objects stay at their positions")
  func labels() throws {
    func sum(_ box: LabelBox) -> Float { box.left + 3 * box.top + 5 * box.right + 7 * box.bottom }
    let faces = Self.scenes(.face, 0..<40).flatMap { scene in
      scene.faces.map { face in
        let label = face.label(width: scene.width, height: scene.height)
        let points = label.keyPoints.enumerated().map { Float($0.offset + 1) * ($0.element.x - 2 * $0.element.y) }
        return sum(label.box) + points.reduce(0, +)
      }
    }
    #expect(
      faces.count == Pins.faceLabels.count && zip(faces, Pins.faceLabels).allSatisfy { abs($0 - $1) < 1e-3 }, "\(faces)"
    )
    let objects = try Scene.drawn(Self.scenes(.detection, 0..<10)).map { drawn in
      drawn.objects.reduce(Float(drawn.owners.reduce(0) { $0 + Int($1) })) {
        $0 + sum($1.box) * Float($1.category.rawValue + 2)
      }
    }
    #expect(
      objects.count == Pins.objectLabels.count && zip(objects, Pins.objectLabels).allSatisfy { abs($0 - $1) < 3 },
      "\(objects)")
  }

  @Test("solids have their recorded shapes, to a thousandth", arguments: ObjectCategory.allCases)
  func solids(category: ObjectCategory) {
    var generator = SplitMix64(state: 77)
    let found = (0..<3).map { part -> Float in
      let solid = Solid(category: category, proportion: Float(part) / 2)
      return (0..<300).reduce(0) { sum, _ in
        let point = Vector3(generator.number(-1.2, 1.2), generator.number(-1.2, 1.2), generator.number(-1.2, 1.2))
        return sum + solid.distance(point)
      }
    }
    let expected = Pins.solids[category.rawValue]
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 0.03 } && expected.count == 3, "\(category): \(found)")
  }

  @Test("of sounds", arguments: SoundKind.allCases)
  func sounds(kind: SoundKind) {
    // The loudness and, because the weights change sign, the positions of the waves.
    let sums = (0..<3).flatMap { number -> [Double] in
      let samples = SyntheticSound(seed: 11, number: number, kind: kind).samples
      return samples.enumerated().reduce(into: [0, 0]) { sums, sample in
        sums[0] += Double(abs(sample.element))
        sums[1] += Double(sample.element) * Double(sample.offset * 37 % 101 - 50)
      }
    }
    let expected = Pins.sounds[kind.rawValue]
    #expect(zip(sums, expected).allSatisfy { abs($0 - $1) < 2 } && expected.count == 6, "\(kind): \(sums)")
    #expect(SyntheticSound(seed: 11, number: kind.rawValue).kind.rawValue == Pins.soundKinds[kind.rawValue])
  }

  @Test("of sentences")
  func sentences() {
    let texts = (0..<16).map { SyntheticSentence(seed: 21, number: $0) }
    #expect(texts.map { "\($0.topic.rawValue) \($0.text)" } == Pins.sentences)
    // All words that a sentence can contain.
    let words = SentenceTopic.allCases.flatMap { topic in topic.patterns.joined().joined() }
    let sum = words.enumerated().reduce(0) { sum, word in
      word.element.utf8.enumerated().reduce(sum) { $0 &+ Int($1.element) * ($1.offset + 1) * (word.offset % 101 + 1) }
    }
    #expect(words.count == Pins.wordCount && sum == Pins.wordSum, "\(words.count) \(sum)")
  }
}
