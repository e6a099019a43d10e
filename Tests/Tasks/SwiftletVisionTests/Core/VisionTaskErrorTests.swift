import Foundation
import Testing

@testable import SwiftletVision

@Suite("VisionTaskError")
struct VisionTaskErrorTests {
  @Test("is an error of the package's own domain, with numbers that differ")
  func domain() {
    #expect(VisionTaskError.errorDomain == "com.swiftlet.vision")
    let error = VisionTaskError(.wrongMode, "x") as NSError
    #expect(error.domain == "com.swiftlet.vision" && error.code == VisionTaskError.Code.wrongMode.rawValue)
    #expect(VisionTaskError.Code.allCases.map(\.rawValue) == Array(1...VisionTaskError.Code.allCases.count))
  }

  @Test("shows its message and nothing else, in one line")
  func texts() {
    let error = VisionTaskError(.modelNotFound, "no such\u{1B} file\n")
    #expect(error.description == error.message && error.localizedDescription == error.message)
    #expect(error.errorUserInfo[NSLocalizedDescriptionKey] as? String == error.message)
    #expect(!error.message.unicodeScalars.contains { $0.value < 0x20 })
  }
}
