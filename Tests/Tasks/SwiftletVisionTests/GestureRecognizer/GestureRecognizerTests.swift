import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Gesture recognizer")
struct GestureRecognizerTests {
  private func makeImage() throws -> InputImage { try SyntheticHands.image([8: SyntheticHands.palm()]) }

  /// Returns the gesture of the hand, or `nil` if it has none.
  private func gesture(
    _ bundle: [UInt8] = SyntheticGestures.bundle(), _ change: (inout GestureRecognizerOptions) -> Void = { _ in }
  ) throws -> Gesture? {
    let hands = try SyntheticGestures.recognizer(bundle, change).gestures(in: makeImage())
    try #require(hands.count == 1)
    return hands[0].gesture
  }

  private func named(_ name: String, _ score: Float) -> Gesture {
    Gesture(name: name, score: score)
  }

  @Test("the best gesture has a name and a score")
  func best() throws { #expect(try gesture() == named("Fist", 0.5)) }

  @Test("hands equal those of a hand landmarker")
  func hands() throws {
    let hands = try SyntheticHands.landmarker().hands(in: makeImage())
    #expect(try SyntheticGestures.recognizer().gestures(in: makeImage()).map(\.hand) == hands)
    #expect(try SyntheticGestures.recognizer().gestures(in: SyntheticHands.image([:])).isEmpty)
  }

  @Test("options filter the gestures, and a hand without gestures is kept")
  func choices() throws {
    #expect(try gesture { $0.cannedGestures.categoryDenylist = ["Fist"] } == named("Thumb", 0.3))
    #expect(try gesture { $0.cannedGestures.categoryAllowlist = ["Thumb", "None"] } == named("Thumb", 0.3))
    #expect(try gesture { $0.cannedGestures.categoryDenylist = ["Fist", "Thumb"] } == named("None", 0.2))
    // The allowlist takes precedence.
    let both = try gesture {
      ($0.cannedGestures.categoryAllowlist, $0.cannedGestures.categoryDenylist) = (["Fist"], ["Fist"])
    }
    #expect(both == named("Fist", 0.5))
    #expect(try gesture { $0.cannedGestures.scoreThreshold = 0.5 } == named("Fist", 0.5))
    #expect(try gesture { $0.cannedGestures.scoreThreshold = 0.501 } == nil)
    #expect(try gesture { $0.cannedGestures.maxResults = 1 } == named("Fist", 0.5))
    #expect(try gesture { $0.customGestures.scoreThreshold = 1 } == named("Fist", 0.5))
  }

  @Test("gestures with a score of 0 or NaN are not reported")
  func emptyScores() throws {
    #expect(
      try gesture(SyntheticGestures.bundle(canned: SyntheticGestures.classifier(["None": 0, "Fist": -1]))) == nil)
    #expect(try gesture(SyntheticGestures.bundle(canned: SyntheticGestures.classifier(["None": .nan]))) == nil)
  }

  @Test("custom gestures come first, then the canned ones, and none last")
  func custom() throws {
    let own = SyntheticGestures.bundle(custom: SyntheticGestures.classifier(["None": 0.1, "Paper": 0.4]))
    #expect(try gesture(own) == named("Paper", 0.4))
    #expect(try gesture(own) { $0.customGestures.scoreThreshold = 0.5 } == named("Fist", 0.5))
    #expect(try gesture(own) { $0.customGestures.categoryDenylist = ["Paper"] } == named("Fist", 0.5))
    let none = SyntheticGestures.bundle(custom: SyntheticGestures.classifier(["None": 0.9, "Paper": 0.1]))
    #expect(try gesture(none) == named("Fist", 0.5))
    #expect(try gesture(none) { $0.cannedGestures.categoryAllowlist = ["None"] } == named("None", 0.9))
    #expect(try gesture(none) { $0.cannedGestures.scoreThreshold = 0.9 } == named("None", 0.9))
  }

