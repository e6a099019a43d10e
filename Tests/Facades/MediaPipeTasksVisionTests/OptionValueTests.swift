import Foundation
import Testing

@testable import MediaPipeTasksVision

/// Checks that every option is passed on to the task, whatever its name there.
@Suite("Values of options")
struct OptionValueTests {

  private func withBase<Options: TaskOptions>(_ options: Options, _ change: (Options) -> Void = { _ in }) -> Options {
    options.baseOptions.modelAssetPath = "/m.tflite"
    options.baseOptions.threads = 3
    change(options)
    return options
  }

  @Test("of base options: the first of path, address, and bytes, and the threads")
  func base() throws {
    let base = BaseOptions()
    #expect(base.threads == 1 && base.modelURL == nil && base.modelBytes.isEmpty)
    let error = #expect(throws: TasksFailure.self) { try base.values() }
    #expect(error?.code == .invalidArgumentError)
    base.modelBytes = [1, 2]
    #expect(try base.values().model == .bytes([1, 2]))
    let url = URL(fileURLWithPath: "/url.tflite")
    base.modelURL = url
    #expect(try base.values().model == .url(url))
    base.modelAssetPath = "/path.tflite"
    base.threads = 7
    let values = try base.values()
    #expect(values.model == .file("/path.tflite") && values.threads == 7 && values.maxConcurrentCalls == 1)
  }

  @Test("of all tasks are copied with their class and a separate base")
  func copies() throws {
    let all: [TaskOptions] = [
      TaskOptions(), ObjectDetectorOptions(), ImageClassifierOptions(), ImageEmbedderOptions(), ImageSegmenterOptions(),
      FaceDetectorOptions(), HandLandmarkerOptions(), GestureRecognizerOptions(), PoseLandmarkerOptions(),
      FaceLandmarkerOptions(), HolisticLandmarkerOptions(), InteractiveSegmenterLegacyOptions(),
    ]
    for options in all {
      options.baseOptions.modelAssetPath = "/m.tflite"
      options.baseOptions.threads = 3
      let copy = try #require(options.copy() as? TaskOptions)
      #expect(type(of: copy) == type(of: options) && copy !== options && copy.baseOptions !== options.baseOptions)
      #expect(copy.baseOptions.modelAssetPath == "/m.tflite" && copy.baseOptions.threads == 3)
      options.baseOptions.modelAssetPath = "/other.tflite"
      #expect(copy.baseOptions.modelAssetPath == "/m.tflite", "\(type(of: options))")
    }
  }

  @Test("of object detectors", arguments: [-1, 1, 2])
  func objects(maxResults: Int) throws {
    let plain = try withBase(ObjectDetectorOptions()).values()
    #expect(plain.baseOptions.model == .file("/m.tflite") && plain.baseOptions.threads == 3)
    #expect(plain.displayNamesLocale == "en" && plain.maxResults == nil)
    #expect(plain.scoreThreshold == 0 && plain.categoryAllowlist.isEmpty && plain.categoryDenylist.isEmpty)
    let options = withBase(ObjectDetectorOptions()) {
      ($0.runningMode, $0.displayNamesLocale, $0.maxResults, $0.scoreThreshold) = (.video, "de", maxResults, 0.25)
      $0.categoryAllowlist = ["a"]
    }
    let full = try options.values()
    #expect(full.displayNamesLocale == "de" && full.scoreThreshold == 0.25)
    #expect(full.maxResults == (maxResults < 0 ? nil : maxResults) && full.categoryAllowlist == ["a"])
    (options.categoryAllowlist, options.categoryDenylist) = ([], ["b"])
    #expect(try options.values().categoryDenylist == ["b"])
  }

