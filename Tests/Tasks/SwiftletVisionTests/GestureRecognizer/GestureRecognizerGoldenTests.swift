import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Gestures beside MediaPipe's", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
struct GestureRecognizerGoldenTests {
  private func recognizer(_ golden: GoldenTask, _ mode: RunningMode) throws -> GestureRecognizer {
    let hands = try HandGolden.options(golden, mode)
    func classifier(_ options: GoldenValue) -> GestureClassifierOptions {
      GestureClassifierOptions(
        maxResults: options["max_results"].int, scoreThreshold: options["score_threshold"].float ?? 0,
        categoryAllowlist: options["category_allowlist"].elements.compactMap(\.string),
        categoryDenylist: options["category_denylist"].elements.compactMap(\.string))
    }
    return try GestureRecognizer(
      options: GestureRecognizerOptions(
        baseOptions: hands.baseOptions, runningMode: mode, maxHands: hands.maxHands,
        cannedGestures: classifier(golden.options["canned"]), customGestures: classifier(golden.options["custom"])))
  }

  /// MediaPipe gives nothing at all where no hand has a gesture.
  private func expect(
    _ result: GestureRecognizerResult, _ golden: [GoldenValue], _ tolerance: HandGolden.Tolerance, score: Float
  ) {
    let isEmpty = result.hands.allSatisfy(\.gestures.isEmpty)
    #expect(isEmpty == golden.isEmpty)
    guard !isEmpty else { return }
    HandGolden.expect(result.hands.map(\.hand), golden, tolerance, "\(result.timestamp)")
    for (hand, golden) in zip(result.hands, golden) {
      let expected = golden["gestures"].elements
      #expect(hand.gestures.count == expected.count)
      for (gesture, expected) in zip(hand.gestures, expected) {
        #expect(gesture.categoryName == expected["name"].string && gesture.index == expected["index"].int)
        #expect(gesture.displayName == expected["display_name"].string)
        let difference = abs(gesture.score - (expected["score"].float ?? -1))
        #expect(difference <= score, "\(result.timestamp): \(difference)")
      }
    }
  }

  @Test("pictures", arguments: GoldenTask.cases("gesture"))
  func pictures(golden: GoldenTask) throws {
    let image = MPImage(try golden.picture(), orientation: golden.orientation)
    let result = try recognizer(golden, .image).recognize(image)
    expect(result, try golden.result().elements, .picture, score: 1e-4)
    // The hand is there, whatever becomes of its gesture.
    let name = golden.description
    #expect(result.hands.isEmpty == (name == "none"))
  }

  @Test("sequences", arguments: GoldenTask.cases("gesture", sequences: true))
  func sequences(golden: GoldenTask) throws {
    let recognizer = try recognizer(golden, .video)
    for (frame, expected) in zip(try golden.frames(), try golden.result().elements) {
      expect(
        try recognizer.recognize(MPImage(frame.image), at: frame.time), expected["result"].elements, .video,
        score: 5e-4)
    }
  }
}
