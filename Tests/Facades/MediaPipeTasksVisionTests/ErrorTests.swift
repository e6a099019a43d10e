import Foundation
import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

@Suite("Errors")
struct ErrorTests {
  private final class Delegates: ObjectDetectorLiveStreamDelegate, FaceDetectorLiveStreamDelegate,
    ImageEmbedderLiveStreamDelegate,
    ImageClassifierLiveStreamDelegate, ImageSegmenterLiveStreamDelegate
  {}

  private func expect(
    _ code: TasksErrorCode, _ text: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    guard let error = failure(body) else {
      Issue.record("nothing was thrown", sourceLocation: sourceLocation)
      return
    }
    #expect(error.domain == "com.google.mediapipe.tasks", sourceLocation: sourceLocation)
    #expect(error.code == code.rawValue, sourceLocation: sourceLocation)
    #expect(error.localizedDescription == text, sourceLocation: sourceLocation)
    #expect(error.userInfo[NSLocalizedDescriptionKey] as? String == text, sourceLocation: sourceLocation)
  }

  @Test("have MediaPipe's codes")
  func codes() {
    #expect(TasksErrorCode.first == .cancelledError && TasksErrorCode.first.rawValue == 1)
    #expect(TasksErrorCode.last == .audioRecordNotTappingMicError && TasksErrorCode.last.rawValue == 20)
    #expect(TasksErrorCode.invalidArgumentError.rawValue == 3 && TasksErrorCode.notFoundError.rawValue == 5)
    #expect(TasksErrorCode.unauthenticatedError.rawValue == 16)
  }

  @Test("are catchable NSErrors")
  func caught() {
    do {
      _ = try FaceDetector(modelPath: "")
      Issue.record("a detector without a model")
    } catch let error as NSError where error.code == TasksErrorCode.invalidArgumentError.rawValue {
      #expect(error.domain == "com.google.mediapipe.tasks")
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test("report a missing model")
  func noModel() {
    let text =
      "INVALID_ARGUMENT: ExternalFile must specify at least one of 'file_content', 'file_name', 'file_pointer_meta' or 'file_descriptor_meta'."
    expect(.invalidArgumentError, text) { _ = try ObjectDetector(modelPath: "") }
    expect(.invalidArgumentError, text) { _ = try FaceDetector(options: FaceDetectorOptions()) }
    expect(.invalidArgumentError, text) { _ = try ImageEmbedder(options: ImageEmbedderOptions()) }
    expect(.invalidArgumentError, text) { _ = try ImageClassifier(modelPath: "") }
    expect(.invalidArgumentError, text) { _ = try ImageSegmenter(modelPath: "") }
  }

  @Test("report a missing file")
  func noFile() {
    let path = "/nowhere/model.tflite"
    let text = "NOT_FOUND: Unable to open file at \(path)"
    expect(.notFoundError, text) { _ = try ObjectDetector(modelPath: path) }
    expect(.notFoundError, text) { _ = try FaceDetector(modelPath: path) }
    expect(.notFoundError, text) { _ = try ImageEmbedder(modelPath: path) }
    expect(.notFoundError, text) { _ = try ImageClassifier(modelPath: path) }
    expect(.notFoundError, text) { _ = try ImageSegmenter(modelPath: path) }
  }

  @Test("report bytes that are not a model")
  func noFlatBuffer() {
    let options = FaceDetectorOptions()
    options.baseOptions.modelBytes = [UInt8](repeating: 7, count: 100)
    #expect(
      failure { _ = try FaceDetector(options: options) }?.code == Int(TasksErrorCode.invalidArgumentError.rawValue))
  }

  @Test("report contradictory options")
  func contradictions() {
    let objects = ObjectDetectorOptions()
    objects.categoryAllowlist = ["cat"]
    objects.categoryDenylist = ["dog"]
    let lists = "INVALID_ARGUMENT: `category_allowlist` and `category_denylist` are mutually exclusive options."
    expect(.invalidArgumentError, lists) { _ = try ObjectDetector(options: objects) }
    let classifier = ImageClassifierOptions()
    classifier.categoryAllowlist = ["cat"]
    classifier.categoryDenylist = ["dog"]
    expect(.invalidArgumentError, lists) { _ = try ImageClassifier(options: classifier) }
    objects.categoryDenylist = []
    objects.maxResults = 0
    expect(.invalidArgumentError, "INVALID_ARGUMENT: Invalid `max_results` option: value must be != 0") {
      _ = try ObjectDetector(options: objects)
    }
    classifier.categoryDenylist = []
    classifier.maxResults = 0
    expect(.invalidArgumentError, "INVALID_ARGUMENT: Invalid `max_results` option: value must be != 0.") {
      _ = try ImageClassifier(options: classifier)
    }
    let segmenter = ImageSegmenterOptions()
    segmenter.shouldOutputConfidenceMasks = false
    #expect(
      failure { _ = try ImageSegmenter(options: segmenter) }?.code == Int(TasksErrorCode.invalidArgumentError.rawValue))
    let faces = FaceDetectorOptions()
    faces.minDetectionConfidence = 1.5
    #expect(failure { _ = try FaceDetector(options: faces) }?.code == Int(TasksErrorCode.invalidArgumentError.rawValue))
  }