  @Test("of image classifiers", arguments: [-1, 1, 2])
  func classes(maxResults: Int) throws {
    let plain = try withBase(ImageClassifierOptions()).values()
    #expect(plain.baseOptions.model == .file("/m.tflite") && plain.baseOptions.threads == 3)
    #expect(plain.displayNamesLocale == "en" && plain.maxResults == nil)
    #expect(plain.scoreThreshold == 0 && plain.categoryAllowlist.isEmpty && plain.categoryDenylist.isEmpty)
    let options = withBase(ImageClassifierOptions()) {
      ($0.runningMode, $0.displayNamesLocale, $0.maxResults, $0.scoreThreshold) = (.liveStream, "de", maxResults, 0.25)
      $0.categoryAllowlist = ["a"]
    }
    let full = try options.values()
    #expect(full.displayNamesLocale == "de" && full.scoreThreshold == 0.25)
    #expect(full.maxResults == (maxResults < 0 ? nil : maxResults) && full.categoryAllowlist == ["a"])
    (options.categoryAllowlist, options.categoryDenylist) = ([], ["b"])
    #expect(try options.values().categoryDenylist == ["b"])
  }

  @Test("of face detectors and embedders")
  func facesAndEmbeddings() throws {
    let plain = try withBase(FaceDetectorOptions()).values()
    #expect(plain.baseOptions.threads == 3)
    #expect(plain.minDetectionConfidence == 0.5 && plain.minSuppressionThreshold == 0.3)
    let faces = try withBase(FaceDetectorOptions()) {
      ($0.runningMode, $0.minDetectionConfidence, $0.minSuppressionThreshold) = (.video, 0.25, 0.75)
    }.values()
    #expect(faces.minDetectionConfidence == 0.25)
    #expect(faces.minSuppressionThreshold == 0.75)
    for (l2Normalize, quantize) in [(false, false), (true, false), (false, true)] {
      let embedder = try withBase(ImageEmbedderOptions()) {
        ($0.runningMode, $0.l2Normalize, $0.quantize) = (.video, l2Normalize, quantize)
      }.values()
      #expect(embedder.baseOptions.model == .file("/m.tflite"))
      #expect(embedder.normalizesEmbedding == l2Normalize && embedder.quantizesEmbedding == quantize)
    }
  }

  @Test("of segmenters", arguments: [(true, false), (false, true), (true, true)])
  func segmenters(confidence: Bool, category: Bool) throws {
    let image = try withBase(ImageSegmenterOptions()) {
      ($0.runningMode, $0.displayNamesLocale) = (.video, "de")
      ($0.shouldOutputConfidenceMasks, $0.shouldOutputCategoryMask) = (confidence, category)
    }.values()
    #expect(image.baseOptions.threads == 3 && image.displayNamesLocale == "de")
    #expect(image.outputs.contains(.confidenceMasks) == confidence && image.outputs.contains(.categoryMask) == category)
    let legacy = withBase(InteractiveSegmenterLegacyOptions()) {
      $0.displayNamesLocale = "fr"
      ($0.shouldOutputConfidenceMasks, $0.shouldOutputCategoryMask) = (confidence, category)
    }
    let interactive = try legacy.values()
    #expect(interactive.baseOptions.threads == 3 && interactive.displayNamesLocale == "fr")
    #expect(interactive.outputs == image.outputs)
    let copy = try #require(legacy.copy() as? InteractiveSegmenterLegacyOptions)
    #expect(copy.baseOptions.modelAssetPath == "/m.tflite" && copy.displayNamesLocale == "fr")
    #expect(copy.shouldOutputConfidenceMasks == confidence && copy.shouldOutputCategoryMask == category)
    let plain = InteractiveSegmenterLegacyOptions()
    #expect(plain.displayNamesLocale == "en" && plain.shouldOutputConfidenceMasks && !plain.shouldOutputCategoryMask)
    (plain.shouldOutputConfidenceMasks, plain.shouldOutputCategoryMask) = (false, false)
    #expect(throws: TasksFailure.self) { try plain.values() }
  }

