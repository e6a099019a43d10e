import Foundation
import SwiftletEngine
import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable @_spi(Facades) import SwiftletTasks

@Suite("Propagated errors of tasks")
struct TaskErrorMappingTests {
  private func wrapped(_ error: any Error, as code: TaskError.Code = .failed, about subject: String? = nil)
    -> TaskError?
  {
    thrownError { try TaskError.wrapping(as: code, about: subject) { throw error } }
  }

  @Test(
    "engine codes map to task codes",
    arguments: [
      (RuntimeError.Code.unreadableFile, TaskError.Code.unreadableModel), (.unsupportedOperators, .unsupportedModel),
      (.limitExceeded, .limitExceeded), (.deadlineExceeded, .deadlineExceeded), (.invalidModel, .invalidModel),
      (.invalidArgument, .invalidModel), (.typeMismatch, .invalidModel), (.invalidInput, .invalidModel),
    ])
  func runtimeErrors(code: RuntimeError.Code, expected: TaskError.Code) {
    // The caller's code only applies to unknown errors.
    let error = wrapped(RuntimeError(code, "what happened"), as: .invalidOption)
    #expect(error?.code == expected && error?.message.contains("what happened") == true)
    #expect(error?.cause == nil)
  }

  @Test(
    "unreadable files are distinguished",
    arguments: [
      (FileError.Code.notFound, TaskError.Code.modelNotFound, TaskError.Cause.missingFile(path: "/x")),
      (.permissionDenied, .unreadableModel, .forbiddenFile), (.notAFile, .unreadableModel, nil),
      (.empty, .unreadableModel, nil), (.tooLarge, .unreadableModel, nil), (.unreadable, .unreadableModel, nil),
    ] as [(FileError.Code, TaskError.Code, TaskError.Cause?)])
  func fileErrors(code: FileError.Code, expected: TaskError.Code, cause: TaskError.Cause?) {
    let file = FileError(code: code, message: "the file", path: "/x")
    for error in [wrapped(file), wrapped(RuntimeError(.unreadableFile, "the model", underlying: file))] {
      #expect(error?.code == expected && error?.message == "the file" && error?.cause == cause)
    }
  }

  @Test("a subject precedes the message, except for a task error")
  func subjects() {
    #expect(wrapped(CancellationError(), about: "model")?.message.hasPrefix("model: the task that waits") == true)
    #expect(wrapped(CancellationError())?.code == .cancelled)
    let own = TaskError(.invalidRegion, "own")
    #expect(wrapped(own, about: "model") == own)
  }

  @Test("a missing member has a separate code")
  func missingMember() {
    let missing = SchemaError(.missingMember, "none")
    let own: TaskError? = thrownError {
      try TaskError.wrapping(as: .invalidModel, missingMember: .missingMetadata) { throw missing }
    }
    #expect(own?.code == .missingMetadata)
    #expect(wrapped(missing, as: .invalidModel)?.code == .invalidModel)
    let other: TaskError? = thrownError {
      try TaskError.wrapping(as: .invalidModel, missingMember: .missingMetadata) { throw SchemaError(.malformed, "x") }
    }
    #expect(other?.code == .invalidModel)
  }

  @Test("an error names the model once")
  func naming() {
    let source = ModelSource.file("/a/model.tflite")
    func named(_ message: String) -> TaskError? {
      thrownError { try TaskError.naming(source) { () throws(TaskError) -> Int in throw TaskError(.failed, message) } }
    }
    #expect(named("broken") == TaskError(.failed, "/a/model.tflite: broken"))
    #expect(named("/a/model.tflite is broken") == TaskError(.failed, "/a/model.tflite is broken"))
    #expect((try? TaskError.naming(source) { () throws(TaskError) in 5 }) == 5)
  }

  @Test("an error keeps its cause")
  func causes() {
    let error = TaskError(.invalidAudio, "m", .sampleRate(8000, expected: 16_000))
    #expect(error.code == .invalidAudio && error.message == "m")
    #expect(error.cause == .sampleRate(8000, expected: 16_000))
    #expect(error != TaskError(.invalidAudio, "m"))
  }
}
