import SwiftletImage
import Testing

@testable import SwiftletVision

@Suite("Errors of images in tasks")
struct ImageErrorTests {
  @Test("become the task's invalid-image error, with their message")
  func wrapping() {
    let error = ImageError(code: .invalidRegion, message: "empty")
    #expect(error.localizedDescription == "empty")
    #expect(failure { try TaskError.wrapping { throw error } } == TaskError(.invalidImage, "empty"))
  }
}
