import Foundation
import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

@Suite("Face landmarker", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
struct FaceLandmarkerTests {
  private static var bundle: String { TestData.path("tasks/models/face_landmarker.task") }

  private func options(_ mode: RunningMode = .image) -> FaceLandmarkerOptions {
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = Self.bundle
    options.runningMode = mode
    return options
  }

  @Test("finds the landmarks, blendshapes, and matrix of a portrait's face")
  func portrait() throws {
    let photo = try TestImage.image("grace_hopper.jpg")
    let result = try Expression.result(of: photo, modelPath: Self.bundle)
    #expect(result.faceLandmarks.map(\.count) == [478] && result.timestampInMilliseconds == 0)
    let scores = try #require(result.faceBlendshapes.first)
    #expect(scores.headIndex == 0 && scores.headName == "" && scores.categories.map(\.index) == Array(0..<52))
    #expect(scores.categories[0].categoryName == "_neutral" && scores.categories[0].displayName == nil)
    let brow = try #require(Expression.score("browOuterUpLeft", in: result))
    #expect(abs(brow - 0.107) < 0.02)
    #expect(result.facialTransformationMatrixes.count == 1)
    let distance = try #require(Expression.distance(in: result))
    #expect(distance > 30 && distance < 60)
    let mouth = Expression.mouth(in: result, size: CGSize(width: photo.width, height: photo.height))
    #expect(mouth.count == 40 && mouth.allSatisfy { $0.0.y > 0.4 * photo.height && $0.0.y < photo.height })
  }

  @Test("returns only requested parts, and nothing for an empty image")
  func defaults() throws {
    let landmarker = try FaceLandmarker(modelPath: Self.bundle)
    let result = try landmarker.detect(image: TestImage.image("grace_hopper.jpg"))
    #expect(result.faceLandmarks.count == 1)
    #expect(result.faceBlendshapes.isEmpty && result.facialTransformationMatrixes.isEmpty)
    let nobody = try landmarker.detect(image: TestImage.plain())
    #expect(nobody.faceLandmarks.isEmpty && nobody.timestampInMilliseconds == 1000)
  }

  @Test("tracks a face through a video, and smooths its landmarks")
  func film() throws {
    let landmarker = try FaceLandmarker(options: options(.video))
    let frame = try TestImage.image("grace_hopper.jpg")
    for time in [0, 33, 66] {
      let result = try landmarker.detect(videoFrame: frame, timestampInMilliseconds: time)
      #expect(result.faceLandmarks.count == 1 && result.timestampInMilliseconds == time)
    }
    #expect(failure { _ = try landmarker.detect(videoFrame: frame, timestampInMilliseconds: 66) }?.code == 3)
  }

  @Test("delivers every frame of a live stream to its delegate in order", .timeLimit(.minutes(30)))
  func liveStream() async throws {
    let (results, told) = AsyncStream.makeStream(of: Told.self)
    let watcher = try FaceMeshWatcher(modelPath: Self.bundle)
    watcher.onResult = { result, timestamp, error in
      told.yield(
        Told(
          summary: (result?.faceLandmarks.count).map(String.init), timestamp: timestamp,
          errorCode: error.map { ($0 as NSError).code }))
    }
    let frame = try TestImage.image("grace_hopper.jpg")
    var iterator = results.makeAsyncIterator()
    for time in [0, 33, 66] {
      try watcher.cameraDelivered(frame, at: time)
      let next = try #require(await iterator.next())
      #expect(next.summary == "1" && next.timestamp == time)
    }
    withExtendedLifetime(watcher) {}
  }

  private func expect(_ code: TasksErrorCode, _ text: String, _ body: () throws -> Void) {
    let error = failure(body)
    #expect(error?.code == Int(code.rawValue) && error?.localizedDescription == text, "\(String(describing: error))")
  }

  @Test("has MediaPipe's errors")
  func errors() throws {
    let some = options()
    some.numFaces = 0
    expect(.invalidArgumentError, "INVALID_ARGUMENT: max_vec_size should be greater than or equal to 1.") {
      _ = try FaceLandmarker(options: some)
    }
    some.numFaces = 1
    some.minFacePresenceConfidence = 1.5
    expect(
      .invalidArgumentError,
      "INVALID_ARGUMENT: Invalid `min_detection_confidence` option: value must be in the range [0.0, 1.0]"
    ) { _ = try FaceLandmarker(options: some) }
    some.minFacePresenceConfidence = 0.5
    some.minTrackingConfidence = .nan
    #expect(failure { _ = try FaceLandmarker(options: some) }?.code == 3)
    let live = options(.liveStream)
    #expect(failure { _ = try FaceLandmarker(options: live) }?.code == 3)
  }

  @Test("names the missing member of a bundle, like MediaPipe")
  func missingMembers() throws {
    let models = ["face_detector.tflite", "face_landmarks_detector.tflite"]
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelBytes = try FaceParts.bundle(models)
    _ = try FaceLandmarker(options: options)
    options.outputFaceBlendshapes = true
    expect(
      .invalidArgumentError,
      "INVALID_ARGUMENT: BLENDSHAPES Tag and blendshapes model must be both set. Get BLENDSHAPES is set: true, blendshapes model is set: false"
    ) { _ = try FaceLandmarker(options: options) }
    options.outputFaceBlendshapes = false
    options.outputFacialTransformationMatrixes = true
    expect(
      .notFoundError,
      "NOT_FOUND: No file with name: geometry_pipeline_metadata_landmarks.binarypb. All files in the model asset bundle are: face_detector.tflite, face_landmarks_detector.tflite."
    ) { _ = try FaceLandmarker(options: options) }
  }

  @Test("options are MediaPipe's, and copied with their delegate")
  func optionCopies() throws {
    let options = FaceLandmarkerOptions()
    #expect(options.numFaces == 1 && options.minFaceDetectionConfidence == 0.5 && options.runningMode == .image)
    #expect(options.minFacePresenceConfidence == 0.5 && options.minTrackingConfidence == 0.5)
    #expect(!options.outputFaceBlendshapes && !options.outputFacialTransformationMatrixes)
    let watcher = try FaceMeshWatcher(modelPath: Self.bundle)
    options.baseOptions.modelAssetPath = "faces"
    options.runningMode = .liveStream
    options.faceLandmarkerLiveStreamDelegate = watcher
    (options.numFaces, options.minTrackingConfidence) = (3, 0.25)
    (options.minFaceDetectionConfidence, options.minFacePresenceConfidence) = (0.125, 0.75)
    (options.outputFaceBlendshapes, options.outputFacialTransformationMatrixes) = (true, true)
    let copy = try #require(options.copy() as? FaceLandmarkerOptions)
    #expect(copy !== options && copy.baseOptions.modelAssetPath == "faces" && copy.runningMode == .liveStream)
    #expect(copy.faceLandmarkerLiveStreamDelegate === watcher && copy.numFaces == 3)
    #expect(copy.minFaceDetectionConfidence == 0.125 && copy.minFacePresenceConfidence == 0.75)
    #expect(copy.minTrackingConfidence == 0.25)
    #expect(copy.outputFaceBlendshapes && copy.outputFacialTransformationMatrixes)
  }
}
