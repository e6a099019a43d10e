import SwiftletImage
import SwiftletTestSupport
import Testing

@testable @_spi(Facades) import SwiftletVision

@Suite("Pose landmarks compared with MediaPipe", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
struct PoseLandmarkerGoldenTests {
  private func options(_ golden: GoldenTask) throws -> PoseLandmarkerOptions {
    PoseLandmarkerOptions(
      baseOptions: BaseOptions(model: .bytes(try golden.modelBytes())),
      maxPoses: golden.options["num_poses"].int ?? 1,
      minPresenceConfidence: golden.options["min_pose_presence_confidence"].float ?? 0.5,
      outputs: golden.options["output_segmentation_masks"].bool == true ? .segmentationMasks : [])
  }

  @Test("images", arguments: GoldenTask.cases("pose"))
  func images(golden: GoldenTask) throws {
    var options = try options(golden)
    options.keepsMediaPipeRotation = true
    let image = InputImage(try golden.image(), orientation: golden.orientation)
    let found = try PoseLandmarker(options: options).poses(in: image)
    let expected = try golden.result().elements
    try #require(found.count == expected.count)
    for (pose, golden) in zip(found, expected) {
      let points = GoldenDifference(pose.landmarks, golden["landmarks"])
      #expect(points.count == 99 && points.median < 1e-4 && points.usual < 5e-4, "\(points.median), \(points.usual)")
      let world = GoldenDifference(pose.worldLandmarks, golden["world_landmarks"])
      #expect(world.count == 99 && world.median < 1e-4 && world.usual < 5e-4, "\(world.median), \(world.usual)")
      expectVisibility(pose, golden["landmarks"])
      #expect(golden["mask"].isNull == (pose.segmentationMask == nil))
      guard !golden["mask"].isNull else { continue }
      let mask = try GoldenDifference.mask(pose.segmentationMask, golden["mask"])
      #expect(mask.mean < 1e-5 && mask.samples.count == 144 && mask.samples.usual < 0.002, "\(mask)")
    }
  }

  private func expectVisibility(_ pose: Pose, _ golden: GoldenValue) {
    for (index, point) in pose.landmarks.enumerated() {
      let (visibility, presence) = (golden[index][3].float ?? -1, golden[index][4].float ?? -1)
      #expect(abs((point.visibility ?? -2) - visibility) < 5e-4 && abs((point.presence ?? -2) - presence) < 5e-4)
      #expect(pose.worldLandmarks[index].visibility == point.visibility)
    }
  }

  @Test(
    "rotated images have the same poses", arguments: GoldenTask.cases("pose").filter { $0.orientation != .up }
  )
  func turned(golden: GoldenTask) throws {
    let landmarker = try PoseLandmarker(options: options(golden))
    let found = try landmarker.poses(in: InputImage(golden.image(), orientation: golden.orientation))
    let upright = try #require(GoldenTask.cases("pose").first { $0.description == "sitting" }?.result()[0])
    try #require(found.count == 1)
    // Converted back to the upright image.
    let map = golden.orientation.storedToUpright
    let points = found[0].landmarks.map { map($0.point) }
    let expected = upright["landmarks"].elements.map { GoldenValue.array([$0[0], $0[1]]) }
    let difference = GoldenDifference(points.flatMap { [$0.x, $0.y] }, .array(expected))
    #expect(difference.count == 66 && difference.median < 0.01, "\(difference.median)")
  }

  /// The region is nearly eight times as high as the image.
  @Test(
    "a body is found by its face alone, also in a video",
    .enabled(if: TestData.has("images"), "\(TestData.skipReason)"), arguments: [false, true])
  func closeUp(isVideo: Bool) throws {
    let golden = try #require(GoldenTask.cases("pose").first)
    let (left, top, width, height) = (150, 60, 230, 270)
    let portrait = try AcceptanceData.image("grace_hopper.jpg").buffer
    let bytes = portrait.packedBytes()
    var rows: [UInt8] = []
    for row in top..<top + height {
      let start: Int = (row * portrait.width + left) * 3
      rows += bytes[start..<start + 3 * width]
    }
    let image = try InputImage(rgb: rows, width: width, height: height)
    let landmarker = try PoseLandmarker(options: options(golden))
    let video = landmarker.video()
    for frame in 0..<(isVideo ? 3 : 1) {
      let poses = try isVideo ? video.poses(in: image, at: .milliseconds(33 * frame)) : landmarker.poses(in: image)
      let nose = try #require(poses.first?[.nose])
      // The position that MediaPipe reports.
      #expect(abs(nose.x - 0.557) < 0.01 && abs(nose.y - 0.684) < 0.01, "\(frame): \(nose.x), \(nose.y)")
    }
  }

  /// Tiny differences of single frames accumulate: the heat map moves a foot, or leaves it in place.
  @Test("sequences", arguments: GoldenTask.cases("pose", sequences: true))
  func sequences(golden: GoldenTask) throws {
    let video = try PoseLandmarker(options: options(golden)).video()
    let expected = try golden.result().elements
    let frames = try golden.frames()
    try #require(frames.count == expected.count)
    var (points, world): ([Float], [Float]) = ([], [])
    var others = 0
    for (frame, golden) in zip(frames, expected) {
      let found = try video.poses(in: InputImage(frame.image), at: frame.time)
      let poses = golden["result"].elements
      if found.count != poses.count { others += 1 }
      for (pose, golden) in zip(found, poses) {
        points.append(GoldenDifference(pose.landmarks, golden["landmarks"]).median)
        world.append(GoldenDifference(pose.worldLandmarks, golden["world_landmarks"]).median)
      }
    }
    #expect(others == 0)
    // If every frame runs detection, nothing accumulates.
    let isSearched = (golden.options["num_poses"].int ?? 1) > 1
    let (most, usual): (Float, Float) = isSearched ? (1e-4, 1e-5) : (2e-3, 5e-4)
    points.sort()
    world.sort()
    try #require(points.count > 10)
    #expect(points[points.count / 2] < usual && world[world.count / 2] < usual)
    #expect(points[points.count - 1] < most && world[world.count - 1] < 2 * most)
  }
}
