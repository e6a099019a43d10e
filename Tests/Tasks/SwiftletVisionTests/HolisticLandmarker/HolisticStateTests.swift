import SwiftletImage
import SwiftletSchema
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

/// Checks the state that a frame passes on to the next.
@Suite("Holistic landmarker from frame to frame")
struct HolisticStateTests {
  /// Returns the members of a bundle whose pose has a presence equal to the image's brightness, in 255ths.
  private static func members(_ person: SyntheticPerson) -> [(name: String, bytes: [UInt8])] {
    let pose = person.pose
    let side = SyntheticPoseModels.side
    var graph = TestGraph()
    let count = side * side * 3
    let image = graph.input(.float32, [1, side, side, 3])
    let flat = graph.tensor(.float32, [count])
    graph.add(.reshape, [image, graph.constant([Int32(count)])], [flat])
    let one = graph.tensor(.float32, [1])
    // At the center, where the region covers the image.
    graph.add(
      .slice, [flat, graph.constant([Int32(count / 2 + 3 * side / 2)]), graph.constant([Int32(1)])], [one])
    let zero = graph.tensor(.float32, [1])
    graph.add(.mul, [one, graph.constant([Float(0)])], [zero], options: MulOptions.empty)
    let ends = pose.ends.map { $0 + [0, 0, 0] }
    let points = (pose.points + ends + [[Float]](repeating: [0, 0, 0, 0, 0], count: 4)).flatMap { $0 }
    let outputs: [(values: [Float], shape: [Int])] = [
      (points, [1, 195]), ([], [1, 1]), (pose.maskLogits, [1, 8, 8, 1]), (pose.heatLogits, [1, 8, 8, 39]),
      (pose.worldPoints.flatMap { $0 }, [1, 117]),
    ]
    for (values, shape) in outputs {
      let result = graph.output(.float32, shape)
      if values.isEmpty {
        graph.add(.reshape, [one, graph.constant([Int32(1), 1])], [result])
      } else {
        graph.add(.add, [graph.constant(values, shape: shape), zero], [result], options: AddOptions.empty)
      }
    }
    return person.members.map { name, bytes in
      (name, name == "pose_landmarks_detector.tflite" ? TestGraph.bytes([graph]) : bytes)
    }
  }

  private func landmarker(
    _ person: SyntheticPerson = SyntheticPerson(), _ change: (inout HolisticLandmarkerOptions) -> Void = { _ in }
  ) throws -> HolisticLandmarker {
    var options = HolisticLandmarkerOptions(
      baseOptions: SyntheticPoseModels.base(SyntheticPoseModels.bundle(Self.members(person))))
    change(&options)
    return try HolisticLandmarker(options: options)
  }

  private func image(brightness: UInt8) throws -> InputImage {
    try InputImage(rgb: [UInt8](repeating: brightness, count: 3 * 100 * 100), width: 100, height: 100)
  }

  @Test("hands and face are tracked from the previous frame, and restart after a frame without a body")
  func reset() throws {
    let (bright, dark) = (try image(brightness: 200), try image(brightness: 50))
    let video = try landmarker().video()
    let first = try #require(try video.person(in: bright, at: .milliseconds(0)))
    let second = try #require(try video.person(in: bright, at: .milliseconds(33)))
    try #require(first.leftHand != nil && first.rightHand != nil && first.face != nil)
    // The regions of the parts come from the landmarks of the previous frame.
    #expect(second.leftHand != first.leftHand || second.face != first.face)
    #expect(try video.person(in: dark, at: .milliseconds(66)) == nil)
    let back = try #require(try video.person(in: bright, at: .milliseconds(99)))
    #expect(back.leftHand?.landmarks == first.leftHand?.landmarks)
    #expect(back.rightHand?.landmarks == first.rightHand?.landmarks)
    #expect(back.face?.landmarks == first.face?.landmarks)
    #expect(back.pose.landmarks.map(\.x) == first.pose.landmarks.map(\.x))
  }

  @Test("images are independent of each other and of a video of the same task")
  func forgetting() throws {
    let image = try image(brightness: 200)
    let landmarker = try landmarker()
    let first = try #require(try landmarker.person(in: image))
    let video = landmarker.video()
    let frames = try (0..<2).map { try video.person(in: image, at: .milliseconds(33 * $0)) }
    #expect(try landmarker.person(in: image) == first)
    #expect(frames[0]?.leftHand?.landmarks == first.leftHand?.landmarks)
    #expect(frames[1]?.leftHand != first.leftHand || frames[1]?.face != first.face)
  }

  @Test("a hand requires a wrist visibility above a tenth, for each side")
  func visibility() throws {
    let image = try image(brightness: 200)
    for (wrist, keyPath) in [
      (15, \Person.leftHand), (16, \Person.rightHand),
    ] {
      // Sigmoids of 0.11 and 0.09.
      for (logit, isThere) in [(Float(-2.0907), true), (-2.3136, false)] {
        var person = SyntheticPerson()
        person.pose.points[wrist][3] = logit
        let found = try #require(try landmarker(person).person(in: image))
        #expect((found[keyPath: keyPath] != nil) == isThere, "\(wrist) \(logit)")
        #expect(found.leftHand != nil || found.rightHand != nil)
      }
    }
  }

  @Test("a hand's world landmarks start at the wrist of its side")
  func wrists() throws {
    var person = SyntheticPerson()
    person.pose.worldPoints = (0..<39).map { (index: Int) -> [Float] in
      [Float(index), Float(2 * index), Float(-index)]
    }
    let found = try #require(try landmarker(person).person(in: try image(brightness: 200)))
    for (hand, wrist) in [(found.leftHand, 15), (found.rightHand, 16)] {
      let points = try #require(hand?.worldLandmarks)
      let place = found.pose.worldLandmarks[wrist]
      #expect([points[0].x, points[0].y, points[0].z] == [place.x, place.y, place.z])
      let (dx, dy) = (points[4].x - points[0].x, points[4].y - points[0].y)
      // The distance equals the model's, however the region is rotated.
      let (a, b) = (SyntheticHands.points[0], SyntheticHands.points[4])
      let expected = ((a - b) * (a - b)).sum().squareRoot()
      #expect(abs((dx * dx + dy * dy).squareRoot() - expected) < 1e-4 && abs(points[4].z - points[0].z) < 1e-5)
    }
  }

  @Test("masks of a video are blended with the previous frame, and masks of single images aren't")
  func masks() throws {
    var person = SyntheticPerson()
    person.pose.maskLogits = [Float](repeating: 0, count: 64)
    person.pose.ends = [[20, 16], [20, 4]]
    let image = try image(brightness: 200)
    let landmarker = try landmarker(person) { $0.outputs = .segmentationMask }
    let still = try (0..<2).map { _ in try landmarker.person(in: image)?.pose.segmentationMask }
    #expect(still[0] != nil && still[0] == still[1])
    let session = landmarker.video()
    let video = try (0..<2).map { try session.person(in: image, at: .milliseconds(33 * $0))?.pose.segmentationMask }
    // The second region is farther to the right. The first mask isn't blended.
    #expect(video[0] == still[0] && video[1] != video[0])
    #expect(try self.landmarker(person).person(in: image)?.pose.segmentationMask == nil)
  }
}
