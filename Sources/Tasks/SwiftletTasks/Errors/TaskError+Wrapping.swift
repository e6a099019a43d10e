import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// An error of a module that tasks are built on, such as that of pictures.
package protocol TaskErrorConvertible: Error {
  /// The error as a task reports it.
  var taskError: TaskError { get }
}

extension TaskError {
  /// What `body` gives; whatever it throws becomes a task's error.
  ///
  /// - Parameters:
  ///   - code: the code of errors that no task, engine, file or picture has thrown.
  ///   - missingMember: the code when an archive lacks a file; `nil` for `code`.
  ///   - subject: what stands before the message of an error that is not a task's own, such as a file's name.
  package static func wrapping<Value>(
    as code: Code = .failed, missingMember: Code? = nil, about subject: String? = nil,
    _ body: () throws -> Value
  ) throws(TaskError) -> Value {
    do {
      return try body()
    } catch let error as TaskError {
      throw error
    } catch {
      var known = TaskError(foreign: error, as: code, missingMember: missingMember ?? code)
      if let subject { known.message = "\(subject.excerpt): \(known.message)" }
      throw known
    }
  }

  /// Creates the error as a task reports it.
  package init(wrapping error: any Error) {
    self = error as? TaskError ?? TaskError(foreign: error, as: .failed, missingMember: .failed)
  }

  private init(foreign error: any Error, as code: Code, missingMember: Code) {
    switch error {
    case let error as RuntimeError: self.init(error)
    case let error as FileError: self.init(error)
    case let error as any TaskErrorConvertible: self = error.taskError
    case let error as SchemaError where error.code == .missingMember: self.init(missingMember, "\(error)")
    case let error as SchemaError where error.code == .deadlineExceeded: self.init(.deadlineExceeded, "\(error)")
    case let error as SchemaError where error.code == .cancelled: self.init(.cancelled, "\(error)")
    case let error as CallEnded: self.init(error)
    case is CancellationError: self.init(.cancelled, CallEnded.cancelled.description)
    default: self.init(code, "\(error)")
    }
  }

  /// The engine's error as a task's.
  init(_ error: RuntimeError) {
    switch error.code {
    case .unreadableFile:
      guard let file = error.underlying as? FileError else {
        self.init(.unreadableModel, "\(error)")
        return
      }
      self.init(file)
    case .unsupportedOperators: self.init(.unsupportedModel, "\(error)")
    case .limitExceeded: self.init(.limitExceeded, "\(error)")
    case .deadlineExceeded: self.init(.deadlineExceeded, "\(error)")
    case .cancelled: self.init(.cancelled, "\(error)")
    default: self.init(.invalidModel, "\(error)")
    }
  }

  /// The call ended before its work was done.
  init(_ ended: CallEnded) {
    switch ended {
    case .deadlineExceeded: self.init(.deadlineExceeded, ended.description)
    case .cancelled: self.init(.cancelled, ended.description)
    }
  }

  private init(_ error: FileError) {
    switch error.code {
    case .notFound: self.init(.modelNotFound, error.message, .missingFile(path: error.path))
    case .permissionDenied: self.init(.unreadableModel, error.message, .forbiddenFile)
    default: self.init(.unreadableModel, error.message)
    }
  }
}
