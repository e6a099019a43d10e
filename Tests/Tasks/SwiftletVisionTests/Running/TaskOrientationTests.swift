import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

/// Checks that every task accepts all eight orientations, and that results are in stored image coordinates.
@Suite("Orientations of tasks")
struct TaskOrientationTests {
  static let mirroredOnes: [ImageOrientation] = [.upMirrored, .downMirrored, .leftMirrored, .rightMirrored]

  /// Returns an image of the same scene without mirroring: the mirror image of the stored pixels.
  private func mirrorImage(of image: InputImage) throws -> InputImage {
    let orientations: [ImageOrientation: ImageOrientation] = [
      .upMirrored: .up, .downMirrored: .down, .leftMirrored: .left, .rightMirrored: .right,
    ]
    return InputImage(
      try image.buffer.oriented(.upMirrored), orientation: try #require(orientations[image.orientation]))
  }

  private func mirrored(_ points: [NormalizedLandmark]) -> [NormalizedLandmark] {
    points.map { NormalizedLandmark(x: 1 - $0.x, y: $0.y, z: $0.z, visibility: $0.visibility, presence: $0.presence) }
  }

  private func mirrored(_ points: [Landmark]) -> [Landmark] {
    points.map { Landmark(x: -$0.x, y: $0.y, z: $0.z, visibility: $0.visibility, presence: $0.presence) }
  }

  // MARK: Synthetic models

  @Test("an object is at its position in the stored image", arguments: ImageOrientation.allCases)
  func objects(orientation: ImageOrientation) throws {
    let object = BoxReadingModel.Object(left: 51, top: 102, right: 153, bottom: 204, score: 250, category: 2)
    let upright = try ImageBuffer(
      bytes: BoxReadingModel.pixels([object], width: 50, height: 100), width: 50, height: 100, pixelFormat: .rgb8)
    let stored = InputImage(try upright.oriented(orientation.inverse), orientation: orientation)
    let detector = try ObjectDetector(.bytes(BoxReadingModel.bytes)) { $0.scoreThreshold = 0.5 }
    let expected = try #require(try detector.objects(in: InputImage(upright)).first)
    let found = try #require(try detector.objects(in: stored).first)
    #expect(found.categories == expected.categories)
    let map = orientation.uprightToStored
    let corners = [(expected.box.x, expected.box.y), (expected.box.right, expected.box.bottom)].map { x, y in
      map(NormalizedPoint(x: Float(x) / 50, y: Float(y) / 100))
    }
    let (width, height) = (Double(stored.width), Double(stored.height))
    let (xs, ys) = (corners.map { Double($0.x) * width }.sorted(), corners.map { Double($0.y) * height }.sorted())
    let edges = [found.box.x - xs[0], found.box.right - xs[1], found.box.y - ys[0], found.box.bottom - ys[1]]
    // Boxes are in integer pixels, truncated toward the origin of their image.
    #expect(edges.allSatisfy { abs($0) < 2.1 }, "\(found.box), \(xs), \(ys)")
  }

  @Test("hands and gestures of a mirrored image equal those of the original, mirrored", arguments: mirroredOnes)
  func hands(orientation: ImageOrientation) throws {
    let upright = try SyntheticHands.image([8: SyntheticHands.palm(), 0: SyntheticHands.palm(side: 2)])
    let image = InputImage(try upright.buffer.oriented(orientation.inverse), orientation: orientation)
    let landmarker = try SyntheticHands.landmarker { $0.maxHands = 2 }
    let recognizer = try SyntheticGestures.recognizer { $0.maxHands = 2 }
    let mirror = try mirrorImage(of: image)
    let expected = try landmarker.hands(in: mirror).map { hand in
      Hand(
        landmarks: mirrored(hand.landmarks), worldLandmarks: mirrored(hand.worldLandmarks),
        handedness: hand.handedness, handednessScore: hand.handednessScore)
    }
    // The detector reads its palms from single pixels, which rotations move.
    #expect(orientation != .upMirrored || expected.count == 2)
    #expect(try expected.isEmpty || expected != landmarker.hands(in: mirror))
    #expect(try landmarker.hands(in: image) == expected)
    #expect(try landmarker.video().hands(in: image, at: .zero) == expected)
    let gestures = try recognizer.gestures(in: mirror).map(\.gesture)
    #expect(try recognizer.gestures(in: image).map(\.hand) == expected)
    #expect(try recognizer.gestures(in: image).map(\.gesture) == gestures)
    #expect(try recognizer.video().gestures(in: image, at: .zero).map(\.hand) == expected)
  }

  @Test("faces of a mirrored image equal those of the original, mirrored", arguments: mirroredOnes)
  func faces(orientation: ImageOrientation) throws {
    let upright = try SyntheticFaceBundle.image([(8, 4)])
    let landmarker = try SyntheticFaceBundle().landmarker { $0.outputs = [.blendshapes, .transformationMatrices] }
    // The detector finds the face in an image that is stored as the mirror image of the upright one.
    let stored = InputImage(try upright.buffer.oriented(orientation.inverse), orientation: orientation)
    let mirror = try mirrorImage(of: stored)
    let expected = try landmarker.faces(in: mirror)
    for found in [try landmarker.faces(in: stored), try landmarker.video().faces(in: stored, at: .zero)] {
      try #require(found.count == expected.count)
      #expect(found.map(\.landmarks) == expected.map { mirrored($0.landmarks) })
      #expect(found.map(\.blendshapes) == expected.map(\.blendshapes))
      for (matrix, other) in zip(found.map(\.transformationMatrix), expected.map(\.transformationMatrix)) {
        let (matrix, other) = (try #require(matrix), try #require(other))
        // The matrix maps the canonical face to its landmarks, which are mirrored.
        for row in 0..<4 {
          for column in 0..<4 {
            let sign: Float = row == 0 ? -1 : 1
            #expect(matrix[row, column] == sign * other[row, column], "\(row) \(column)")
          }
        }
      }
    }
    #expect(orientation != .upMirrored || expected.count == 1)
  }

  @Test(
    "poses and people of a mirrored image equal those of the original, mirrored, with their masks",
    arguments: mirroredOnes)
  func poses(orientation: ImageOrientation) throws {
    let image = try SyntheticPoseModels.image(100, 80, orientation: orientation)
    let mirror = try mirrorImage(of: image)
    let landmarker = try SyntheticPoseModels().landmarker { $0.outputs = .segmentationMasks }
    let expected = try #require(try landmarker.poses(in: mirror).first)
    let pose = try #require(try landmarker.poses(in: image).first)
    let people = try SyntheticPerson().landmarker()
    let other = try people.person(in: mirror)
    let person = try people.person(in: image)
    for (pose, expected) in [(pose, expected)]
      + [(person, other)].compactMap({ a, b in a.flatMap { a in b.map { (a.pose, $0.pose) } } })
    {
      #expect(pose.landmarks == mirrored(expected.landmarks))
      #expect(pose.worldLandmarks == mirrored(expected.worldLandmarks))
      let (mask, expectedMask) = (try #require(pose.segmentationMask), try #require(expected.segmentationMask))
      #expect(mask.width == 100 && mask.height == 80)
      let pixels = expectedMask.pixels
      let flipped = (0..<80).flatMap { y in (0..<100).map { pixels[y * 100 + 99 - $0] } }
      #expect(mask.pixels == flipped && flipped != pixels)
    }
    #expect((person == nil) == (other == nil))
    #expect(person?.leftHand?.landmarks == other?.leftHand.map { mirrored($0.landmarks) })
    #expect(person?.rightHand?.worldLandmarks == other?.rightHand.map { mirrored($0.worldLandmarks) })
    #expect(person?.face?.landmarks == other?.face.map { mirrored($0.landmarks) })
  }

  // MARK: Published models

  private func landmarks(
    _ task: String, _ image: InputImage, _ golden: GoldenTask
  ) throws -> [[NormalizedLandmark]] {
    let model = ModelSource.bytes(try golden.modelBytes())
    return switch task {
    case "hand": try HandLandmarker(model).hands(in: image).map(\.landmarks)
    case "face": try FaceLandmarker(model).faces(in: image).map(\.landmarks)
    case "gesture": try GestureRecognizer(model).gestures(in: image).map(\.hand.landmarks)
    case "holistic": try HolisticLandmarker(model).person(in: image).map { [$0.pose.landmarks] } ?? []
    default: try PoseLandmarker(model).poses(in: image).map(\.landmarks)
    }
  }

  @Test(
    "detections of a real model are at their position in the stored image, in all eight orientations",
    .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"),
    arguments: ["hand", "face", "gesture", "pose", "holistic"])
  func realModels(task: String) throws {
    let golden = try #require(
      GoldenTask.cases(task).first { $0.orientation == .up && $0.fields["repeat"].isNull && $0.description != "none" })
    let upright = try golden.image()
    let expected = try landmarks(task, InputImage(upright), golden)
    try #require(!expected.isEmpty)
    for orientation in ImageOrientation.allCases {
      let stored = InputImage(try upright.oriented(orientation.inverse), orientation: orientation)
      let found = try landmarks(task, stored, golden)
      try #require(found.count == expected.count, "\(orientation)")
      let map = orientation.storedToUpright
      for (points, expected) in zip(found, expected) {
        let distances = zip(points, expected).map { point, expected -> Float in
          let place = map(point.point)
          return ((place.x - expected.x) * (place.x - expected.x) + (place.y - expected.y) * (place.y - expected.y))
            .squareRoot()
        }
        #expect(distances.sorted()[distances.count / 2] < 0.01, "\(orientation): \(distances.sorted())")
      }
    }
  }
}
