import Foundation
import SwiftletImage
@_spi(Facades) import SwiftletTasks
import SwiftletTestSupport
@_spi(Facades) import SwiftletTracking
import Testing

@testable import MLKitCommon
@testable import MLKitImageLabelingCommon
@testable import MLKitObjectDetectionCommon
@testable import MLKitVision

@Suite("Values of ML Kit's classes")
struct ValueTests {
  // MARK: Errors

  @Test("errors have Abseil's distinct codes, and the documented domain and key")
  func codes() {
    let codes: [(MLKitError.Code, Int)] = [
      (.cancelled, 1), (.unknown, 2), (.invalidArgument, 3), (.deadlineExceeded, 4), (.notFound, 5),
      (.permissionDenied, 7), (.resourceExhausted, 8), (.failedPrecondition, 9), (.unimplemented, 12),
      (.internalError, 13),
    ]
    for (code, value) in codes {
      let error = MLKitError(code, "words") as NSError
      #expect(code.rawValue == value && error.code == value && error.domain == "com.swiftlet.mlkit")
      #expect(error.localizedDescription == "words" && error.userInfo[MLKitError.detailKey] == nil)
    }
    #expect(Set(MLKitError.Code.allCases) == Set(codes.map(\.0)))
    #expect(MLKitError.detailKey == "com.swiftlet.mlkit.detail" && MLKitError.domain == "com.swiftlet.mlkit")
    #expect(MLKitError(.unknown, "words").errorDescription == "words" && MLKitError.errorDomain == MLKitError.domain)
    let detailed = MLKitError(.invalidArgument, "words", detail: .inputType)
    #expect(detailed.detail == .inputType && detailed.message == "words" && "\(detailed)" == "words")
    #expect((detailed as NSError).userInfo["com.swiftlet.mlkit.detail"] as? Int == 302)
  }

  @Test(
    "errors have the code that corresponds to the task's",
    arguments: [
      (.modelNotFound, .notFound), (.missingMetadata, .notFound), (.unreadableModel, .invalidArgument),
      (.invalidModel, .invalidArgument), (.invalidOption, .invalidArgument), (.invalidArgument, .invalidArgument),
      (.timeNotIncreasing, .invalidArgument), (.invalidRegion, .invalidArgument), (.unsupportedModel, .unimplemented),
      (.limitExceeded, .resourceExhausted), (.deadlineExceeded, .deadlineExceeded), (.cancelled, .cancelled),
      (.failed, .internalError), (.invalidAudio, .internalError),
    ] as [(TaskError.Code, MLKitError.Code)])
  func taskCode(code: TaskError.Code, expected: MLKitError.Code) {
    let error = MLKitError(TaskError(code, "words", .brokenRule(202)))
    #expect(error.code == expected && error.message == "words" && error.detail == .archive)
    let reported: MLKitError? = thrownError {
      try reportingMLKitErrors { () throws(TaskError) in throw TaskError(code, "words") }
    }
    #expect(reported?.code == expected && reported?.detail == nil)
  }

  @Test("missing or unreadable files and invalid images have ML Kit's codes and messages")
  func causes() {
    let missing = MLKitError(TaskError(.modelNotFound, "words", .missingFile(path: "/m")))
    #expect(missing == .modelNotFound(path: "/m"))
    #expect(MLKitError(TaskError(.unreadableModel, "words", .forbiddenFile)).code == .permissionDenied)
    let member = MLKitError(TaskError(.modelNotFound, "words", .missingMember(name: "a", others: [])))
    #expect(member.code == .notFound && member.message == "words" && member.detail == nil)
    #expect(MLKitError(TaskError(.invalidImage, "empty")) == .invalidImage("empty"))
  }

