import Foundation
import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

@Suite("Face detector", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
struct FaceDetectorTests {
  @Test("finds the face of a portrait with its keypoints")
  func portrait() throws {
    let photo = try TestImage.image("grace_hopper.jpg")
    let faces = try Portrait.faces(in: photo, modelPath: TestModel.faces)
    try #require(faces.count == 1)
    let category = try #require(faces[0].categories.first)
    #expect(category.index == 0 && category.categoryName == nil && category.displayName == nil)
    #expect(category.score > 0.8)
    let keypoints = try #require(faces[0].keypoints)
    #expect(keypoints.count == 6)
    #expect(keypoints.allSatisfy { $0.label == nil && $0.score == 0 })
    for keypoint in keypoints.prefix(4) {
      let pixel = CGPoint(x: keypoint.location.x * photo.width, y: keypoint.location.y * photo.height)
      #expect(faces[0].boundingBox.contains(pixel))
    }
    let distance = try #require(Portrait.eyeDistance(of: faces[0], in: photo))
    #expect(distance > 20 && distance < faces[0].boundingBox.width)
  }

  @Test("finds the same face in a rotated image")
  func orientation() throws {
    let upright = try Portrait.faces(in: TestImage.image("grace_hopper.jpg"), modelPath: TestModel.faces)
    let turned = try Portrait.faces(
      in: TestImage.image("grace_hopper_rotated90.jpg", orientation: .right), modelPath: TestModel.faces)
    try #require(upright.count == 1 && turned.count == 1)
    // The stored image is rotated counterclockwise: the top is at the left.
    #expect(abs(turned[0].boundingBox.minX - upright[0].boundingBox.minY) <= 12)
    #expect(abs(turned[0].boundingBox.width - upright[0].boundingBox.height) <= 12)
  }

  @Test("detects no face in an empty image")
  func nobody() throws {
    #expect(try Portrait.faces(in: TestImage.plain(), modelPath: TestModel.faces).isEmpty)
  }

  @Test("processes a video")
  func film() throws {
    let blurrer = try FaceBlurrer(modelPath: TestModel.faces)
    let frame = try TestImage.image("grace_hopper.jpg")
    let boxes = try (0..<3).map { try blurrer.boxes(in: frame, at: Double($0) / 30) }
    #expect(boxes[0].count == 1)
    #expect(boxes[1] == boxes[0] && boxes[2] == boxes[0])
  }

  @Test("delivers every frame of a live stream to the delegate in order", .timeLimit(.minutes(30)))
  func liveStream() async throws {
    let (results, told) = AsyncStream.makeStream(of: Told.self)
    let listener = FaceWatcher.Listener()
    listener.onResult = { result, timestamp, error in
      told.yield(
        Told(
          summary: (result?.detections.count).map(String.init), timestamp: timestamp,
          errorCode: error.map { ($0 as NSError).code }))
    }
    let watcher = try FaceWatcher(modelPath: TestModel.faces, listener: listener)
    let frame = try TestImage.image("grace_hopper.jpg")
    var iterator = results.makeAsyncIterator()
    for time in [0, 33, 66] {
      try watcher.cameraDelivered(frame, at: time)
      let next = try #require(await iterator.next())
      #expect(next.summary == "1")
      #expect(next.timestamp == time)
    }
    withExtendedLifetime(listener) {}
  }

  @Test("delivers a burst of frames in order and counts dropped ones", .timeLimit(.minutes(30)))
  func burst() async throws {
    let (results, told) = AsyncStream.makeStream(of: Int.self)
    let listener = FaceWatcher.Listener()
    listener.onResult = { _, timestamp, _ in told.yield(timestamp) }
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = TestModel.faces
    options.runningMode = .liveStream
    options.faceDetectorLiveStreamDelegate = listener
    let detector = try FaceDetector(options: options)
    let frame = try TestImage.plain()
    for time in 0..<100 { try detector.detectAsync(image: frame, timestampInMilliseconds: time) }
    let expectedCount = 100 - detector.droppedFrameCount
    var times: [Int] = []
    for await time in results {
      times.append(time)
      if times.count == expectedCount { break }
    }
    #expect(times.first == 0)
    #expect(times == times.sorted() && Set(times).count == times.count)
    withExtendedLifetime((listener, detector)) {}
  }

  @Test("continues if the delegate is released or has no methods")
  func goneDelegate() throws {
    let frame = try TestImage.plain()
    var listener: FaceWatcher.Listener? = FaceWatcher.Listener()
    listener?.onResult = { _, _, _ in Issue.record("somebody is told who has gone") }
    let watcher = try FaceWatcher(modelPath: TestModel.faces, listener: try #require(listener))
    weak let gone = listener
    listener = nil
    #expect(gone == nil)
    try watcher.cameraDelivered(frame, at: 1)
    let deaf = FaceWatcher.DeafListener()
    let other = try FaceWatcher(modelPath: TestModel.faces, listener: deaf)
    try other.cameraDelivered(frame, at: 1)
    #expect(failure { try other.cameraDelivered(frame, at: 1) }?.code == 3)
    withExtendedLifetime(deaf) {}
  }
}
