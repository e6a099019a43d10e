import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("MediaPipe's published classification results", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
struct ClassificationAcceptanceTests {
  @Test("the quantized MobileNet detects a cheeseburger")
  func quantizedMobileNet() throws {
    let classifier = try ImageClassifier(
      options: ImageClassifierOptions(
        baseOptions: AcceptanceData.base("classification/mobilenet_v1_0.25_224_quant.tflite"), maxResults: 1))
    let result = try classifier.classification(of: try AcceptanceData.image("burger.jpg"))
    let head = try #require(result.heads.first)
    #expect(result.heads.count == 1)
    #expect(head.categories.count == 1)
    let best = try #require(head.categories.first)
    #expect(best.index == 934 && best.categoryName == "cheeseburger" && best.displayName == nil)
    #expect(abs(best.score - 0.97265625) < 1e-6)
  }
}