  @Test("of hand landmarkers and gesture recognizers")
  func hands() throws {
    let hands = try withBase(HandLandmarkerOptions()) {
      ($0.runningMode, $0.numHands, $0.minHandDetectionConfidence) = (.video, 4, 0.125)
      ($0.minHandPresenceConfidence, $0.minTrackingConfidence) = (0.25, 0.75)
    }.values()
    #expect(hands.baseOptions.threads == 3 && hands.maxHands == 4)
    #expect(hands.minDetectionConfidence == 0.125 && hands.minPresenceConfidence == 0.25)
    #expect(hands.minTrackingConfidence == 0.75)
    let options = withBase(GestureRecognizerOptions()) {
      ($0.runningMode, $0.numHands, $0.minHandDetectionConfidence) = (.video, 4, 0.125)
      ($0.minHandPresenceConfidence, $0.minTrackingConfidence) = (0.25, 0.75)
    }
    let plain = try options.values()
    #expect(plain.baseOptions.threads == 3 && plain.maxHands == 4)
    #expect(plain.minDetectionConfidence == 0.125 && plain.minPresenceConfidence == 0.25)
    #expect(plain.minTrackingConfidence == 0.75)
    for classifier in [plain.cannedGestures, plain.customGestures] {
      #expect(classifier.displayNamesLocale == "en" && classifier.maxResults == nil && classifier.scoreThreshold == 0)
      #expect(classifier.categoryAllowlist.isEmpty && classifier.categoryDenylist.isEmpty)
    }
    let classifier = ClassifierOptions()
    (classifier.displayNamesLocale, classifier.maxResults, classifier.scoreThreshold) = ("de", 1, 0.25)
    (classifier.categoryAllowlist, classifier.categoryDenylist) = (["a"], ["b"])
    options.cannedGesturesClassifierOptions = classifier
    classifier.displayNamesLocale = "fr"
    options.customGesturesClassifierOptions = classifier
    let full = try options.values()
    #expect(full.cannedGestures.displayNamesLocale == "de" && full.customGestures.displayNamesLocale == "fr")
    for gestures in [full.cannedGestures, full.customGestures] {
      #expect(gestures.maxResults == 1 && gestures.scoreThreshold == 0.25)
      #expect(gestures.categoryAllowlist == ["a"] && gestures.categoryDenylist == ["b"])
    }
  }

  @Test("of pose landmarkers", arguments: [(false, true), (true, false)])
  func poses(masks: Bool, rotation: Bool) throws {
    let plain = PoseLandmarkerOptions()
    #expect(plain.runningMode == .image && plain.poseLandmarkerLiveStreamDelegate == nil && plain.numPoses == 1)
    #expect(plain.minPoseDetectionConfidence == 0.5 && plain.minPosePresenceConfidence == 0.5)
    #expect(plain.minTrackingConfidence == 0.5 && !plain.shouldOutputSegmentationMasks)
    #expect(!plain.keepsMediaPipeRotation)
    let options = withBase(PoseLandmarkerOptions()) {
      ($0.runningMode, $0.numPoses, $0.minPoseDetectionConfidence) = (.video, 4, 0.125)
      ($0.minPosePresenceConfidence, $0.minTrackingConfidence) = (0.25, 0.75)
      ($0.shouldOutputSegmentationMasks, $0.keepsMediaPipeRotation) = (masks, rotation)
    }
    let poses = try options.values()
    #expect(poses.baseOptions.threads == 3 && poses.maxPoses == 4)
    #expect(poses.minDetectionConfidence == 0.125 && poses.minPresenceConfidence == 0.25)
    #expect(poses.minTrackingConfidence == 0.75 && poses.outputs == (masks ? .segmentationMasks : []))
    #expect(poses.hasMediaPipeRotation == rotation)
    let copy = try #require(options.copy() as? PoseLandmarkerOptions)
    #expect(copy.baseOptions.modelAssetPath == "/m.tflite" && copy.runningMode == .video && copy.numPoses == 4)
    #expect(copy.minPoseDetectionConfidence == 0.125 && copy.minPosePresenceConfidence == 0.25)
    #expect(copy.minTrackingConfidence == 0.75 && copy.shouldOutputSegmentationMasks == masks)
    #expect(copy.keepsMediaPipeRotation == rotation && copy.poseLandmarkerLiveStreamDelegate == nil)
  }

