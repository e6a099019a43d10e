import Foundation
import SwiftletEngine
import SwiftletImage
import SwiftletSchema
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
    let image = ImageError(code: .invalidSize, message: "too large")
    #expect(image.localizedDescription == "too large")
  }

  static let foreign: [(any Error, VisionTaskError)] = [
    (VisionTaskError(.wrongMode, "own"), VisionTaskError(.wrongMode, "own")),
    (RuntimeError(.limitExceeded, "large"), VisionTaskError(.limitExceeded, "model: large")),
    (RuntimeError(.invalidArgument, "other"), VisionTaskError(.invalidModel, "model: other")),
    (ImageError(code: .invalidRegion, message: "empty"), VisionTaskError(.invalidImage, "model: empty")),
    (SchemaError(.missingMember, "no file"), VisionTaskError(.missingMetadata, "model: no file")),
    (SchemaError(.malformed, "damaged"), VisionTaskError(.invalidOption, "model: damaged")),
    (Fault("unknown"), VisionTaskError(.invalidOption, "model: unknown")),
  ]

  @Test("stands for the errors of what tasks are made of; its own stay as they are", arguments: foreign.indices)
  func wrapping(index: Int) throws {
    let (thrown, expected) = Self.foreign[index]
    let error = taskError {
      try VisionTaskError.wrapping(as: .invalidOption, missingMember: .missingMetadata, about: "model") {
        throw thrown
      }
    }
    #expect(error == expected)
    #expect(try VisionTaskError.wrapping { 7 } == 7)
    let plain = taskError { try VisionTaskError.wrapping { throw CancellationError() } }
    #expect(plain?.code == .cancelled)
  }
}
