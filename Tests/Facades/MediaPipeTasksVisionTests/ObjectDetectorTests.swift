import Foundation
import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

@Suite("Object detector", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
struct ObjectDetectorTests {
  // The expected values are the results of MediaPipe 1.2.3 for the same pixels.
  @Test("lists the objects in a photo")
  func photograph() throws {
    let items = try PhotoInventory(modelPath: TestModel.objects).items(in: TestImage.image("cats_and_dogs.jpg"))
    let expected: [(String, Float, CGRect)] = [
      ("cat", 0.69921875, CGRect(x: 612, y: 161, width: 381, height: 439)),
      ("cat", 0.64453125, CGRect(x: 57, y: 398, width: 386, height: 196)),
      ("cat", 0.51171875, CGRect(x: 256, y: 394, width: 173, height: 202)),
      ("teddy bear", 0.48828125, CGRect(x: 780, y: 409, width: 314, height: 187)),
    ]
    #expect(items.map(\.name) == expected.map(\.0))
    #expect(items.map(\.score) == expected.map(\.1))
    #expect(items.map(\.box) == expected.map(\.2))
  }

  @Test("filters by a list of categories, and reports names and indices")
  func allowlist() throws {
    let inventory = try PhotoInventory(modelPath: TestModel.objects, showing: ["dog"])
    let items = try inventory.items(in: TestImage.image("cats_and_dogs.jpg"))
    #expect(items.allSatisfy { $0.name == "dog" })
    let detector = try ObjectDetector(modelPath: TestModel.objects)
    let category = try #require(
      try detector.detect(image: TestImage.image("cats_and_dogs.jpg")).detections.first?.categories.first)
    #expect(category.index == 16 && category.categoryName == "cat")
    #expect(category.displayName == nil)
  }

  @Test("counts image timestamps in seconds, and uses the caller's for video frames")
  func timestamps() throws {
    let image = try TestImage.plain()
    let detector = try ObjectDetector(modelPath: TestModel.objects)
    let times = try (0..<3).map { _ in try detector.detect(image: image).timestampInMilliseconds }
    #expect(times == [0, 1000, 2000])
    let frames = FilmScanner(modelPath: TestModel.objects).scan(
      [image, image, image], frameLengthInMilliseconds: 40)
    #expect(frames.map { $0?.timestampInMilliseconds } == [0, 40, 80])
    #expect(frames.allSatisfy { $0?.detections.count == 1 })
  }

  @Test("rotates an image upright and returns stored coordinates")
  func orientation() throws {
    let detector = try ObjectDetector(modelPath: TestModel.objects)
    let image = try TestImage.image("cats_and_dogs_rotation180.jpg", orientation: .down)
    let cat = try #require(try detector.detect(image: image).detections.first)
    // MediaPipe's box is 746, 7, 392 × 193. In the upright image, the cat is at the bottom left.
    #expect(cat.categories.first?.categoryName == "cat")
    #expect(abs(cat.boundingBox.minX - 746) <= 10 && abs(cat.boundingBox.minY - 7) <= 10)
    #expect(abs(cat.boundingBox.width - 392) <= 10 && abs(cat.boundingBox.height - 193) <= 10)
  }

  @Test("delivers every frame of a live stream to the delegate in order", .timeLimit(.minutes(30)))
  func liveStream() async throws {
    let (results, told) = AsyncStream.makeStream(of: Told.self)
    let watcher = try ObjectWatcher(modelPath: TestModel.objects, threshold: 0.4)
    watcher.onResult = { result, timestamp, error in
      told.yield(
        Told(
          summary: result?.detections.first?.categories.first?.categoryName, timestamp: timestamp,
          errorCode: error.map { ($0 as NSError).code }))
    }
    let frame = try TestImage.image("cats_and_dogs.jpg")
    var iterator = results.makeAsyncIterator()
    for time in [5, 38, 71] {
      try watcher.cameraDelivered(frame, at: time)
      let next = try #require(await iterator.next())
      #expect(next.summary == "cat")
      #expect(next.timestamp == time)
      #expect(next.errorCode == nil)
    }
  }

  @Test("rejects an earlier frame and continues with the next one", .timeLimit(.minutes(30)))
  func pastFrame() async throws {
    let (results, told) = AsyncStream.makeStream(of: Int.self)
    let watcher = try ObjectWatcher(modelPath: TestModel.objects, threshold: 0.4)
    watcher.onResult = { _, timestamp, _ in told.yield(timestamp) }
    let frame = try TestImage.plain()
    var iterator = results.makeAsyncIterator()
    try watcher.cameraDelivered(frame, at: 1)
    let error = try #require(failure { try watcher.cameraDelivered(frame, at: 0) })
    #expect(error.code == 3)
    #expect(error.localizedDescription == "INVALID_ARGUMENT: Input timestamp must be monotonically increasing.")
    #expect(await iterator.next() == 1)
    try watcher.cameraDelivered(frame, at: 2)
    #expect(await iterator.next() == 2)
  }

  @Test("delivers nothing after the task is released", .timeLimit(.minutes(30)))
  func goneTask() async throws {
    let (results, told) = AsyncStream.makeStream(of: Int.self)
    let (begun, begins) = AsyncStream.makeStream(of: Void.self)
    let mayReturn = DispatchSemaphore(value: 0)
    let watcher = try ObjectWatcher(modelPath: TestModel.objects, threshold: 0.4)
    watcher.onResult = { _, timestamp, _ in
      begins.yield()
      mayReturn.wait()
      told.yield(timestamp)
    }
    let frame = try TestImage.plain()
    try watcher.cameraDelivered(frame, at: 1)
    var starts = begun.makeAsyncIterator()
    _ = await starts.next()
    // The result of this frame waits behind the one being delivered, or arrives after the task is released.
    try watcher.cameraDelivered(frame, at: 2)
    watcher.stop()
    mayReturn.signal()
    var iterator = results.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    try await Task.sleep(for: .milliseconds(200))
    mayReturn.signal()
    told.finish()
    #expect(await iterator.next() == nil)
  }
}