  @Test("report a live stream without a delegate")
  func noDelegate() {
    let text =
      "The vision task is in live stream mode. An object must be set as the delegate of the task in its options to ensure asynchronous delivery of results."
    let (objects, faces, embedder) = (ObjectDetectorOptions(), FaceDetectorOptions(), ImageEmbedderOptions())
    let (classifier, segmenter) = (ImageClassifierOptions(), ImageSegmenterOptions())
    objects.runningMode = .liveStream
    faces.runningMode = .liveStream
    embedder.runningMode = .liveStream
    classifier.runningMode = .liveStream
    segmenter.runningMode = .liveStream
    expect(.invalidArgumentError, text) { _ = try ObjectDetector(options: objects) }
    expect(.invalidArgumentError, text) { _ = try FaceDetector(options: faces) }
    expect(.invalidArgumentError, text) { _ = try ImageEmbedder(options: embedder) }
    expect(.invalidArgumentError, text) { _ = try ImageClassifier(options: classifier) }
    expect(.invalidArgumentError, text) { _ = try ImageSegmenter(options: segmenter) }
  }

  @Test("report a delegate without a live stream", arguments: [RunningMode.image, .video])
  func idleDelegate(mode: RunningMode) {
    let text = "The vision task is in image or video mode. The delegate must not be set in the task's options."
    let delegates = Delegates()
    let (objects, faces, embedder) = (ObjectDetectorOptions(), FaceDetectorOptions(), ImageEmbedderOptions())
    let (classifier, segmenter) = (ImageClassifierOptions(), ImageSegmenterOptions())
    (objects.runningMode, objects.objectDetectorLiveStreamDelegate) = (mode, delegates)
    (faces.runningMode, faces.faceDetectorLiveStreamDelegate) = (mode, delegates)
    (embedder.runningMode, embedder.imageEmbedderLiveStreamDelegate) = (mode, delegates)
    (classifier.runningMode, classifier.imageClassifierLiveStreamDelegate) = (mode, delegates)
    (segmenter.runningMode, segmenter.imageSegmenterLiveStreamDelegate) = (mode, delegates)
    expect(.invalidArgumentError, text) { _ = try ObjectDetector(options: objects) }
    expect(.invalidArgumentError, text) { _ = try FaceDetector(options: faces) }
    expect(.invalidArgumentError, text) { _ = try ImageEmbedder(options: embedder) }
    expect(.invalidArgumentError, text) { _ = try ImageClassifier(options: classifier) }
    expect(.invalidArgumentError, text) { _ = try ImageSegmenter(options: segmenter) }
  }

  @Test(
    "report a call of another running mode", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"),
    arguments: zip([RunningMode.image, .video, .liveStream], ["Image", "Video", "Live Stream"]))
  func wrongMode(mode: RunningMode, name: String) throws {
    let delegates = Delegates()
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = TestModel.faces
    options.runningMode = mode
    options.faceDetectorLiveStreamDelegate = mode == .liveStream ? delegates : nil
    let detector = try FaceDetector(options: options)
    let image = try TestImage.plain()
    func text(_ wanted: String) -> String {
      "The vision task is not initialized with \(wanted) mode. Current Running Mode: \(name)"
    }
    if mode != .image {
      expect(.invalidArgumentError, text("image")) { _ = try detector.detect(image: image) }
    }
    if mode != .video {
      expect(.invalidArgumentError, text("video")) {
        _ = try detector.detect(videoFrame: image, timestampInMilliseconds: 0)
      }
    }
    if mode != .liveStream {
      expect(.invalidArgumentError, text("live stream")) {
        try detector.detectAsync(image: image, timestampInMilliseconds: 0)
      }
    }
  }

  @Test("report a frame that is not later than the last", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
  func pastFrame() throws {
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = TestModel.faces
    options.runningMode = .video
    let detector = try FaceDetector(options: options)
    let image = try TestImage.plain()
    _ = try detector.detect(videoFrame: image, timestampInMilliseconds: 10)
    expect(.invalidArgumentError, "INVALID_ARGUMENT: Input timestamp must be monotonically increasing.") {
      _ = try detector.detect(videoFrame: image, timestampInMilliseconds: 10)
    }
    #expect(try detector.detect(videoFrame: image, timestampInMilliseconds: 11).timestampInMilliseconds == 11)
  }

  @Test("report an empty region", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
  func emptyRegion() throws {
    let embedder = try ImageEmbedder(modelPath: TestModel.embedding)
    expect(.invalidArgumentError, "INVALID_ARGUMENT: ROI width and height must be > 0.") {
      _ = try embedder.embed(image: TestImage.plain(), regionOfInterest: CGRect(x: 0, y: 0, width: 0.5, height: 0))
    }
  }

  @Test("report that no mask was requested")
  func noMasks() {
    let options = ImageSegmenterOptions()
    options.shouldOutputConfidenceMasks = false
    expect(
      .invalidArgumentError,
      "INVALID_ARGUMENT: At least one of CONFIDENCE_MASK and CATEGORY_MASK must be connected. Set shouldOutputConfidenceMasks or shouldOutputCategoryMask."
    ) { _ = try ImageSegmenter(options: options) }
  }

  @Test("report embeddings that cannot be compared")
  func embeddings() {
    let real = Embedding(floatEmbedding: [1, 2], quantizedEmbedding: nil, headIndex: 0, headName: nil)
    let longer = Embedding(floatEmbedding: [1, 2, 3], quantizedEmbedding: nil, headIndex: 0, headName: nil)
    let bytes = Embedding(floatEmbedding: nil, quantizedEmbedding: [1, 2], headIndex: 0, headName: nil)
    expect(.invalidArgumentError, "Cannot compute cosine similarity between quantized and float embeddings.") {
      _ = try ImageEmbedder.cosineSimilarity(embedding1: real, embedding2: bytes)
    }
    expect(
      .invalidArgumentError, "Cannot compute cosine similarity between embeddings of different sizes (2 vs 3)."
    ) { _ = try ImageEmbedder.cosineSimilarity(embedding1: real, embedding2: longer) }
  }
}