  @Test("of face landmarkers", arguments: [(false, true), (true, false)])
  func faces(blendshapes: Bool, matrices: Bool) throws {
    let plain = FaceLandmarkerOptions()
    #expect(plain.runningMode == .image && plain.faceLandmarkerLiveStreamDelegate == nil && plain.numFaces == 1)
    #expect(plain.minFaceDetectionConfidence == 0.5 && plain.minFacePresenceConfidence == 0.5)
    #expect(plain.minTrackingConfidence == 0.5)
    #expect(!plain.outputFaceBlendshapes && !plain.outputFacialTransformationMatrixes)
    let options = withBase(FaceLandmarkerOptions()) {
      ($0.runningMode, $0.numFaces, $0.minFaceDetectionConfidence) = (.video, 4, 0.125)
      ($0.minFacePresenceConfidence, $0.minTrackingConfidence) = (0.25, 0.75)
      ($0.outputFaceBlendshapes, $0.outputFacialTransformationMatrixes) = (blendshapes, matrices)
    }
    let faces = try options.values()
    #expect(faces.baseOptions.threads == 3 && faces.maxFaces == 4)
    #expect(faces.minDetectionConfidence == 0.125 && faces.minPresenceConfidence == 0.25)
    #expect(faces.minTrackingConfidence == 0.75 && faces.outputs.contains(.blendshapes) == blendshapes)
    #expect(faces.outputs.contains(.transformationMatrices) == matrices)
    let copy = try #require(options.copy() as? FaceLandmarkerOptions)
    #expect(copy.baseOptions.modelAssetPath == "/m.tflite" && copy.runningMode == .video && copy.numFaces == 4)
    #expect(copy.minFaceDetectionConfidence == 0.125 && copy.minFacePresenceConfidence == 0.25)
    #expect(copy.minTrackingConfidence == 0.75 && copy.outputFaceBlendshapes == blendshapes)
    #expect(copy.outputFacialTransformationMatrixes == matrices)
  }

  @Test("of holistic landmarkers", arguments: 0..<3)
  func holistic(flag: Int) throws {
    let plain = HolisticLandmarkerOptions()
    #expect(plain.runningMode == .image && plain.holisticLandmarkerLiveStreamDelegate == nil)
    #expect(plain.minFaceDetectionConfidence == 0.5 && plain.minFaceSuppressionThreshold == 0.3)
    #expect(plain.minFacePresenceConfidence == 0.5 && plain.minPoseDetectionConfidence == 0.5)
    #expect(plain.minPoseSuppressionThreshold == 0.3 && plain.minPosePresenceConfidence == 0.5)
    #expect(plain.minHandLandmarksConfidence == 0.5 && !plain.outputFaceBlendshapes)
    #expect(!plain.outputPoseSegmentationMasks && !plain.keepsStateBetweenImages)
    let options = withBase(HolisticLandmarkerOptions()) {
      $0.runningMode = .video
      ($0.minFaceDetectionConfidence, $0.minFaceSuppressionThreshold) = (0.125, 0.25)
      ($0.minFacePresenceConfidence, $0.minPoseDetectionConfidence) = (0.375, 0.625)
      ($0.minPoseSuppressionThreshold, $0.minPosePresenceConfidence) = (0.75, 0.875)
      $0.minHandLandmarksConfidence = 0.0625
      ($0.outputFaceBlendshapes, $0.outputPoseSegmentationMasks) = (flag == 0, flag == 1)
      $0.keepsStateBetweenImages = flag == 2
    }
    let values = try options.values()
    #expect(values.baseOptions.threads == 3)
    #expect(values.minFaceDetectionConfidence == 0.125 && values.minFaceSuppressionThreshold == 0.25)
    #expect(values.minFacePresenceConfidence == 0.375 && values.minPoseDetectionConfidence == 0.625)
    #expect(values.minPoseSuppressionThreshold == 0.75 && values.minPosePresenceConfidence == 0.875)
    #expect(values.minHandLandmarksConfidence == 0.0625 && values.outputs.contains(.blendshapes) == (flag == 0))
    #expect(values.outputs.contains(.segmentationMask) == (flag == 1))
    let copy = try #require(options.copy() as? HolisticLandmarkerOptions)
    #expect(copy.baseOptions.modelAssetPath == "/m.tflite" && copy.runningMode == .video)
    #expect(copy.minFaceDetectionConfidence == 0.125 && copy.minFaceSuppressionThreshold == 0.25)
    #expect(copy.minFacePresenceConfidence == 0.375 && copy.minPoseDetectionConfidence == 0.625)
    #expect(copy.minPoseSuppressionThreshold == 0.75 && copy.minPosePresenceConfidence == 0.875)
    #expect(copy.minHandLandmarksConfidence == 0.0625 && copy.outputFaceBlendshapes == (flag == 0))
    #expect(copy.outputPoseSegmentationMasks == (flag == 1) && copy.keepsStateBetweenImages == (flag == 2))
  }

