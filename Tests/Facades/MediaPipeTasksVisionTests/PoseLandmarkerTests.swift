import Foundation
import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

@Suite("Pose landmarker", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
struct PoseLandmarkerTests {
  private static var bundle: String { TestData.path("tasks/models/pose_landmarker.task") }

  private func options(_ mode: RunningMode = .image) -> PoseLandmarkerOptions {
    let options = PoseLandmarkerOptions()
    options.baseOptions.modelAssetPath = Self.bundle
    options.runningMode = mode
    return options
  }

  @Test("finds the body of a sitting person, with a mask")
  func sitting() throws {
    let photo = try TestImage.image("mp_pose.jpg")
    let result = try Posture.result(of: photo, modelPath: Self.bundle)
    #expect(result.landmarks.map(\.count) == [33] && result.worldLandmarks.map(\.count) == [33])
    #expect(result.timestampInMilliseconds == 0)
    let nose = try #require(result.landmarks.first?.first)
    #expect(abs(nose.x - 0.346) < 0.02 && abs(nose.y - 0.197) < 0.02)
    #expect((nose.visibility?.floatValue ?? 0) > 0.9 && (nose.presence?.floatValue ?? 0) > 0.9)
    let mask = try #require(result.segmentationMasks.first)
    #expect(mask.width == Int(photo.width) && mask.height == Int(photo.height))
    #expect(mask.float32Data[Int(nose.y * Float(mask.height)) * mask.width + Int(nose.x * Float(mask.width))] > 0.5)
    let lines = Posture.skeleton(in: result, size: CGSize(width: photo.width, height: photo.height))
    #expect(lines.count == 35 && lines.allSatisfy { $0.0.x > 0 && $0.0.x < 1.2 * photo.width })
    #expect((Posture.elbow(in: result) ?? 0) > 20)
  }

  @Test("returns masks only if requested, and nothing for an empty image")
  func defaults() throws {
    let landmarker = try PoseLandmarker(modelPath: Self.bundle)
    let result = try landmarker.detect(image: TestImage.image("mp_pose.jpg"))
    #expect(result.landmarks.count == 1 && result.segmentationMasks.isEmpty)
    let nobody = try landmarker.detect(image: TestImage.plain())
    #expect(nobody.landmarks.isEmpty && nobody.worldLandmarks.isEmpty && nobody.timestampInMilliseconds == 1000)
  }

  @Test("delivers every frame of a live stream to its delegate in order", .timeLimit(.minutes(30)))
  func liveStream() async throws {
    let (results, told) = AsyncStream.makeStream(of: Told.self)
    let coach = try Coach(modelPath: Self.bundle)
    coach.onResult = { result, timestamp, error in
      told.yield(
        Told(
          summary: (result?.landmarks.count).map(String.init), timestamp: timestamp,
          errorCode: error.map { ($0 as NSError).code }))
    }
    let frame = try TestImage.image("mp_pose.jpg")
    var iterator = results.makeAsyncIterator()
    for time in [0, 33, 66] {
      try coach.cameraDelivered(frame, at: time)
      let next = try #require(await iterator.next())
      #expect(next.summary == "1" && next.timestamp == time)
    }
    withExtendedLifetime(coach) {}
  }

  @Test("has MediaPipe's errors")
  func errors() throws {
    let some = options()
    some.numPoses = 0
    let none = failure { _ = try PoseLandmarker(options: some) }
    #expect(
      none?.code == 3
        && none?.localizedDescription == "INVALID_ARGUMENT: max_vec_size should be greater than or equal to 1.")
    some.numPoses = 1
    some.minPosePresenceConfidence = 1.5
    #expect(
      failure { _ = try PoseLandmarker(options: some) }?.localizedDescription
        == "INVALID_ARGUMENT: Invalid `min_detection_confidence` option: value must be in the range [0.0, 1.0]")
    #expect(failure { _ = try PoseLandmarker(options: options(.liveStream)) }?.code == 3)
    let film = try PoseLandmarker(options: options(.video))
    let frame = try TestImage.plain()
    _ = try film.detect(videoFrame: frame, timestampInMilliseconds: 5)
    #expect(failure { _ = try film.detect(videoFrame: frame, timestampInMilliseconds: 5) }?.code == 3)
  }

  @Test("options are MediaPipe's, and copied with their delegate")
  func optionCopies() throws {
    let options = PoseLandmarkerOptions()
    #expect(options.numPoses == 1 && options.minPoseDetectionConfidence == 0.5 && options.runningMode == .image)
    #expect(options.minPosePresenceConfidence == 0.5 && options.minTrackingConfidence == 0.5)
    #expect(!options.shouldOutputSegmentationMasks && !options.keepsMediaPipeRotation)
    let coach = try Coach(modelPath: Self.bundle)
    options.baseOptions.modelAssetPath = "poses"
    options.runningMode = .liveStream
    options.poseLandmarkerLiveStreamDelegate = coach
    (options.numPoses, options.minTrackingConfidence) = (3, 0.25)
    (options.minPoseDetectionConfidence, options.minPosePresenceConfidence) = (0.125, 0.75)
    (options.shouldOutputSegmentationMasks, options.keepsMediaPipeRotation) = (true, true)
    let copy = try #require(options.copy() as? PoseLandmarkerOptions)
    #expect(copy !== options && copy.baseOptions.modelAssetPath == "poses" && copy.runningMode == .liveStream)
    #expect(copy.poseLandmarkerLiveStreamDelegate === coach && copy.numPoses == 3)
    #expect(copy.minPoseDetectionConfidence == 0.125 && copy.minPosePresenceConfidence == 0.75)
    #expect(copy.minTrackingConfidence == 0.25 && copy.shouldOutputSegmentationMasks && copy.keepsMediaPipeRotation)
  }
}
