import Foundation
import MLKit
import SwiftletTestSupport
import Testing

@Suite("ML Kit's image labeler", .timeLimit(.minutes(30)))
struct ImageLabelerTests {
  /// Returns an image whose center pixel is the model's input: red 153, green 100, blue 20 of 255.
  private static func makeImage() throws -> VisionImage {
    let pixels = (0..<30).flatMap { _ in [153, 100, 20] as [UInt8] }
    return try VisionImage(rgb: pixels, width: 6, height: 5)
  }

  private static func options(
    _ fixtures: Fixtures, _ change: (CustomImageLabelerOptions) -> Void = { _ in }
  ) -> CustomImageLabelerOptions {
    let options = CustomImageLabelerOptions(localModel: fixtures.classifier)
    options.completionQueue = DispatchQueue(label: "completions")
    change(options)
    return options
  }

  @Test("options have ML Kit's defaults")
  func defaults() {
    let custom = CustomImageLabelerOptions(localModel: LocalModel(path: "/model.tflite"))
    #expect(custom.confidenceThreshold == nil && custom.maxResultCount == 10)
    #expect(ImageLabelerOptions().confidenceThreshold == nil)
  }

  @Test("classifies an image with the app's model, best class first, with every form of the call")
  func custom() async throws {
    let fixtures = try Fixtures()
    let labeler = ImageLabeler.imageLabeler(options: Self.options(fixtures))
    let image = try Self.makeImage()
    func blocking() throws -> [ImageLabel] { try labeler.results(in: image) }
    let labels = try blocking()
    #expect(labels.map(\.text) == ["red", "green", "blue"] && labels.map(\.index) == [0, 1, 2])
    #expect(abs((labels.first?.confidence ?? 0) - 0.6) < 0.01)
    #expect(try await labeler.process(image) == labels)
    let told = await withCheckedContinuation { continuation in
      labeler.process(image) { labels, error in continuation.resume(returning: error == nil ? labels : nil) }
    }
    #expect(told == labels)
    #expect(try labeler.labels == ["red", "green", "blue"])
  }

  @Test("accepts an MLImage too")
  func googleImage() throws {
    let fixtures = try Fixtures()
    let buffer = try ImageBuffer(bytes: [1, 2, 250], width: 1, height: 1, pixelFormat: .rgb8)
    let labels = try ImageLabeler.make(options: Self.options(fixtures)).results(in: MLImage(imageBuffer: buffer))
    #expect(labels.first?.text == "blue")
  }

  @Test(
    "a valid threshold of the app overrides the model's, and the number of labels is limited",
    arguments: [(0.5, 10, 1), (-1, 10, 2), (.nan, 0, 2), (nil, -1, 2), (0, 10, 3), (0, 2, 2)] as [(Float?, Int, Int)])
  func thresholds(app: Float?, limit: Int, count: Int) throws {
    var output = PassingModel.Output(shape: [1, 3])
    output.scoreThresholds = [0.25]
    let fixtures = try Fixtures(
      classifier: PassingModel(type: .uint8, scale: 1 / 255, width: 1, height: 1, outputs: [output]))
    let options = Self.options(fixtures) { options in
      options.confidenceThreshold = app.map { NSNumber(value: $0) }
      options.maxResultCount = limit
    }
    #expect(try ImageLabeler.imageLabeler(options: options).results(in: Self.makeImage()).count == count)
  }

  @Test("without an app model, the bundled one is used, with labels of at least 0.5")
  func builtIn() throws {
    let labeler = try ImageLabeler.make(options: ImageLabelerOptions())
    #expect(try labeler.labels.contains("mug"))
    var right = 0
    for number in 0..<8 {
      let drawn = try DrawnImage(number)
      let labels = try labeler.results(in: drawn.image)
      #expect(labels.allSatisfy { $0.confidence >= 0.5 })
      if labels.first?.text == drawn.name { right += 1 }
    }
    #expect(right >= 6, "\(right) of 8")
    let all = ImageLabelerOptions()
    all.confidenceThreshold = 0
    #expect(try ImageLabeler.imageLabeler(options: all).results(in: DrawnImage(0).image).count == 8)
  }

  @Test("an app may configure another model for options without a custom one")
  func configured() throws {
    let fixtures = try Fixtures()
    let options = ImageLabelerOptions()
    options.labelerModel = fixtures.classifier
    #expect(try ImageLabeler.imageLabeler(options: options).results(in: Self.makeImage()).map(\.text) == ["red"])
  }

  @Test("the orientation rotates the model's input")
  func orientation() throws {
    let drawn = try DrawnImage(2)
    let labeler = try ImageLabeler.make(options: ImageLabelerOptions())
    let upright = try labeler.results(in: drawn.image)
    for orientation in ImageOrientation.allCases {
      let image = VisionImage(imageBuffer: try drawn.buffer.oriented(orientation.inverse))
      image.orientation = orientation
      let labels = try labeler.results(in: image)
      #expect(labels.first?.text == upright.first?.text, "\(orientation)")
    }
  }

  @Test("errors are thrown by make immediately, and by every call of a labeler created anyway")
  func failures() async throws {
    let fixtures = try Fixtures()
    let missing = CustomImageLabelerOptions(localModel: LocalModel(path: "/no/such.tflite"))
    let detector = CustomImageLabelerOptions(localModel: fixtures.localizer)
    let remote = CustomImageLabelerOptions(
      remoteModel: CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: "nowhere-" + UUID().uuidString)))
    let idle = ImageLabelerOptions()
    idle.threadCount = -1
    let image = try Self.makeImage()
    for (options, code) in [
      (missing, .notFound), (detector, .invalidArgument), (remote, .failedPrecondition), (idle, .invalidArgument),
    ] as [(CommonImageLabelerOptions, MLKitError.Code)] {
      let early = try #require(mlKitError { _ = try ImageLabeler.make(options: options) })
      #expect(early.code == code, "\(early)")
      options.completionQueue = DispatchQueue(label: "failures")
      let labeler = ImageLabeler.imageLabeler(options: options)
      for _ in 0..<2 { await #expect(throws: early) { try await labeler.process(image) } }
      let told = await withCheckedContinuation { continuation in
        labeler.process(image) { labels, error in
          continuation.resume(returning: labels == nil ? error as? MLKitError : nil)
        }
      }
      #expect(told == early)
    }
  }

  @Test("results(in:) does not block the main thread if configured")
  @MainActor func mainThread() throws {
    let options = ImageLabelerOptions()
    options.strictMainThreadCheck = true
    let strict = ImageLabeler.imageLabeler(options: options)
    #expect(mlKitError { _ = try strict.results(in: Self.makeImage()) } == .calledOnMainThread)
  }
}
