public import Foundation
import SwiftletBase

/// What went wrong in a task on pictures, sound or text.
///
/// ```swift
/// } catch let error where error.code == .modelNotFound { … }
/// ```
/// As an `NSError` it has the domain `com.swiftlet.tasks` and the code's raw value.
public struct TaskError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// There is no such file, or no such member in a bundle.
    case modelNotFound = 1
    /// The file is there but cannot be read.
    case unreadableModel
    /// What was read is no model, is damaged, or is not a model of this task.
    case invalidModel
    /// The model has operators that the engine does not have.
    case unsupportedModel
    /// The model's metadata lacks something: how its input is normalised, or a file that it names.
    case missingMetadata
    /// An option is out of its range, or options contradict each other.
    case invalidOption
    /// An argument of a call that does not run the model makes no sense.
    case invalidArgument
    /// The call is for another running mode than the task's.
    case wrongMode
    /// The picture is mirrored.
    case unsupportedOrientation
    /// The time of a frame is not later than that of the last one.
    case timeNotIncreasing
    /// The region of interest has no area.
    case invalidRegion
    /// The task looks at whole pictures only.
    case unsupportedRegion
    /// The pixels of the picture cannot be used, or cannot be cut out as asked.
    case invalidImage
    /// A limit of memory, size or work was reached.
    case limitExceeded
    /// Loading or a run took longer than the options allow.
    case deadlineExceeded
    /// The task that waits for the result was cancelled.
    case cancelled
    /// Anything else.
    case failed
    /// The samples of a sound cannot be used, or its file cannot be read.
    case invalidAudio
  }

  /// What façades need to know to give the error another library's code and wording.
  package enum Circumstance: Sendable, Hashable {
    case missingFile(path: String)
    case forbiddenFile
    /// A bundle has no member of a name, but others.
    case missingMember(name: String, others: [String])
    /// What the task works on, what the call is for and the mode it has, as messages name them.
    case mode(task: String, called: String, current: String)
    /// The orientation as messages name it.
    case orientation(String)
    /// The sample rates of a block of sound and of the stream that it belongs to.
    case sampleRate(Double, expected: Double)
  }

  /// What to branch on.
  public var code: Code
  /// What is wrong, where, what was expected and found, and what to do: one line, whatever the names in it hold.
  public var message: String
  package var circumstance: Circumstance?

  /// An error of a kind, with a message that says what is wrong and what to do.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message.shown
  }

  package init(_ code: Code, _ message: String, _ circumstance: Circumstance) {
    self.init(code, message)
    self.circumstance = circumstance
  }

  /// A bundle lacks a member that a task needs.
  init(missing name: String, from source: ModelSource, among others: [String]) {
    let available = others.isEmpty ? "the bundle is empty" : "the bundle has " + ShownText.list(others)
    self.init(
      .modelNotFound, "\(source.description.excerpt): there is no such member; \(available)",
      .missingMember(name: name, others: others))
  }

  /// What `body` gives; an error says of which model it is, if it does not do so already.
  package static func naming<Value>(
    _ source: ModelSource, _ body: () throws(TaskError) -> sending Value
  ) throws(TaskError) -> sending Value {
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

extension TaskError: LocalizedError, CustomNSError {
  /// The domain of the error as an `NSError`.
  public static var errorDomain: String { "com.swiftlet.tasks" }

  /// The code of the error as an `NSError`.
  public var errorCode: Int { code.rawValue }
  /// The message.
  public var errorDescription: String? { message }
  /// The message, as an `NSError` has it.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}
