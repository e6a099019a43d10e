import Foundation
import MediaPipeTasksVision
import Testing

@Suite("Options")
struct OptionsTests {
  /// Delegates of all tasks, which can be identified.
  private final class Delegates: ObjectDetectorLiveStreamDelegate, FaceDetectorLiveStreamDelegate,
    ImageEmbedderLiveStreamDelegate,
    ImageClassifierLiveStreamDelegate, ImageSegmenterLiveStreamDelegate
  {}

  @Test("have MediaPipe's defaults")
  func defaults() {
    let base = BaseOptions()
    #expect(base.modelAssetPath == "" && base.delegate == .CPU)
    let objects = ObjectDetectorOptions()
    #expect(objects.runningMode == .image && objects.maxResults == -1 && objects.scoreThreshold == 0)
    #expect(objects.categoryAllowlist == [] && objects.categoryDenylist == [] && objects.displayNamesLocale == "en")
    #expect(objects.objectDetectorLiveStreamDelegate == nil)
    let faces = FaceDetectorOptions()
    #expect(faces.runningMode == .image && faces.minDetectionConfidence == 0.5 && faces.minSuppressionThreshold == 0.3)
    let embedder = ImageEmbedderOptions()
    #expect(embedder.runningMode == .image && !embedder.l2Normalize && !embedder.quantize)
    let classifier = ImageClassifierOptions()
    #expect(classifier.runningMode == .image && classifier.maxResults == -1 && classifier.scoreThreshold == 0)
    let segmenter = ImageSegmenterOptions()
    #expect(segmenter.runningMode == .image && segmenter.displayNamesLocale == "en")
    #expect(segmenter.shouldOutputConfidenceMasks && !segmenter.shouldOutputCategoryMask)
  }

  @Test("have MediaPipe's raw values")
  func rawValues() {
    #expect([Delegate.CPU, .GPU].map(\.rawValue) == [0, 1])
    #expect([RunningMode.image, .video, .liveStream].map(\.rawValue) == [0, 1, 2])
    #expect([MaskDataType.uInt8, .float32].map(\.rawValue) == [0, 1])
    #expect([MPImageSourceType.image, .pixelBuffer, .sampleBuffer].map(\.rawValue) == [0, 1, 2])
  }

  @Test("are changed in place but copied when assigned")
  func baseOptions() {
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = "a"
    #expect(options.baseOptions.modelAssetPath == "a")
    let base = BaseOptions()
    base.modelAssetPath = "b"
    options.baseOptions = base
    base.modelAssetPath = "c"
    #expect(options.baseOptions.modelAssetPath == "b")
    let task = TaskOptions()
    task.baseOptions.delegate = .GPU
    #expect((task.copy() as? TaskOptions)?.baseOptions.delegate == .GPU)
  }

  @Test("of a base are copied completely")
  func baseCopy() throws {
    let base = BaseOptions()
    base.modelAssetPath = "model.tflite"
    base.delegate = .GPU
    base.modelURL = URL(fileURLWithPath: "/model.tflite")
    base.modelBytes = [1, 2]
    base.threads = 3
    let queue = DispatchQueue(label: "delegates")
    base.delegateQueue = queue
    let copy = try #require(base.copy() as? BaseOptions)
    #expect(copy !== base)
    #expect(copy.modelAssetPath == "model.tflite" && copy.delegate == .GPU && copy.modelURL == base.modelURL)
    #expect(copy.modelBytes == [1, 2] && copy.threads == 3 && copy.delegateQueue === queue)
  }

