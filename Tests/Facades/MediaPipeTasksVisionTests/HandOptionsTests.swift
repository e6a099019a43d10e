import Foundation
import MediaPipeTasksVision
import Testing

@Suite("Options of hands and gestures")
struct HandOptionsTests {
  private final class Delegates: HandLandmarkerLiveStreamDelegate, GestureRecognizerLiveStreamDelegate {}

  @Test("have MediaPipe's defaults")
  func defaults() {
    let hands = HandLandmarkerOptions()
    #expect(hands.runningMode == .image && hands.numHands == 1 && hands.handLandmarkerLiveStreamDelegate == nil)
    #expect(hands.minHandDetectionConfidence == 0.5 && hands.minHandPresenceConfidence == 0.5)
    #expect(hands.minTrackingConfidence == 0.5)
    let gestures = GestureRecognizerOptions()
    #expect(gestures.runningMode == .image && gestures.numHands == 1 && gestures.minTrackingConfidence == 0.5)
    #expect(gestures.minHandDetectionConfidence == 0.5 && gestures.minHandPresenceConfidence == 0.5)
    #expect(gestures.cannedGesturesClassifierOptions == nil && gestures.customGesturesClassifierOptions == nil)
    let classifier = ClassifierOptions()
    #expect(classifier.maxResults == -1 && classifier.scoreThreshold == 0 && classifier.displayNamesLocale == nil)
    #expect(classifier.categoryAllowlist == nil && classifier.categoryDenylist == nil)
  }

  @Test("are copied with class and delegate, and a separate base")
  func copies() throws {
    let delegates = Delegates()
    let hands = HandLandmarkerOptions()
    hands.baseOptions.modelAssetPath = "hands"
    hands.runningMode = .liveStream
    hands.handLandmarkerLiveStreamDelegate = delegates
    hands.numHands = 3
    hands.minHandDetectionConfidence = 0.25
    hands.minHandPresenceConfidence = 0.625
    hands.minTrackingConfidence = 0.75
    let copy = try #require(hands.copy() as? HandLandmarkerOptions)
    hands.baseOptions.modelAssetPath = "changed"
    #expect(copy.baseOptions.modelAssetPath == "hands" && copy.runningMode == .liveStream && copy.numHands == 3)
    #expect(copy.handLandmarkerLiveStreamDelegate === delegates && copy.minHandDetectionConfidence == 0.25)
    #expect(copy.minHandPresenceConfidence == 0.625 && copy.minTrackingConfidence == 0.75)
  }

  @Test("of gestures are copied, including their classifier options on assignment")
  func gestureCopies() throws {
    let delegates = Delegates()
    let classifier = ClassifierOptions()
    (classifier.displayNamesLocale, classifier.maxResults, classifier.scoreThreshold) = ("de", 2, 0.25)
    (classifier.categoryAllowlist, classifier.categoryDenylist) = (["a"], ["b"])
    let gestures = GestureRecognizerOptions()
    gestures.runningMode = .video
    gestures.gestureRecognizerLiveStreamDelegate = delegates
    gestures.numHands = 4
    gestures.minHandDetectionConfidence = 0.25
    gestures.minHandPresenceConfidence = 0.625
    gestures.minTrackingConfidence = 0.75
    gestures.cannedGesturesClassifierOptions = classifier
    gestures.customGesturesClassifierOptions = classifier
    classifier.maxResults = 9
    let copy = try #require(gestures.copy() as? GestureRecognizerOptions)
    gestures.customGesturesClassifierOptions?.maxResults = 8
    #expect(copy.runningMode == .video && copy.gestureRecognizerLiveStreamDelegate === delegates && copy.numHands == 4)
    #expect(copy.minHandDetectionConfidence == 0.25 && copy.minHandPresenceConfidence == 0.625)
    #expect(copy.minTrackingConfidence == 0.75)
    for options in [copy.cannedGesturesClassifierOptions, copy.customGesturesClassifierOptions] {
      #expect(options?.displayNamesLocale == "de" && options?.maxResults == 2 && options?.scoreThreshold == 0.25)
      #expect(options?.categoryAllowlist == ["a"] && options?.categoryDenylist == ["b"])
    }
    #expect((classifier.copy() as? ClassifierOptions)?.maxResults == 9)
  }

  private func text(_ body: () throws -> Void) -> String? {
    let error = failure(body)
    #expect(error == nil || error?.domain == "com.google.mediapipe.tasks")
    return error.map { "\($0.code) \($0.localizedDescription)" }
  }

  @Test("that MediaPipe rejects are rejected with its messages")
  func errors() {
    let count = "3 INVALID_ARGUMENT: max_vec_size should be greater than or equal to 1."
    let presence =
      "3 INVALID_ARGUMENT: Invalid `min_detection_confidence` option: value must be in the range [0.0, 1.0]"
    func hands(_ change: (HandLandmarkerOptions) -> Void) -> String? {
      let options = HandLandmarkerOptions()
      options.baseOptions.modelBytes = [1]
      change(options)
      return text { _ = try HandLandmarker(options: options) }
    }
    #expect(hands { $0.numHands = 0 } == count)
    #expect(hands { $0.minHandPresenceConfidence = 1.5 } == presence)
    #expect(hands { $0.minTrackingConfidence = 0 }?.hasPrefix("3 INVALID_ARGUMENT: minTrackingConfidence") == true)
    #expect(hands { $0.runningMode = .liveStream }?.contains("live stream mode. An object must be set") == true)
    func gestures(_ change: (GestureRecognizerOptions) -> Void) -> String? {
      let options = GestureRecognizerOptions()
      options.baseOptions.modelBytes = [1]
      change(options)
      return text { _ = try GestureRecognizer(options: options) }
    }
    #expect(gestures { $0.numHands = -1 } == count)
    #expect(gestures { $0.minHandPresenceConfidence = -0.5 } == presence)
    let none = ClassifierOptions()
    none.maxResults = 0
    let results = "3 INVALID_ARGUMENT: Invalid `max_results` option: value must be != 0."
    #expect(gestures { $0.cannedGesturesClassifierOptions = none } == results)
    #expect(gestures { $0.customGesturesClassifierOptions = none } == results)
    let file = "5 NOT_FOUND: Unable to open file at /nowhere/gestures.task"
    #expect(text { _ = try GestureRecognizer(modelPath: "/nowhere/gestures.task") } == file)
  }

  @Test("a missing bundle member is reported with MediaPipe's message")
  func missingMember() {
    // An empty archive.
    let options = HandLandmarkerOptions()
    options.baseOptions.modelBytes = [0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18)
    let found = text { _ = try HandLandmarker(options: options) }
    #expect(
      found
        == "5 NOT_FOUND: No file with name: hand_detector.tflite. All files in the model asset bundle are: .",
      "\(found ?? "")")
  }
}
