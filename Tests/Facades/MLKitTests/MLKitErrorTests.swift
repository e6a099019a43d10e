import Foundation
import MLKit
import Testing

@Suite("Errors of ML Kit's classes")
struct MLKitErrorTests {
  @Test("have a domain, Abseil's codes, and the number of the broken model rule")
  func errors() throws {
    let fixtures = try Fixtures()
    let options = CustomObjectDetectorOptions(localModel: fixtures.localizer)
    options.localizerModel = fixtures.localizer
    let unsuitable = try #require(mlKitError { _ = try ObjectDetector.make(options: options) }) as NSError
    #expect(unsuitable.domain == "com.swiftlet.mlkit" && unsuitable.code == 3)
    #expect(unsuitable.userInfo[MLKitError.detailKey] as? Int == 400)
    #expect(unsuitable.localizedDescription.hasSuffix("(400)"))
    #expect((MLKitError.calledOnMainThread as NSError).code == 9)
    #expect((MLKitError.modelNotFound(path: "/no") as NSError).code == 5)
    #expect(MLKitError.modelNotFound(path: "/no").detail == .fileNotFound)
  }
}