  @Test("of detectors are copied with class and delegate, and a separate base")
  func detectorCopies() throws {
    let delegates = Delegates()
    let objects = ObjectDetectorOptions()
    objects.baseOptions.modelAssetPath = "objects"
    objects.runningMode = .liveStream
    objects.objectDetectorLiveStreamDelegate = delegates
    objects.displayNamesLocale = "de"
    objects.maxResults = 7
    objects.scoreThreshold = 0.25
    objects.categoryAllowlist = ["cat"]
    objects.categoryDenylist = ["dog"]
    let copy = try #require(objects.copy() as? ObjectDetectorOptions)
    objects.baseOptions.modelAssetPath = "changed"
    #expect(copy.baseOptions.modelAssetPath == "objects" && copy.runningMode == .liveStream)
    #expect(copy.objectDetectorLiveStreamDelegate === delegates)
    #expect(copy.displayNamesLocale == "de" && copy.maxResults == 7 && copy.scoreThreshold == 0.25)
    #expect(copy.categoryAllowlist == ["cat"] && copy.categoryDenylist == ["dog"])

    let faces = FaceDetectorOptions()
    faces.runningMode = .video
    faces.faceDetectorLiveStreamDelegate = delegates
    faces.minDetectionConfidence = 0.75
    faces.minSuppressionThreshold = 0.25
    let faceCopy = try #require(faces.copy() as? FaceDetectorOptions)
    #expect(faceCopy.runningMode == .video && faceCopy.faceDetectorLiveStreamDelegate === delegates)
    #expect(faceCopy.minDetectionConfidence == 0.75 && faceCopy.minSuppressionThreshold == 0.25)
  }

  @Test("of the other tasks are copied with class and delegate, and a separate base")
  func otherCopies() throws {
    let delegates = Delegates()
    let embedder = ImageEmbedderOptions()
    embedder.runningMode = .video
    embedder.imageEmbedderLiveStreamDelegate = delegates
    embedder.l2Normalize = true
    embedder.quantize = true
    let embedderCopy = try #require(embedder.copy() as? ImageEmbedderOptions)
    #expect(embedderCopy.runningMode == .video && embedderCopy.imageEmbedderLiveStreamDelegate === delegates)
    #expect(embedderCopy.l2Normalize && embedderCopy.quantize)

    let classifier = ImageClassifierOptions()
    classifier.runningMode = .liveStream
    classifier.imageClassifierLiveStreamDelegate = delegates
    classifier.displayNamesLocale = "fr"
    classifier.maxResults = 2
    classifier.scoreThreshold = 0.5
    classifier.categoryAllowlist = ["a"]
    classifier.categoryDenylist = ["b"]
    let classifierCopy = try #require(classifier.copy() as? ImageClassifierOptions)
    #expect(classifierCopy.runningMode == .liveStream && classifierCopy.imageClassifierLiveStreamDelegate === delegates)
    #expect(
      classifierCopy.displayNamesLocale == "fr" && classifierCopy.maxResults == 2
        && classifierCopy.scoreThreshold == 0.5)
    #expect(classifierCopy.categoryAllowlist == ["a"] && classifierCopy.categoryDenylist == ["b"])

    let segmenter = ImageSegmenterOptions()
    segmenter.baseOptions.modelAssetPath = "segments"
    segmenter.runningMode = .liveStream
    segmenter.imageSegmenterLiveStreamDelegate = delegates
    segmenter.displayNamesLocale = "it"
    segmenter.shouldOutputConfidenceMasks = false
    segmenter.shouldOutputCategoryMask = true
    let segmenterCopy = try #require(segmenter.copy() as? ImageSegmenterOptions)
    #expect(segmenterCopy.baseOptions.modelAssetPath == "segments" && segmenterCopy.displayNamesLocale == "it")
    #expect(segmenterCopy.runningMode == .liveStream && segmenterCopy.imageSegmenterLiveStreamDelegate === delegates)
    #expect(!segmenterCopy.shouldOutputConfidenceMasks && segmenterCopy.shouldOutputCategoryMask)
  }

  @Test("hold their delegate weakly")
  func weakDelegate() {
    let options = FaceDetectorOptions()
    var delegates: Delegates? = Delegates()
    options.faceDetectorLiveStreamDelegate = delegates
    #expect(options.faceDetectorLiveStreamDelegate != nil)
    delegates = nil
    #expect(options.faceDetectorLiveStreamDelegate == nil)
  }

  @Test("a missing model path is an error of the task, not of the assignment")
  func missingPath() {
    let options = ImageClassifierOptions()
    options.baseOptions.modelAssetPath = "model.tflite"
    options.baseOptions.modelAssetPath = Bundle.main.path(forResource: "none", ofType: "tflite")
    #expect(options.baseOptions.modelAssetPath == "")
    let path: String = options.baseOptions.modelAssetPath
    #expect(path.isEmpty)
    let error = failure { _ = try ImageClassifier(options: options) }
    #expect(error?.code == 3)
  }
}