  @Test("frames are tracked, and smoothed if requested")
  func video() throws {
    let recognizer = try SyntheticGestures.recognizer { $0.smoothing = .single }.video()
    let landmarker = try SyntheticHands.landmarker { $0.smoothing = .single }.video()
    for (index, frame) in try [makeImage(), SyntheticHands.image([:]), SyntheticHands.image([:])].enumerated() {
      let recognized = try recognizer.gestures(in: frame, at: .milliseconds(index))
      #expect(recognized.count == 1)
      #expect(try landmarker.hands(in: frame, at: .milliseconds(index)) == recognized.map(\.hand))
    }
  }

  @Test("out-of-range options are rejected by name")
  func ranges() {
    func message(_ change: (inout GestureRecognizerOptions) -> Void) -> String? {
      let error = taskError { _ = try SyntheticGestures.recognizer(SyntheticGestures.bundle(), change) }
      return error?.code == .invalidOption ? error?.message : error.map { "\($0.code)" }
    }
    #expect(message { $0.maxHands = 0 }?.hasPrefix("maxHands") == true)
    #expect(message { $0.minDetectionConfidence = 2 }?.hasPrefix("minDetectionConfidence") == true)
    #expect(message { $0.minPresenceConfidence = -1 }?.hasPrefix("minPresenceConfidence") == true)
    #expect(message { $0.minTrackingConfidence = 0 }?.hasPrefix("minTrackingConfidence") == true)
    #expect(message { $0.cannedGestures.maxResults = 0 }?.hasPrefix("maxResults") == true)
    #expect(message { $0.customGestures.maxResults = -1 }?.hasPrefix("maxResults") == true)
    #expect(message { $0.cannedGestures.scoreThreshold = .nan }?.hasPrefix("scoreThreshold") == true)
    #expect(message { _ in } == nil)
    let options = GestureRecognizerOptions(baseOptions: SyntheticHands.base())
    #expect(options.cannedGestures == GestureClassifierOptions() && options.maxHands == 1 && options.smoothing == .off)
  }

  @Test("an unsuitable bundle is rejected when the task is created, and the message names the member")
  func bundles() {
    func error(_ bundle: [UInt8]) -> String {
      taskError { _ = try SyntheticGestures.recognizer(bundle) }?.message ?? "accepted"
    }
    let (embedder, canned) = (
      "/hand_gesture_recognizer.task/gesture_embedder.tflite", "/canned_gesture_classifier.tflite"
    )
    #expect(error(SyntheticHands.bundle()).contains("/hand_landmarker.task"))
    #expect(error(SyntheticGestures.bundle(hands: [1, 2])).contains("/hand_landmarker.task/hand_detector.tflite"))
    #expect(error(SyntheticGestures.bundle(embedder: nil)).contains(embedder))
    #expect(error(SyntheticGestures.bundle(embedder: SyntheticGestures.canned)).contains(embedder))
    #expect(
      error(SyntheticGestures.bundle(embedder: SyntheticGestures.embedder(pointCount: 20))).contains("[63, 1, 63]"))
    #expect(
      error(SyntheticGestures.bundle(embedder: SyntheticGestures.embedder(handednessCount: 2))).contains(embedder))
    #expect(error(SyntheticGestures.bundle(canned: SyntheticGestures.embedder())).contains(canned))
    let narrow = error(SyntheticGestures.bundle(canned: SyntheticGestures.classifier(["None": 1], embeddingCount: 128)))
    #expect(narrow.contains(canned) && narrow.contains("127"))
    let nameless = error(SyntheticGestures.bundle(canned: SyntheticGestures.classifier(["None": 1], hasLabels: false)))
    #expect(nameless.contains(canned) && nameless.contains("labels"))
    #expect(error(SyntheticGestures.bundle(custom: [])).contains("/custom_gesture_classifier.tflite"))
  }
}
