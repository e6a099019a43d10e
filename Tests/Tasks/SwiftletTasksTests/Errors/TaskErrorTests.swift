import Foundation
import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("TaskError")
struct TaskErrorTests {
  @Test("is an error of the package's own domain, with numbers that differ")
  func domain() {
    #expect(TaskError.errorDomain == "com.swiftlet.tasks")
    let error = TaskError(.wrongMode, "x") as NSError
    #expect(error.domain == "com.swiftlet.tasks" && error.code == TaskError.Code.wrongMode.rawValue)
    #expect(TaskError.Code.allCases.map(\.rawValue) == Array(1...TaskError.Code.allCases.count))
  }

  @Test("shows its message and nothing else, in one line")
  func texts() {
    let error = TaskError(.modelNotFound, "no such\u{1B} file\n")
    #expect(error.description == error.message && error.localizedDescription == error.message)
    #expect(error.errorUserInfo[NSLocalizedDescriptionKey] as? String == error.message)
    #expect(!error.message.unicodeScalars.contains { $0.value < 0x20 })
  }

  private struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  private struct Convertible: TaskErrorConvertible {
    var taskError: TaskError { TaskError(.invalidImage, "empty") }
  }

  static let foreign: [(any Error, TaskError)] = [
    (TaskError(.wrongMode, "own"), TaskError(.wrongMode, "own")),
    (RuntimeError(.limitExceeded, "large"), TaskError(.limitExceeded, "model: large")),
    (RuntimeError(.invalidArgument, "other"), TaskError(.invalidModel, "model: other")),
    (Convertible(), TaskError(.invalidImage, "model: empty")),
    (SchemaError(.missingMember, "no file"), TaskError(.missingMetadata, "model: no file")),
    (SchemaError(.malformed, "damaged"), TaskError(.invalidOption, "model: damaged")),
    (Fault(description: "unknown"), TaskError(.invalidOption, "model: unknown")),
  ]

  @Test("stands for the errors of what tasks are made of; its own stay as they are", arguments: foreign.indices)
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
