package import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// An error of a task on images, audio, or text.
///
/// ```swift
/// } catch let error where error.code == .modelNotFound { … }
/// ```
public struct TaskError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error, to branch on. Future versions may add codes.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name of the code.
    public let rawValue: String
    /// Creates a code with the given name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file, or the member of a bundle, does not exist.
    public static let modelNotFound = Code(rawValue: "modelNotFound")
    /// The file exists but cannot be read.
    public static let unreadableModel = Code(rawValue: "unreadableModel")
    /// The file is not a model, is damaged, or is not a model of this task.
    public static let invalidModel = Code(rawValue: "invalidModel")
    /// The model has operators that the engine does not support.
    public static let unsupportedModel = Code(rawValue: "unsupportedModel")
    /// The model's metadata is incomplete: it lacks input normalization, or a file that it refers to.
    public static let missingMetadata = Code(rawValue: "missingMetadata")
    /// An option is out of its range, or options contradict each other.
    public static let invalidOption = Code(rawValue: "invalidOption")
    /// An argument of a call that does not run the model is invalid.
    public static let invalidArgument = Code(rawValue: "invalidArgument")
    /// The timestamp of a frame is not later than the timestamp of the previous frame.
    public static let timeNotIncreasing = Code(rawValue: "timeNotIncreasing")
    /// The region of interest has no area.
    public static let invalidRegion = Code(rawValue: "invalidRegion")
    /// The pixels of the image cannot be used, or cannot be cut out as requested.
    public static let invalidImage = Code(rawValue: "invalidImage")
    /// The audio samples cannot be used, or their file cannot be read.
    public static let invalidAudio = Code(rawValue: "invalidAudio")
    /// A limit on memory, size, or work was exceeded.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// Loading or a run took longer than the options allow.
    public static let deadlineExceeded = Code(rawValue: "deadlineExceeded")
    /// The task that waits for the result was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// Any other failure.
    public static let failed = Code(rawValue: "failed")
  }

  /// Details of an error, from which facades derive another library's code and message.
  @_spi(Facades)
  public enum Cause: Sendable, Hashable {
    /// There is no file at the path.
    case missingFile(path: String)
    /// The process has no permission to read the file.
    case forbiddenFile
    /// A bundle has no member with the given name; `others` lists its members.
    case missingMember(name: String, others: [String])
    /// A classification model violates the requirement with this number in TFLite Support.
    case brokenRule(Int)
    /// The sample rates of a block of audio and of the stream that it belongs to, in hertz.
    case sampleRate(Double, expected: Double)
  }

  /// The code of the error, to branch on.
  public var code: Code
  /// A message that describes the problem, its location, the expected and actual values, and a fix; one line without
  /// control characters.
  public var message: String
  /// The details of the error, if facades need them.
  @_spi(Facades)
  public var cause: Cause?

  /// Creates an error with a code, and a message that describes the problem and a fix.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message.sanitized
  }

  /// Creates an error with details for facades.
  @_spi(Facades)
  public init(_ code: Code, _ message: String, _ cause: Cause) {
    self.init(code, message)
    self.cause = cause
  }

  /// Creates an error for a bundle without a member that a task needs.
  init(missing name: String, from source: ModelSource, among others: [String]) {
    let available = others.isEmpty ? "the bundle is empty" : "the bundle has " + SanitizedText.list(others)
    self.init(
      .modelNotFound, "\(source.description.excerpt): there is no such member; \(available)",
      .missingMember(name: name, others: others))
  }

  /// Returns the result of `body`. The message of an error is prefixed with the model's name, unless it already is.
  package static func naming<Value>(
    _ source: ModelSource, _ body: () throws(TaskError) -> Value
  ) throws(TaskError) -> Value {
    do {
      return try body()
    } catch {
      var named = error
      let name = source.description.excerpt
      if !error.message.contains(name) { named.message = "\(name): \(error.message)" }
      throw named
    }
  }

  /// The message.
  public var description: String { message }

  package static func invalidModel(_ message: String) -> TaskError { TaskError(.invalidModel, message) }
}

/// An error of a module that tasks are built on, such as the image module.
package protocol TaskErrorConvertible: Error {
  /// The error as a task reports it.
  var taskError: TaskError { get }
}

extension TaskError {
  /// Returns the result of `body`, and converts every error to `TaskError`.
  ///
  /// - Parameters:
  ///   - code: The code for errors that don't come from a task, the engine, a file, or an image.
  ///   - missingMember: The code if an archive lacks a file; `nil` for `code`.
  ///   - subject: The prefix of messages that don't come from a task, such as a file name.
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

  /// Creates a task error from any error.
  package init(wrapping error: any Error) {
    self = error as? TaskError ?? TaskError(foreign: error, as: .failed, missingMember: .failed)
  }

  /// Creates the error of a task from any error that a task or an image throws.
  @_spi(Facades) public init(converting error: any Error) { self.init(wrapping: error) }

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

  /// Creates a task error from an engine error.
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

  /// Creates a task error for a call that ended before its work was done.
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

extension StepCounter {
  /// Counts steps, as `count` does.
  ///
  /// - Throws: `TaskError` after the deadline of the call, and if the task that called is cancelled.
  package mutating func step(_ steps: Int = 1) throws(TaskError) {
    do {
      try count(steps)
    } catch {
      throw TaskError(error)
    }
  }
}
