import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Hand landmarks compared with MediaPipe", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
struct HandLandmarkerGoldenTests {
  @Test("images", arguments: GoldenTask.cases("hand"))
  func images(golden: GoldenTask) throws {
    let landmarker = try HandLandmarker(options: HandGolden.options(golden))
    let hands = try landmarker.hands(in: InputImage(golden.image(), orientation: golden.orientation))
    HandGolden.expect(hands, try golden.result().elements, .image, "")
  }

  @Test("sequences", arguments: GoldenTask.cases("hand", sequences: true))
  func sequences(golden: GoldenTask) throws {
    let video = try HandLandmarker(options: HandGolden.options(golden)).video()
    for (frame, expected) in zip(try golden.frames(), try golden.result().elements) {
      let hands = try video.hands(in: InputImage(frame.image), at: frame.time)
      HandGolden.expect(hands, expected["result"].elements, .video, "\(frame.time)")
    }
  }
}