  private final class Listener: PoseLandmarkerLiveStreamDelegate, FaceLandmarkerLiveStreamDelegate,
    HolisticLandmarkerLiveStreamDelegate
  {
    func poseLandmarker(
      _ poseLandmarker: PoseLandmarker, didFinishDetection result: PoseLandmarkerResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) {}
    func faceLandmarker(
      _ faceLandmarker: FaceLandmarker, didFinishDetection result: FaceLandmarkerResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) {}
    func holisticLandmarker(
      _ holisticLandmarker: HolisticLandmarker, didFinishDetection result: HolisticLandmarkerResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) {}
  }

  @Test("of listeners are copied")
  func listeners() {
    let listener = Listener()
    let poses = PoseLandmarkerOptions()
    poses.poseLandmarkerLiveStreamDelegate = listener
    #expect((poses.copy() as? PoseLandmarkerOptions)?.poseLandmarkerLiveStreamDelegate === listener)
    let faces = FaceLandmarkerOptions()
    faces.faceLandmarkerLiveStreamDelegate = listener
    #expect((faces.copy() as? FaceLandmarkerOptions)?.faceLandmarkerLiveStreamDelegate === listener)
    let holistic = HolisticLandmarkerOptions()
    holistic.holisticLandmarkerLiveStreamDelegate = listener
    #expect((holistic.copy() as? HolisticLandmarkerOptions)?.holisticLandmarkerLiveStreamDelegate === listener)
  }

  @Test("of landmarkers are at least one, and confidences valid", arguments: [-0.001, 0, 1, 1.001] as [Float], [0, 1])
  func limits(presence: Float, count: Int) {
    let failure = {
      () -> TasksFailure? in
      do throws(TasksFailure) {
        try LandmarkOptionCheck.check(count: count, presence: presence)
        return nil
      } catch {
        return error
      }
    }()
    let words =
      count == 0
      ? "INVALID_ARGUMENT: max_vec_size should be greater than or equal to 1."
      : (0...1).contains(presence)
        ? nil : "INVALID_ARGUMENT: Invalid `min_detection_confidence` option: value must be in the range [0.0, 1.0]"
    #expect(failure?.text == words && failure?.code == (words == nil ? nil : .invalidArgumentError))
  }

  @Test("require a listener only for live streams")
  func modes() {
    for (mode, isGiven, isRefused) in [
      (RunningMode.image, false, false), (.video, false, false), (.liveStream, true, false), (.image, true, true),
      (.video, true, true), (.liveStream, false, true),
    ] {
      let listener = isGiven ? Listener() : nil
      #expect((fails(TasksFailure.self) { try mode.requireDelegate(listener) }) == isRefused)
    }
  }

  private func fails<Failure: Error>(_ type: Failure.Type, _ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch {
      return error is Failure
    }
  }
}
