import Foundation
import Testing

@testable import SwiftletVision

@Suite("Task errors")
struct VisionTaskErrorTests {
  @Test("have MediaPipe's domain and codes")
  func domainAndCodes() {
    #expect(VisionTaskError.errorDomain == "com.google.mediapipe.tasks")
    #expect(VisionTaskError.invalid("x").errorCode == 3)
    #expect(VisionTaskError(.notFound, "x").errorCode == 5)
    #expect(VisionTaskError(.permissionDenied, "x").errorCode == 7)
    #expect(VisionTaskError(.unauthenticated, "x").errorCode == 16)
  }

  @Test("name the code before the text, but for errors in the use of the interface")
  func texts() {
    let error = VisionTaskError(.notFound, "no such file")
    #expect(error.description == "NOT_FOUND: no such file")
    #expect(error.localizedDescription == error.description)
    let misuse = VisionTaskError.misuse("wrong mode")
    #expect(misuse.code == .invalidArgument)
    #expect(misuse.description == "wrong mode")
    #expect(misuse.errorUserInfo[NSLocalizedDescriptionKey] as? String == "wrong mode")
    #expect(misuse != VisionTaskError.invalid("wrong mode"))
  }
}
