import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("What all tasks have")
struct VisionTaskTests {
  @Test("options are the defaults, but for what is configured")
  func configuration() throws {
    let source = ModelSource.bytes(MadeUpObjectModel.bytes)
    let image = try MadeUpObjectModel.picture()
    #expect(try ObjectDetector(model: source).detect(image).detections.count == 3)
    #expect(try ObjectDetector(model: source) { $0.maxResults = 1 }.detect(image).detections.count == 1)
    let error = taskError { _ = try ObjectDetector(model: source) { $0.maxResults = 0 } }
    #expect(error?.code == .invalidOption)
  }

  @Test("a verb is another name for the result, with a time in video mode and without one in image mode")
  func verbs() throws {
    let source = ModelSource.bytes(MadeUpObjectModel.bytes)
    let image = try MadeUpObjectModel.picture()
    let (still, other) = (try ObjectDetector(model: source), try ObjectDetector(model: source))
    let region = NormalizedRect(left: 0, top: 0, right: 0.5, bottom: 1)
    let expected = try other.result(for: image, regionOfInterest: region)
    #expect(try still.detect(image, regionOfInterest: region) == expected)
    #expect(taskError { _ = try still.detect(image, at: .zero) }?.code == .wrongMode)
    let video = try ObjectDetector(model: source) { $0.runningMode = .video }
    #expect(try video.detect(image, at: .milliseconds(3)).timestamp == .milliseconds(3))
    #expect(taskError { _ = try video.detect(image) }?.code == .wrongMode)
    #expect(taskError { _ = try video.detect(image, at: .milliseconds(3)) }?.code == .timeNotIncreasing)
  }

  /// Everything that needs no task of a kind can be written for all.
  private func timestamps<Task: VisionTask>(_ type: Task.Type, _ model: ModelSource, _ image: MPImage) throws
    -> [Task.Output]
  {
    let task = try Task(model: model)
    return try [task.result(for: image), task.result(for: image)]
  }

  @Test("tasks can be used without knowing which")
  func generic() throws {
    let model = PassingModel(width: 1, height: 1, outputs: [.init(shape: [1, 3])])
    let image = try MPImage(rgb: [1, 2, 3], width: 1, height: 1)
    let results = try timestamps(ImageEmbedder.self, .bytes(model.bytes), image)
    #expect(results.map(\.timestamp) == [.zero, .seconds(1)])
    let classes = try timestamps(ImageClassifier.self, .bytes(model.bytes), image)
    #expect(classes.map(\.timestamp) == [.zero, .seconds(1)])
  }
}
