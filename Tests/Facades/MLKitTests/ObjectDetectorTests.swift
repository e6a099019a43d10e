import Foundation
import MLKit
import SwiftletTestSupport
import Testing

@Suite("ML Kit's object detector", .timeLimit(.minutes(30)))
struct ObjectDetectorTests {
  @Test("options have ML Kit's defaults and raw values")
  func defaults() throws {
    let custom = CustomObjectDetectorOptions(localModel: LocalModel(path: "/model.tflite"))
    for options in [custom, ObjectDetectorOptions()] as [CommonObjectDetectorOptions] {
      #expect(
        !options.shouldEnableClassification && !options.shouldEnableMultipleObjects && options.detectorMode == .stream)
    }
    #expect(custom.classificationConfidenceThreshold == nil && custom.maxPerObjectLabelCount == 10)
    #expect(
      ObjectDetectorMode.singleImage.rawValue == 0 && ObjectDetectorMode.stream.rawValue == 1
    )
    let indices = [DetectedObjectLabelIndex.fashionGood, .homeGood, .food, .place, .plant]
    #expect(indices.map(\.rawValue) == [0, 1, 2, 3, 4])
    let texts = [DetectedObjectLabel.fashionGood, .homeGood, .food, .place, .plant]
    #expect(texts.map(\.rawValue) == ["Fashion good", "Home good", "Food", "Place", "Plant"])
    #expect(try Fixtures.image([]).orientation == .up)
  }

  @Test("changing options after a detector was created has no effect")
  func copiedOptions() throws {
    let fixtures = try Fixtures()
    let options = fixtures.custom { $0.detectorMode = .singleImage }
    let detector = ObjectDetector.objectDetector(options: options)
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = false
    options.maxPerObjectLabelCount = 1
    options.localizerModel = LocalModel(path: "/no/such/file.tflite")
    let objects = try detector.results(in: Fixtures.image([Fixtures.object(90, 90), Fixtures.object(10, 10)]))
    #expect(objects.count == 1 && objects[0].labels.count == 3)
  }

  @Test("without classification there are no labels, but a bad custom model is still reported")
  func classificationOff() throws {
    let fixtures = try Fixtures()
    let image = try Fixtures.image([Fixtures.object(90, 90)])
    let off = try ObjectDetector.make(options: fixtures.custom { $0.shouldEnableClassification = false })
    #expect(try off.results(in: image).allSatisfy(\.labels.isEmpty) && off.labels.isEmpty)
    let options = CustomObjectDetectorOptions(localModel: fixtures.localizer)
    options.localizerModel = fixtures.localizer
    #expect(mlKitError { _ = try ObjectDetector.make(options: options) }?.detail == .outputDimensions)
  }

  @Test(
    "a valid threshold of the app overrides the model's",
    arguments: [(0.5, 1), (-1, 2), (.nan, 2), (nil, 2), (0, 3)] as [(Float?, Int)])
  func thresholds(app: Float?, count: Int) throws {
    var output = PassingModel.Output(shape: [1, 3])
    output.scoreThresholds = [0.25]
    // The scores of the crop's pixel: 153, 100, and 20 of 255.
    let fixtures = try Fixtures(
      classifier: PassingModel(type: .uint8, scale: 1 / 255, width: 1, height: 1, outputs: [output]))
    let detector = ObjectDetector.objectDetector(
      options: fixtures.custom { options in
        options.detectorMode = .singleImage
        options.classificationConfidenceThreshold = app.map { NSNumber(value: $0) }
      })
    // The center field of the image is the thirteenth: bytes 36, 37, and 38 are three sides of the tenth box.
    var objects = [Fixtures.object(102, 102)]
    while objects.count < 9 { objects.append(.init(left: 0, top: 0, right: 0, bottom: 0, score: 0)) }
    objects.append(.init(left: 100, top: 153, right: 0, bottom: 20, score: 0))
    #expect(try detector.results(in: Fixtures.image(objects)).first?.labels.count == count)
  }

  @Test("errors are thrown by make immediately, and by every call of a detector created anyway")
  func failures() async throws {
    let fixtures = try Fixtures()
    let image = try Fixtures.image([])
    let cases: [(CustomObjectDetectorOptions, (MLKitError) -> Bool)] = [
      (
        fixtures.custom { $0.localizerModel = LocalModel(path: "/no/such.tflite") },
        { $0 == .modelNotFound(path: "/no/such.tflite") }
      ),
      (
        fixtures.custom { $0.localizerModel = LocalModel(path: "model.tflite") },
        {
          $0.code == .invalidArgument && $0.message.hasPrefix("the path 'model.tflite' cannot be used: ")
            && $0.message.contains("absolute")
        }
      ),
      (fixtures.custom { $0.localizerModel = fixtures.classifier }, { $0.message.contains("4 outputs") }),
      (fixtures.custom { $0.maxObjectCount = 0 }, { $0.message.contains("maxObjectCount") }),
      (
        fixtures.custom { $0.detectorMode = ObjectDetectorMode(rawValue: 7) },
        { $0.message.contains("detector mode 7") }
      ),
      (fixtures.custom { $0.threadCount = 0 }, { $0.message.contains("threadCount") }),
    ]
    for (options, isExpected) in cases {
      let early = try #require(mlKitError { _ = try ObjectDetector.make(options: options) })
      #expect(isExpected(early), "\(early)")
      let detector = ObjectDetector.objectDetector(options: options)
      #expect(mlKitError { _ = try detector.results(in: image) } == early)
      #expect(mlKitError { _ = try detector.results(in: image) } == early)
      let told = await withCheckedContinuation { continuation in
        detector.process(image) { objects, error in
          continuation.resume(returning: objects == nil ? error as? MLKitError : nil)
        }
      }
      #expect(told == early)
    }
  }

  @Test("a detector without a localizer uses the process default, or else the bundled one")
  func defaultLocalizer() throws {
    let fixtures = try Fixtures()
    let options = fixtures.custom { ($0.localizerModel, $0.detectorMode) = (nil, .singleImage) }
    let drawn = try DrawnImage(4)
    let plain = ObjectDetectorOptions()
    plain.detectorMode = .singleImage
    try ProcessSettings.exclusively { () throws in
      let frame = try #require(try ObjectDetector.objectDetector(options: plain).results(in: drawn.image).first?.frame)
      #expect(frame.intersection(drawn.box).width > 0.5 * drawn.box.width, "\(frame) beside \(drawn.box)")
      ObjectDetector.defaultLocalizerModel = fixtures.localizer
      defer { ObjectDetector.defaultLocalizerModel = nil }
      #expect(ObjectDetector.defaultLocalizerModel?.path == fixtures.localizer.path)
      #expect(
        try ObjectDetector.objectDetector(options: options).results(in: Fixtures.image([Fixtures.object(90, 90)]))
          .count == 1)
    }
  }

  @Test("completions are called on the given queue, once per image, in order")
  func completions() async throws {
    let fixtures = try Fixtures()
    let queue = DispatchQueue(label: "named")
    let key = DispatchSpecificKey<Int>()
    queue.setSpecific(key: key, value: 7)
    let detector = ObjectDetector.objectDetector(options: fixtures.custom { $0.completionQueue = queue })
    let collected = Collected()
    await withCheckedContinuation { continuation in
      for frame in 0..<10 {
        guard let image = try? Fixtures.image([Fixtures.object(90, 90)]) else { continue }
        image.timestamp = Double(frame) / 25
        detector.process(image) { objects, error in
          collected.add(
            DispatchQueue.getSpecific(key: key) == 7 && error == nil ? objects?.first?.trackingID?.intValue : nil)
          if collected.count == 10 { continuation.resume() }
        }
      }
    }
    // Frames out of order would have restarted the stream.
    #expect(collected.ids.count == 10 && collected.ids[0] != nil && Set(collected.ids).count == 1)
  }

  /// Only used on the completion queue, and after the last completion.
  private final class Collected: @unchecked Sendable {
    private(set) var ids: [Int?] = []
    var count: Int { ids.count }
    func add(_ id: Int?) { ids.append(id) }
  }

  @Test("completions are called on the main queue unless another one is set")
  @MainActor func mainQueue() async throws {
    let fixtures = try Fixtures()
    let options = fixtures.custom { _ in }
    options.completionQueue = ObjectDetectorOptions().completionQueue
    let detector = ObjectDetector.objectDetector(options: options)
    let image = try Fixtures.image([])
    // The main queue isn't bound to the main thread in every program.
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    let isMain = await withCheckedContinuation { continuation in
      detector.process(image) { _, _ in continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true) }
    }
    #expect(isMain)
  }

  @Test("results(in:) does not block the main thread if configured, and process(_:) never blocks")
  @MainActor func mainThread() async throws {
    let fixtures = try Fixtures()
    let image = try Fixtures.image([Fixtures.object(90, 90)])
    func blocking(_ detector: ObjectDetector) throws -> Int { try detector.results(in: image).count }
    let strict = ObjectDetector.objectDetector(options: fixtures.custom { $0.strictMainThreadCheck = true })
    #expect(mlKitError { _ = try blocking(strict) } == .calledOnMainThread)
    #expect(try await strict.process(image).count == 1)
    let lenient = ObjectDetector.objectDetector(options: fixtures.custom { $0.strictMainThreadCheck = false })
    #expect(try blocking(lenient) == 1)
  }

  @Test("calls from four threads on one detector all return")
  func threads() async throws {
    let fixtures = try Fixtures()
    let detector = ObjectDetector.objectDetector(options: fixtures.custom { $0.detectorMode = .singleImage })
    let bytes = BoxReadingModel.pixels([Fixtures.object(90, 90)], width: 50, height: 100)
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var count = 0
          for _ in 0..<5 {
            count += try await detector.process(VisionImage(rgb: bytes, width: 50, height: 100)).count
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(counts == 20)
  }

  @Test("a reset gives objects new IDs, also for another detector")
  func reset() throws {
    let fixtures = try Fixtures()
    let image = try Fixtures.image([Fixtures.object(90, 90)])
    let detector = ObjectDetector.objectDetector(options: fixtures.custom())
    let first = try detector.results(in: image).first?.trackingID
    #expect(try first != nil && detector.results(in: image).first?.trackingID == first)
    detector.reset()
    let second = try detector.results(in: image).first?.trackingID
    let third = try ObjectDetector.objectDetector(options: fixtures.custom()).results(in: image).first?.trackingID
    #expect(Set([first, second, third]).count == 3)
  }

  @Test("labels from a manifest are used for a model without labels")
  func manifest() throws {
    let fixtures = try Fixtures(
      classifier: PassingModel(
        type: .uint8, scale: 1 / 255, width: 1, height: 1, outputs: [.init(shape: [1, 3])], hasMetadata: false))
    let manifest = fixtures.folder.appendingPathComponent("manifest.json")
    try Data(#"{"modelFile": "model.tflite", "labelsFile": "dict.txt", "modelType": "IMAGE_LABELING"}"#.utf8).write(
      to: manifest)
    try Data("rot\ngrün\nblau\n".utf8).write(to: fixtures.folder.appendingPathComponent("dict.txt"))
    let model = try #require(LocalModel(manifestPath: manifest.path))
    let options = CustomObjectDetectorOptions(localModel: model)
    (options.localizerModel, options.shouldEnableClassification) = (fixtures.localizer, true)
    #expect(try ObjectDetector.make(options: options).labels == ["rot", "grün", "blau"])
  }
}
