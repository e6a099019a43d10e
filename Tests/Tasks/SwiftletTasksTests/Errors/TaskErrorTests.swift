import Foundation
import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("TaskError")
struct TaskErrorTests {
  @Test("codes are extensible: each has a name, and a name creates a code")
  func codes() {
    let codes: [TaskError.Code] = [
      .modelNotFound, .unreadableModel, .invalidModel, .unsupportedModel, .missingMetadata, .invalidOption,
      .invalidArgument, .timeNotIncreasing, .invalidRegion, .invalidImage, .invalidAudio, .limitExceeded,
      .deadlineExceeded, .cancelled, .failed,
    ]
    #expect(Set(codes).count == 15 && Set(codes.map(\.rawValue)).count == 15)
    #expect(TaskError.Code(rawValue: "invalidRegion") == .invalidRegion && TaskError.Code.failed.rawValue == "failed")
    #expect(TaskError.invalidModel("a") == TaskError(.invalidModel, "a"))
  }

  @Test("shows its message and nothing else, in one line")
  func texts() {
    let error = TaskError(.modelNotFound, "no such\u{1B} file\n")
    #expect(error.description == error.message && error.localizedDescription == error.message)
    #expect(error.errorDescription == error.message)
    #expect(!error.message.unicodeScalars.contains { $0.value < 0x20 })
  }

  private struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  private struct Convertible: TaskErrorConvertible {
    var taskError: TaskError { TaskError(.invalidImage, "empty") }
  }

  static let foreign: [(any Error, TaskError)] = [
    (TaskError(.invalidRegion, "own"), TaskError(.invalidRegion, "own")),
    (RuntimeError(.limitExceeded, "large"), TaskError(.limitExceeded, "model: large")),
    (RuntimeError(.invalidArgument, "other"), TaskError(.invalidModel, "model: other")),
    (Convertible(), TaskError(.invalidImage, "model: empty")),
    (SchemaError(.missingMember, "no file"), TaskError(.missingMetadata, "model: no file")),
    (SchemaError(.malformed, "damaged"), TaskError(.invalidOption, "model: damaged")),
    (Fault(description: "unknown"), TaskError(.invalidOption, "model: unknown")),
  ]

  @Test("wraps errors of lower layers, and keeps task errors unchanged", arguments: foreign.indices)
  func wrapping(index: Int) throws {
    let (thrown, expected) = Self.foreign[index]
    let error: TaskError? = thrownError {
      try TaskError.wrapping(as: .invalidOption, missingMember: .missingMetadata, about: "model") {
        throw thrown
      }
    }
    #expect(error == expected)
    #expect(try TaskError.wrapping { 7 } == 7)
    let plain: TaskError? = thrownError { try TaskError.wrapping { throw CancellationError() } }
    #expect(plain?.code == .cancelled)
  }
}
