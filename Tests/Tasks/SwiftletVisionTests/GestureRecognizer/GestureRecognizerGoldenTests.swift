import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Gestures compared with MediaPipe", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
struct GestureRecognizerGoldenTests {
  private func recognizer(_ golden: GoldenTask) throws -> GestureRecognizer {
    let hands = try HandGolden.options(golden)
    func classifier(_ options: GoldenValue) -> GestureClassifierOptions {
      GestureClassifierOptions(
        maxResults: options["max_results"].int, scoreThreshold: options["score_threshold"].float ?? 0,
        categoryAllowlist: options["category_allowlist"].elements.compactMap(\.string),
        categoryDenylist: options["category_denylist"].elements.compactMap(\.string))
    }
    return try GestureRecognizer(
      options: GestureRecognizerOptions(
        baseOptions: hands.baseOptions, maxHands: hands.maxHands,
        cannedGestures: classifier(golden.options["canned"]), customGestures: classifier(golden.options["custom"])))
  }

  /// Compares the results. MediaPipe returns an empty result if no hand has a gesture.
  private func expect(
    _ hands: [RecognizedHand], _ golden: [GoldenValue], _ tolerance: HandGolden.Tolerance, score: Float,
    _ comment: String = ""
  ) {
    let isEmpty = hands.allSatisfy { $0.gesture == nil }
    #expect(isEmpty == golden.isEmpty)
    guard !isEmpty else { return }
    HandGolden.expect(hands.map(\.hand), golden, tolerance, comment)
    for (hand, golden) in zip(hands, golden) {
      let expected = golden["gestures"].elements
      #expect((hand.gesture == nil ? 0 : 1) == expected.count)
      guard let gesture = hand.gesture, let expected = expected.first else { continue }
      #expect(gesture.name == expected["name"].string)
      let difference = abs(gesture.score - (expected["score"].float ?? -1))
      #expect(difference <= score, "\(comment): \(difference)")
    }
  }

  @Test("images", arguments: GoldenTask.cases("gesture"))
  func images(golden: GoldenTask) throws {
    let image = InputImage(try golden.image(), orientation: golden.orientation)
    let hands = try recognizer(golden).gestures(in: image)
    expect(hands, try golden.result().elements, .image, score: 1e-4)
    // The hand is detected, whatever its gesture.
    let name = golden.description
    #expect(hands.isEmpty == (name == "none"))
  }

  @Test("sequences", arguments: GoldenTask.cases("gesture", sequences: true))
  func sequences(golden: GoldenTask) throws {
    let video = try recognizer(golden).video()
    for (frame, expected) in zip(try golden.frames(), try golden.result().elements) {
      expect(
        try video.gestures(in: InputImage(frame.image), at: frame.time), expected["result"].elements, .video,
        score: 5e-4, "\(frame.time)")
    }
  }
}
