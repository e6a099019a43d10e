import Foundation
import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

@Suite("Hand landmarker", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
struct HandLandmarkerTests {
  private static var path: String { TestData.path("tasks/models/hand_landmarker.task") }

  @Test("finds a hand with landmarks and handedness")
  func image() throws {
    let photo = try TestImage.image("hand_thumb_up.jpg")
    let result = try HandLandmarker(modelPath: Self.path).detect(image: photo)
    try #require(result.landmarks.count == 1 && result.worldLandmarks.count == 1 && result.handedness.count == 1)
    #expect(result.landmarks[0].count == 21 && result.worldLandmarks[0].count == 21)
    #expect(result.landmarks[0].allSatisfy { $0.visibility == nil && $0.presence == nil })
    let tip = result.landmarks[0][Int(HandLandmark.thumbTIP.rawValue)]
    let others: [HandLandmark] = [.wrist, .indexFingerTIP, .middleFingerTIP, .ringFingerTIP, .pinkyTIP]
    #expect(others.allSatisfy { result.landmarks[0][Int($0.rawValue)].y > tip.y })
    let category = try #require(result.handedness[0].first)
    #expect(result.handedness[0].count == 1 && category.index == 1 && category.categoryName == "Left")
    #expect(category.displayName == "Left" && category.score > 0.9 && result.timestampInMilliseconds == 0)
  }

  @Test("draws the results")
  func sketch() throws {
    let sketch = try HandSketch.lines(in: TestImage.image("mp_pose.jpg"), modelPath: Self.path)
    #expect(sketch.count == 2 && sketch.allSatisfy { $0.count == 21 })
    #expect(HandLandmark.allCases.count == 21 && HandLandmark.pinkyTIP.rawValue == 20)
    #expect(HandLandmarker.handPalmConnections.count == 6)
    let fingers = [
      HandLandmarker.handThumbConnections, HandLandmarker.handIndexFingerConnections,
      HandLandmarker.handMiddleFingerConnections, HandLandmarker.handRingFingerConnections,
      HandLandmarker.handPinkyConnections,
    ]
    #expect(fingers.map { $0[0].start } == [1, 5, 9, 13, 17] && fingers.allSatisfy { $0.count == 3 })
  }

  @Test("detects nothing in an empty image, and tracks hands in a video")
  func film() throws {
    let options = HandLandmarkerOptions()
    options.baseOptions.modelAssetPath = Self.path
    options.runningMode = .video
    let landmarker = try HandLandmarker(options: options)
    #expect(try landmarker.detect(videoFrame: TestImage.plain(), timestampInMilliseconds: 0).landmarks.isEmpty)
    let frame = try TestImage.image("hand_thumb_up.jpg")
    for time in [33, 66] {
      let result = try landmarker.detect(videoFrame: frame, timestampInMilliseconds: time)
      #expect(result.landmarks.count == 1 && result.timestampInMilliseconds == time)
    }
    #expect(failure { _ = try landmarker.detect(image: frame) }?.code == 3)
  }

  @Test("delivers every frame of a live stream to a delegate", .timeLimit(.minutes(30)))
  func liveStream() async throws {
    let (results, told) = AsyncStream.makeStream(of: Told.self)
    let watcher = GestureWatcher()
    watcher.onHands = { count, time, error in
      told.yield(Told(summary: "\(count)", timestamp: time, errorCode: error.map { ($0 as NSError).code }))
    }
    try watcher.watchHands(modelPath: Self.path)
    let frame = try TestImage.image("hand_thumb_up.jpg")
    var iterator = results.makeAsyncIterator()
    for time in [0, 33] {
      try watcher.cameraDelivered(frame, at: time)
      let next = try #require(await iterator.next())
      #expect(next.summary == "1" && next.timestamp == time && next.errorCode == nil)
    }
    withExtendedLifetime(watcher) {}
  }

  @Test("recognizes gestures, and returns an empty result if no hand has one")
  func gestures() throws {
    let photo = try TestImage.image("hand_thumb_up.jpg")
    func recognize(_ model: String, _ change: (GestureRecognizerOptions) -> Void) throws -> GestureRecognizerResult {
      let options = GestureRecognizerOptions()
      options.baseOptions.modelBytes = try GoldenTask.modelBytes(model)
      change(options)
      return try GestureRecognizer(options: options).recognize(image: photo)
    }
    let result = try recognize("gesture_recognizer.task") { _ in }
    let gesture = try #require(result.gestures.first?.first)
    #expect(result.gestures.count == 1 && result.gestures[0].count == 1 && result.handedness.count == 1)
    #expect(gesture.categoryName == "Thumb_Up" && gesture.index == -1 && gesture.displayName == nil)
    #expect(result.landmarks.map(\.count) == [21] && result.worldLandmarks.map(\.count) == [21])
    let strict = ClassifierOptions()
    strict.scoreThreshold = 0.99
    let none = try recognize("gesture_recognizer.task") { $0.cannedGesturesClassifierOptions = strict }
    #expect(none.gestures.isEmpty && none.landmarks.isEmpty && none.worldLandmarks.isEmpty && none.handedness.isEmpty)
    let custom = try recognize("gesture_recognizer_custom.task") { $0.cannedGesturesClassifierOptions = strict }
    #expect(custom.gestures.first?.first?.categoryName == "Paper")
  }

  @Test("delivers the gestures of a live stream to a delegate", .timeLimit(.minutes(30)))
  func gestureStream() async throws {
    let (results, told) = AsyncStream.makeStream(of: Told.self)
    let watcher = GestureWatcher()
    watcher.onGesture = { name, time, error in
      told.yield(Told(summary: name, timestamp: time, errorCode: error.map { ($0 as NSError).code }))
    }
    try watcher.watchGestures(model: GoldenTask.modelBytes("gesture_recognizer.task"))
    try watcher.cameraDelivered(TestImage.image("hand_thumb_up.jpg"), at: 5)
    var iterator = results.makeAsyncIterator()
    let next = try #require(await iterator.next())
    #expect(next.summary == "Thumb_Up" && next.timestamp == 5 && next.errorCode == nil)
    withExtendedLifetime(watcher) {}
  }
}
