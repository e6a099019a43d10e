import SwiftletImage
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Holistic landmarks compared with MediaPipe", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
struct HolisticLandmarkerGoldenTests {
  /// The tolerances: strict in single images, and for the median if frames are consecutive.
  private struct Tolerance {
    var median: Float
    var usual: Float
    var blendshape: Float
    var mask: Float
  }

  /// Blendshapes are the end of a longer chain of models than in a face landmarker.
  private static let image = Tolerance(median: 1e-4, usual: 5e-4, blendshape: 1e-3, mask: 1e-5)

  private func landmarker(_ golden: GoldenTask) throws -> HolisticLandmarker {
    var outputs: HolisticLandmarkerOutputs = []
    if golden.options["output_face_blendshapes"].bool == true { outputs.insert(.blendshapes) }
    if golden.options["output_segmentation_mask"].bool == true { outputs.insert(.segmentationMask) }
    // The options of the golden results, which come from the Python package.
    return try HolisticLandmarker(
      options: HolisticLandmarkerOptions(
        baseOptions: BaseOptions(model: .bytes(try golden.modelBytes())), minFaceSuppressionThreshold: 0.5,
        minPoseSuppressionThreshold: 0.5,
        outputs: outputs))
  }

  /// Returns the differences of all landmarks from MediaPipe's, by part.
  private func parts(_ found: Person?, _ golden: GoldenValue) -> [(String, GoldenDifference)] {
    func part(_ name: String, _ points: [NormalizedLandmark]?) -> (String, GoldenDifference) {
      (name, GoldenDifference(points ?? [], golden[name]))
    }
    func world(_ name: String, _ points: [Landmark]?) -> (String, GoldenDifference) {
      (name, GoldenDifference(points ?? [], golden[name]))
    }
    return [
      part("pose_landmarks", found?.pose.landmarks), world("pose_world_landmarks", found?.pose.worldLandmarks),
      part("left_hand_landmarks", found?.leftHand?.landmarks),
      world("left_hand_world_landmarks", found?.leftHand?.worldLandmarks),
      part("right_hand_landmarks", found?.rightHand?.landmarks),
      world("right_hand_world_landmarks", found?.rightHand?.worldLandmarks),
      part("face_landmarks", found?.face?.landmarks),
    ]
  }

  private func expect(_ found: Person?, _ golden: GoldenValue, _ tolerance: Tolerance) throws {
    for (name, difference) in parts(found, golden) {
      #expect(
        difference.median < tolerance.median && difference.usual < tolerance.usual,
        "\(name): \(difference.median), \(difference.usual)")
    }
    #expect((found?.face?.blendshapes == nil) == golden["face_blendshapes"].isNull)
    let scores = GoldenDifference(found?.face?.blendshapes?.scores ?? [], golden["face_blendshapes"])
    #expect(scores.largest < tolerance.blendshape, "\(scores.largest)")
    let mask = golden["segmentation_mask"]
    #expect((found?.pose.segmentationMask == nil) == mask.isNull)
    guard !mask.isNull else { return }
    let difference = try GoldenDifference.mask(found?.pose.segmentationMask, mask)
    #expect(difference.mean < tolerance.mask && difference.samples.usual < 0.002, "\(difference)")
  }

  @Test("images", arguments: GoldenTask.cases("holistic").filter { $0.fields["repeat"].isNull })
  func images(golden: GoldenTask) throws {
    let landmarker = try landmarker(golden)
    let image = InputImage(try golden.image())
    let first = try landmarker.person(in: image)
    try expect(first, golden.result(), Self.image)
    // The next image doesn't depend on this one.
    #expect(try landmarker.person(in: image) == first)
  }

  @Test("one image for several", arguments: GoldenTask.cases("holistic").filter { !$0.fields["repeat"].isNull })
  func repeated(golden: GoldenTask) throws {
    let video = try landmarker(golden).video()
    let image = InputImage(try golden.image())
    let answers = try golden.result().elements
    #expect(answers.count == 3)
    for (index, answer) in answers.enumerated() {
      // A difference in one result affects the next one.
      try expect(
        try video.person(in: image, at: .seconds(index)), answer,
        Tolerance(median: 5e-4, usual: 2e-3, blendshape: 2e-3, mask: 1e-4))
    }
  }

  @Test("sequences", arguments: GoldenTask.cases("holistic", sequences: true))
  func sequences(golden: GoldenTask) throws {
    let video = try landmarker(golden).video()
    let (frames, answers) = (try golden.frames(), try golden.result().elements)
    try #require(frames.count == answers.count)
    var medians: [String: [Float]] = [:]
    for (frame, answer) in zip(frames, answers) {
      let found = try video.person(in: InputImage(frame.image), at: frame.time)
      #expect((found == nil) == answer["result"]["pose_landmarks"].elements.isEmpty)
      for (name, difference) in parts(found, answer["result"]) where difference.count > 0 {
        medians[name, default: []].append(difference.median)
      }
    }
    for (name, values) in medians {
      let sorted = values.sorted()
      #expect(sorted[sorted.count / 2] < 5e-4 && sorted[sorted.count - 1] < 3e-3, "\(name): \(sorted)")
    }
  }
}
