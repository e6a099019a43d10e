import Foundation
import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

@Suite("Holistic landmarker", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
struct HolisticLandmarkerTests {
  private static let bundle = (try? GoldenTask.modelBytes("holistic_landmarker.task")) ?? []

  @Test("finds the body, the hands, and the face of a sitting person")
  func sitting() throws {
    let photo = try TestImage.image("mp_pose.jpg")
    let result = try WholePerson.result(of: photo, bundle: Self.bundle)
    #expect(result.poseLandmarks.count == 33 && result.poseWorldLandmarks.count == 33)
    #expect(result.leftHandLandmarks.count == 21 && result.leftHandWorldLandmarks.count == 21)
    #expect(result.rightHandLandmarks.count == 21 && result.rightHandWorldLandmarks.count == 21)
    #expect(result.faceLandmarks.count == 478 && result.timestampInMilliseconds == 0)
    let scores = try #require(result.faceBlendshapes)
    #expect(scores.categories.count == 52 && scores.categories[0].categoryName == "_neutral")
    #expect(result.poseSegmentationMask?.width == Int(photo.width))
    #expect(WholePerson.handsAreApart(in: result))
  }

  @Test("returns empty lists for an empty image")
  func nobody() throws {
    let options = HolisticLandmarkerOptions()
    options.baseOptions.modelBytes = Self.bundle
    let result = try HolisticLandmarker(options: options).detect(image: TestImage.plain())
    #expect(result.poseLandmarks.isEmpty && result.poseWorldLandmarks.isEmpty && result.faceLandmarks.isEmpty)
    #expect(result.leftHandLandmarks.isEmpty && result.rightHandWorldLandmarks.isEmpty)
    #expect(result.faceBlendshapes == nil && result.poseSegmentationMask == nil)
  }

  @Test("delivers every frame of a live stream to its delegate in order", .timeLimit(.minutes(30)))
  func liveStream() async throws {
    let (results, told) = AsyncStream.makeStream(of: Told.self)
    let mirror = try Mirror(bundle: Self.bundle)
    mirror.onResult = { result, timestamp, error in
      told.yield(
        Told(
          summary: (result?.poseLandmarks.count).map(String.init), timestamp: timestamp,
          errorCode: error.map { ($0 as NSError).code }))
    }
    let frame = try TestImage.image("mp_pose.jpg")
    var iterator = results.makeAsyncIterator()
    for time in [0, 33] {
      try mirror.cameraDelivered(frame, at: time)
      let next = try #require(await iterator.next())
      #expect(next.summary == "33" && next.timestamp == time)
    }
    withExtendedLifetime(mirror) {}
  }

  @Test("options are MediaPipe's, and copied with their delegate")
  func options() throws {
    let options = HolisticLandmarkerOptions()
    #expect(options.minFaceSuppressionThreshold == 0.3 && options.minPoseSuppressionThreshold == 0.3)
    #expect(options.minFaceDetectionConfidence == 0.5 && options.minFacePresenceConfidence == 0.5)
    #expect(options.minPoseDetectionConfidence == 0.5 && options.minPosePresenceConfidence == 0.5)
    #expect(options.minHandLandmarksConfidence == 0.5 && options.runningMode == .image)
    #expect(!options.outputFaceBlendshapes && !options.outputPoseSegmentationMasks && !options.keepsStateBetweenImages)
    let mirror = try Mirror(bundle: Self.bundle)
    options.runningMode = .liveStream
    options.holisticLandmarkerLiveStreamDelegate = mirror
    let fields: [ReferenceWritableKeyPath<HolisticLandmarkerOptions, Float>] = [
      \.minFaceDetectionConfidence, \.minFaceSuppressionThreshold, \.minFacePresenceConfidence,
      \.minPoseDetectionConfidence, \.minPoseSuppressionThreshold, \.minPosePresenceConfidence,
      \.minHandLandmarksConfidence,
    ]
    for (index, field) in fields.enumerated() { options[keyPath: field] = Float(index) / 8 }
    (options.outputFaceBlendshapes, options.outputPoseSegmentationMasks) = (true, true)
    options.keepsStateBetweenImages = true
    let copy = try #require(options.copy() as? HolisticLandmarkerOptions)
    #expect(copy !== options && copy.runningMode == .liveStream)
    #expect(copy.holisticLandmarkerLiveStreamDelegate === mirror)
    #expect(fields.map { copy[keyPath: $0] } == fields.indices.map { Float($0) / 8 })
    #expect(copy.outputFaceBlendshapes && copy.outputPoseSegmentationMasks && copy.keepsStateBetweenImages)
    options.runningMode = .image
    #expect(failure { _ = try HolisticLandmarker(options: options) }?.code == 3)
  }
}