  @Test("errors for comparison have their messages")
  func words() {
    #expect(MLKitError.calledOnMainThread.code == .failedPrecondition)
    #expect(
      MLKitError.calledOnMainThread.message
        == "results(in:) blocks and was called on the main thread; call it on another one, or use process(_:completion:), or await process(_:)"
    )
    let missing = MLKitError.modelNotFound(path: "/m")
    #expect(
      missing.code == .notFound && missing.message == "there is no model at /m" && missing.detail == .fileNotFound)
    let remote = MLKitError.modelNotDownloaded(name: "birds")
    #expect(remote.code == .failedPrecondition)
    #expect(
      remote.message
        == "the remote model 'birds' has not been downloaded; download it first and ask isModelDownloaded before making a detector or labeler of it"
    )
    let image = MLKitError.invalidImage("odd")
    #expect(image.code == .invalidArgument && image.message == "the image cannot be used: odd")
    for count in [0, -1] {
      let error: MLKitError? = thrownError { try MLKitError.requireThreads(count) }
      #expect(error == MLKitError(.invalidArgument, "threadCount must be 1 or more, got \(count)"))
    }
    #expect(throws: Never.self) { try MLKitError.requireThreads(1) }
  }

  // MARK: Labels

  @Test("labels are compared by class, text, index, and confidence")
  func labels() {
    func label(_ text: String = "a", _ index: Int = 1, _ confidence: Float = 0.5) -> ImageLabel {
      ImageLabel(text: text, index: index, confidence: confidence)
    }
    #expect(label().text == "a" && label().index == 1 && label().confidence == 0.5)
    #expect(label() == label() && label().hash == label().hash)
    #expect(label() != label("b") && label() != label("a", 2) && label() != label("a", 1, 0.25))
    #expect(!label().isEqual("a") && !label().isEqual(nil))
    #expect(!label().isEqual(MLKitObjectDetectionCommon.ObjectLabel(text: "a", index: 1, confidence: 0.5)))
    #expect(Set([label(), label(), label("b"), label("a", 2), label("a", 1, 0.25)]).count == 4)
  }

  // MARK: Recipes

  @Test("options of labelers have ML Kit's defaults, and reach the classifier")
  func labelers() {
    let plain = ImageLabelerOptions()
    #expect(
      plain.threadCount == 1 && plain.completionQueue.label == DispatchQueue.main.label && plain.labelerModel == nil)
    #expect(plain.strictMainThreadCheck == MainThread.isGuarded)
    for (given, expected) in [
      (nil, 0.5), (0, 0), (1, 1), (0.25, 0.25), (-0.01, 0.5), (1.01, 0.5), (.nan, 0.5),
    ] as [(Float?, Float)] {
      plain.confidenceThreshold = given.map { NSNumber(value: $0) }
      #expect(plain.classifier.confidenceThreshold == expected)
    }
    guard case .builtIn = plain.classifier.source else {
      Issue.record("the model is the bundled one")
      return
    }
    plain.labelerModel = LocalModel(path: "/m")
    guard case .local(let model) = plain.classifier.source else {
      Issue.record("the model is the app's")
      return
    }
    #expect(model.path == "/m" && plain.classifier.maxLabelCount == 10 && plain.classifier.cropMargin == 0)

    let manager = ModelManager(store: ModelStore())
    let custom = CustomImageLabelerOptions(localModel: LocalModel(path: "/m"))
    #expect(custom.maxResultCount == 10 && custom.inputNormalization == nil && custom.labels == nil)
    #expect(custom.locale == "en" && custom.modelManager === ModelManager.modelManager())
    #expect(custom.classifier.confidenceThreshold == nil && custom.classifier.maxLabelCount == 10)
    custom.confidenceThreshold = 0.25
    (custom.maxResultCount, custom.labels, custom.locale, custom.modelManager) = (3, ["a"], "de", manager)
    custom.inputNormalization = InputNormalization(mean: [1], standardDeviation: [2])
    let recipe = custom.classifier
    #expect(recipe.confidenceThreshold == 0.25 && recipe.maxLabelCount == 3 && recipe.labels == ["a"])
    #expect(recipe.locale == "de" && recipe.modelManager === manager && recipe.cropMargin == 0)
    #expect(recipe.inputNormalization == InputNormalization(mean: [1], standardDeviation: [2]))
  }

  @Test("options of detectors have ML Kit's defaults, and reach the classifier")
  func detectors() {
    #expect(CommonObjectDetectorOptions().classifier == nil)
    let plain = ObjectDetectorOptions()
    #expect(!plain.shouldEnableClassification && !plain.shouldEnableMultipleObjects && plain.detectorMode == .stream)
    #expect(plain.localizerModel == nil && plain.maxObjectCount == 5 && plain.streamPolicy == .synchronous(every: 1))
    #expect(plain.threadCount == 1 && plain.completionQueue.label == DispatchQueue.main.label)
    #expect(plain.strictMainThreadCheck == MainThread.isGuarded)
    #expect(plain.coarseClassifierModel == nil && plain.classifier == nil)
    plain.coarseClassifierModel = LocalModel(path: "/m")
    guard case .local(let model)? = plain.classifier?.source else {
      Issue.record("the model is the app's")
      return
    }
    #expect(model.path == "/m" && plain.classifier?.confidenceThreshold == nil && plain.classifier?.maxLabelCount == 10)

    let manager = ModelManager(store: ModelStore())
    let remote = CustomRemoteModel(
      remoteModelSource: RemoteModelSource(model: .init(name: "n", url: URL(fileURLWithPath: "/m"))))
    let custom = CustomObjectDetectorOptions(remoteModel: remote)
    #expect(custom.classificationConfidenceThreshold == nil && custom.maxPerObjectLabelCount == 10)
    #expect(custom.inputNormalization == nil && custom.labels == nil && custom.locale == "en")
    #expect(custom.cropMargin == 0 && custom.modelManager === ModelManager.modelManager())
    custom.classificationConfidenceThreshold = 0.25
    (custom.maxPerObjectLabelCount, custom.labels, custom.locale, custom.cropMargin) = (3, ["a"], "de", 0.125)
    custom.modelManager = manager
    custom.inputNormalization = InputNormalization(mean: [1], standardDeviation: [2])
    guard let recipe = custom.classifier, case .remote(let found) = recipe.source else {
      Issue.record("the model is remote")
      return
    }
    #expect(found === remote && recipe.confidenceThreshold == 0.25 && recipe.maxLabelCount == 3)
    #expect(recipe.labels == ["a"] && recipe.locale == "de" && recipe.modelManager === manager)
    #expect(recipe.cropMargin == 0.125)
    #expect(recipe.inputNormalization == InputNormalization(mean: [1], standardDeviation: [2]))
  }

  @Test("a recipe creates the classifier's options, with the required model")
  func recipe() throws {
    let fixtures = try Fixtures()
    var recipe = ClassifierRecipe(source: .local(fixtures.classifier))
    let (plain, model) = try recipe.options(threads: 3)
    #expect(model === fixtures.classifier && plain.baseOptions.model == .file(fixtures.classifier.path))
    #expect(plain.baseOptions.threads == 3 && plain.baseOptions.inputNormalization == nil && plain.labels == nil)
    #expect(plain.locale == "en" && plain.confidenceThreshold == nil && plain.maxLabelCount == 10)
    #expect(plain.cropMargin == 0 && plain.labelsOfUnlabeledModel == nil)
    (recipe.confidenceThreshold, recipe.maxLabelCount, recipe.labels) = (0.25, 4, ["a"])
    (recipe.locale, recipe.cropMargin) = ("de", 0.5)
    recipe.inputNormalization = InputNormalization(mean: [1], standardDeviation: [2])
    let full = try recipe.options(threads: 1).0
    #expect(full.confidenceThreshold == 0.25 && full.maxLabelCount == 4 && full.labels == ["a"])
    #expect(full.locale == "de" && full.cropMargin == 0.5)
    #expect(full.baseOptions.inputNormalization == InputNormalization(mean: [1], standardDeviation: [2]))
    let builtIn = try ClassifierRecipe(source: .builtIn(.file("/b"))).options(threads: 2)
    #expect(builtIn.0.baseOptions.model == .file("/b") && builtIn.0.baseOptions.threads == 2 && builtIn.1 == nil)
  }

  @Test("a recipe without its model reports it")
  func recipeErrors() {
    func error(_ source: ClassifierRecipe.Source) -> MLKitError? {
      thrownError { try ClassifierRecipe(source: source).options(threads: 1) }
    }
    #expect(error(.local(LocalModel(path: "/nowhere"))) == .modelNotFound(path: "/nowhere"))
    let relative = error(.local(LocalModel(path: "m")))
    #expect(relative?.code == .invalidArgument)
    #expect(
      relative?.message.hasPrefix("the path 'm' cannot be used: the path of a local model must be absolute") == true)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-none-" + UUID().uuidString)
    let remote = CustomRemoteModel(
      remoteModelSource: RemoteModelSource(model: .init(name: "birds", url: URL(fileURLWithPath: "/m"))))
    var recipe = ClassifierRecipe(source: .remote(remote))
    recipe.modelManager = ModelManager(store: ModelStore(options: ModelStoreOptions(directory: folder)))
    let missing: MLKitError? = thrownError { try recipe.options(threads: 1) }
    #expect(missing == .modelNotDownloaded(name: "birds"))
    let idle: MLKitError? = thrownError { try recipe.options(threads: 0) }
    #expect(idle?.message == "threadCount must be 1 or more, got 0")
  }

  // MARK: Remainder

  @Test("modes equal the tracker's, and others are rejected")
  func modes() throws {
    #expect(try !ObjectDetectorMode.singleImage.isStream("detector") && ObjectDetectorMode.stream.isStream("detector"))
    for number in [-1, 2] {
      let error: MLKitError? = thrownError { try ObjectDetectorMode(rawValue: number).isStream("detector") }
      #expect(
        error
          == MLKitError(
            .invalidArgument, "there is no detector mode \(number); give .singleImage (0) or .stream (1)"))
    }
  }

  @Test("values are created once, even if creation fails")
  func madeOnce() throws {
    let count = Counter()
    let made = Once { () throws(MLKitError) -> Int in count.next() }
    #expect(made.made == nil)
    #expect(try made.product() == 1 && made.product() == 1 && made.made == 1)
    let failing = Once { () throws(MLKitError) -> Int in throw MLKitError(.unknown, "try \(count.next())") }
    for _ in 0..<2 {
      let error: MLKitError? = thrownError { try failing.product() }
      #expect(error == MLKitError(.unknown, "try 2") && failing.made == nil)
    }
  }

  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func next() -> Int {
      lock.withLock {
        count += 1
        return count
      }
    }
  }

  @Test("image timestamps are valid clock times", arguments: [1e15, -1e15, 0, 0.5])
  func times(seconds: Double) {
    #expect(Duration(clockTime: seconds) == .seconds(seconds))
    #expect(
      Duration(clockTime: 1.1e15) == nil && Duration(clockTime: -1.1e15) == nil && Duration(clockTime: .nan) == nil)
  }

  private struct Oddity: Error, CustomStringConvertible {
    let description = "odd"
  }

  @Test("errors of images have a reason")
  func imageErrors() {
    let odd: MLKitError? = thrownError { try MLKitError.reportingImageErrors { throw Oddity() } }
    #expect(odd == .invalidImage("odd"))
    let short: MLKitError? = thrownError { try VisionImage(rgb: [1, 2], width: 1, height: 1) }
    let image: ImageError? = thrownError { try ImageBuffer(bytes: [1, 2], width: 1, height: 1, pixelFormat: .rgb8) }
    #expect(short != nil && short == image.map { .invalidImage($0.message) })
  }

  @Test("points keep their coordinates")
  func points() {
    let point = Vision3DPoint(x: 1, y: 2, z: 3)
    #expect(point.x == 1 && point.y == 2 && point.z == 3)
    let flat = VisionPoint(x: 4, y: 5)
    #expect(flat.x == 4 && flat.y == 5)
  }

  @Test("images have their orientation, and their time if there is one")
  func images() throws {
    let buffer = try ImageBuffer(bytes: [1, 2, 3], width: 1, height: 1, pixelFormat: .rgb8)
    let image = VisionImage(imageBuffer: buffer)
    #expect(image.orientation == .up && image.timestamp == nil && image.time == nil)
    image.timestamp = 2.5
    #expect(image.time == .milliseconds(2500))
    #expect(MLImage(imageBuffer: buffer).time == nil)
  }

  @Test("objects are compared by class and position")
  func objects() throws {
    let fixtures = try Fixtures()
    let detector = MLKitObjectDetectionCommon.ObjectDetector.objectDetector(
      options: fixtures.custom { ($0.detectorMode, $0.shouldEnableMultipleObjects) = (.singleImage, true) })
    let objects = try detector.results(
      in: Fixtures.image([Fixtures.object(90, 90), Fixtures.object(10, 160, score: 150)]))
    #expect(objects.count == 2)
    let first = try #require(objects.first { $0.frame.minY < 50 }),
      second = try #require(objects.first { $0 !== first })
    // 60/255 of 50 × 100 pixels.
    #expect(abs(first.frame.minX - 90 / 255 * 50) < 0.5 && abs(first.frame.minY - 90 / 255 * 100) < 0.5)
    #expect(abs(first.frame.width - 60 / 255 * 50) < 0.5 && abs(first.frame.height - 60 / 255 * 100) < 0.5)
    #expect(first.frame(upright: true) == first.frame && first.frame(upright: false) == first.frame)
    let part = first.normalizedFrame(upright: false)
    #expect(abs(part.minX * 50 - first.frame.minX) < 1e-6 && abs(part.height * 100 - first.frame.height) < 1e-6)
    #expect(abs(first.score - 200 / 255) < 0.01 && abs(second.score - 150 / 255) < 0.01)
    #expect(first.trackingID == nil && !first.isPredicted && first.prominence > second.prominence)
    #expect(first.labels.map(\.text).sorted() == ["blue", "green", "red"])
    #expect(
      first.labels.map(\.index).sorted() == [0, 1, 2] && first.labels[0].confidence >= first.labels[1].confidence)
    let again = try detector.results(
      in: Fixtures.image([Fixtures.object(90, 90), Fixtures.object(10, 160, score: 150)]))
    #expect(again.contains(first) && again.contains(second) && first != second)
    #expect(Set(objects + again).count == 2 && !first.isEqual("object"))
  }

  @Test("no more objects are reported than requested", arguments: [1, 2, 3])
  func objectCount(count: Int) throws {
    let fixtures = try Fixtures()
    let detector = MLKitObjectDetectionCommon.ObjectDetector.objectDetector(
      options: fixtures.custom {
        ($0.detectorMode, $0.shouldEnableMultipleObjects, $0.maxObjectCount) = (.singleImage, true, count)
      })
    let image = try Fixtures.image([
      Fixtures.object(90, 90), Fixtures.object(10, 160, score: 150), Fixtures.object(180, 10, score: 180),
    ])
    #expect(try detector.results(in: image).count == count)
  }

  @Test("planes of odd sizes have a chroma pair for each pixel at the edge", arguments: [(3, 3), (4, 2), (1, 1)])
  func planes(width: Int, height: Int) throws {
    let pairs = (width + 1) / 2 * ((height + 1) / 2)
    let luma = [UInt8](repeating: 100, count: width * height)
    _ = try VisionImage(nv12: luma, uv: [UInt8](repeating: 128, count: 2 * pairs), width: width, height: height)
    let short: MLKitError? = thrownError {
      try VisionImage(nv12: luma, uv: [UInt8](repeating: 128, count: 2 * pairs - 1), width: width, height: height)
    }
    #expect(short?.code == .invalidArgument)
    let dark: MLKitError? = thrownError {
      try VisionImage(
        nv12: Array(luma.dropLast()), uv: [UInt8](repeating: 128, count: 2 * pairs), width: width, height: height)
    }
    #expect(dark?.code == .invalidArgument)
  }
}
