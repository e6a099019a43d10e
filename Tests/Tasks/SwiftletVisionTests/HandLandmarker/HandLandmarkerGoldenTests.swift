import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Hands beside MediaPipe's", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
struct HandLandmarkerGoldenTests {
  @Test("pictures", arguments: GoldenTask.cases("hand"))
  func pictures(golden: GoldenTask) throws {
    let landmarker = try HandLandmarker(options: HandGolden.options(golden, .image))
    let hands = try landmarker.detect(MPImage(golden.picture(), orientation: golden.orientation)).hands
    HandGolden.expect(hands, try golden.result().elements, .picture, "")
  }

  @Test("sequences", arguments: GoldenTask.cases("hand", sequences: true))
  func sequences(golden: GoldenTask) throws {
    let landmarker = try HandLandmarker(options: HandGolden.options(golden, .video))
    for (frame, expected) in zip(try golden.frames(), try golden.result().elements) {
      let result = try landmarker.detect(MPImage(frame.image), at: frame.time)
      #expect(result.timestamp == frame.time)
      HandGolden.expect(result.hands, expected["result"].elements, .video, "\(frame.time)")
    }
  }
}
