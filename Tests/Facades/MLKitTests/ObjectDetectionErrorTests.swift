import Foundation
import MLKit
import Testing

@Suite("Errors of object detection")
struct ObjectDetectionErrorTests {
  @Test("have a domain, Abseil's codes, and the number of the rule that a model breaks")
  func errors() throws {
    let fixtures = try Fixtures()
    let options = CustomObjectDetectorOptions(localModel: fixtures.localizer)
    options.localizerModel = fixtures.localizer
    let unsuitable = try #require(detectionError { _ = try ObjectDetector.make(options: options) }) as NSError
    #expect(unsuitable.domain == "com.swiftlet.objectdetection" && unsuitable.code == 3)
    #expect(unsuitable.userInfo[ObjectDetectionError.detailKey] as? Int == 400)
    #expect(unsuitable.localizedDescription.hasSuffix("(400)"))
    #expect((ObjectDetectionError.missingLocalizerModel as NSError).code == 9)
    #expect((ObjectDetectionError.calledOnMainThread as NSError).code == 9)
    #expect((ObjectDetectionError.modelNotFound(path: "/no") as NSError).code == 5)
    #expect(ObjectDetectionError.modelNotFound(path: "/no").detail == .fileNotFound)
  }
}
