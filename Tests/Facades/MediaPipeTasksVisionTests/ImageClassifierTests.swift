import Foundation
import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

@Suite("Image classifier", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
struct ImageClassifierTests {
  @Test("classifies a photo, best class first")
  func photograph() throws {
    let photo = try TestImage.image("burger.jpg")
    #expect(try PhotoNamer(modelPath: TestModel.classes).names(of: photo).first == "cheeseburger")
    let options = ImageClassifierOptions()
    options.baseOptions.modelAssetPath = TestModel.classes
    options.maxResults = 1
    let result = try ImageClassifier(options: options).classify(image: photo).classificationResult
    let head = try #require(result.classifications.first)
    let category = try #require(head.categories.first)
    #expect(head.headIndex == 0)
    #expect(category.index == 934)
    #expect(abs(category.score - 0.96875) <= 0.02)
    #expect(category.displayName == nil)
  }

  @Test("omits disabled parts")
  func denylist() throws {
    let namer = try PhotoNamer(modelPath: TestModel.classes, without: ["cheeseburger"])
    let names = try namer.names(of: TestImage.image("burger.jpg"))
    #expect(names.count == 3 && !names.contains("cheeseburger"))
  }

  @Test("runs on a region of a photo")
  func region() throws {
    let namer = try PhotoNamer(modelPath: TestModel.classes, maxResults: 1)
    let ball = CGRect(x: 0.45, y: 0.308, width: 0.164, height: 0.426)
    #expect(try namer.names(of: TestImage.image("multi_objects.jpg"), within: ball) == ["soccer ball"])
  }

  @Test("processes a video")
  func film() throws {
    let namer = try FilmNamer(modelPath: TestModel.classes)
    #expect(try namer.name(of: TestImage.image("burger.jpg"), at: 10) == "cheeseburger")
    let ball = CGRect(x: 0.45, y: 0.308, width: 0.164, height: 0.426)
    #expect(try namer.name(of: TestImage.image("multi_objects.jpg"), at: 20, within: ball) == "soccer ball")
  }

  @Test("delivers the frames of a live stream to the delegate", .timeLimit(.minutes(30)))
  func liveStream() async throws {
    let (results, told) = AsyncStream.makeStream(of: Told.self)
    let watcher = try ClassWatcher(modelPath: TestModel.classes)
    watcher.onResult = { result, timestamp, error in
      told.yield(
        Told(
          summary: result.flatMap { PhotoNamer.names($0).first }, timestamp: timestamp,
          errorCode: error.map { ($0 as NSError).code }))
    }
    var iterator = results.makeAsyncIterator()
    try watcher.cameraDelivered(TestImage.image("burger.jpg"), at: 1)
    let first = try #require(await iterator.next())
    #expect(first.summary == "cheeseburger" && first.timestamp == 1 && first.errorCode == nil)
    try watcher.cameraDelivered(
      TestImage.image("multi_objects.jpg"), at: 2, region: CGRect(x: 0.45, y: 0.308, width: 0.164, height: 0.426))
    let second = try #require(await iterator.next())
    #expect(second.summary == "soccer ball" && second.timestamp == 2)
  }
}
