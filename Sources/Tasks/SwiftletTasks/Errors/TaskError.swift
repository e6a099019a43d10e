#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import SwiftletBase

/// An error of a task on images, audio, or text.
///
/// ```swift
/// } catch let error where error.code == .modelNotFound { … }
/// ```
public struct TaskError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A kind of failure to branch on. More may be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name of the kind.
    public let rawValue: String
    /// Creates a kind of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such file, or no such member in a bundle.
    public static let modelNotFound = Code(rawValue: "modelNotFound")
    /// The file exists but cannot be read.
    public static let unreadableModel = Code(rawValue: "unreadableModel")
    /// The file is not a model, is damaged, or is not a model of this task.
    public static let invalidModel = Code(rawValue: "invalidModel")
    /// The model has operators that the engine does not have.
    public static let unsupportedModel = Code(rawValue: "unsupportedModel")
    /// The model's metadata lacks something: how its input is normalized, or a file that it names.
    public static let missingMetadata = Code(rawValue: "missingMetadata")
    /// An option is out of its range, or options contradict each other.
    public static let invalidOption = Code(rawValue: "invalidOption")
    /// An argument of a call that does not run the model is invalid.
    public static let invalidArgument = Code(rawValue: "invalidArgument")
    /// The time of a frame is not later than the time of the frame before.
    public static let timeNotIncreasing = Code(rawValue: "timeNotIncreasing")
    /// The region of interest has no area.
    public static let invalidRegion = Code(rawValue: "invalidRegion")
    /// The pixels of the image cannot be used, or cannot be cut out as requested.
    public static let invalidImage = Code(rawValue: "invalidImage")
    /// The audio samples cannot be used, or their file cannot be read.
    public static let invalidAudio = Code(rawValue: "invalidAudio")
    /// A limit of memory, size or work was reached.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// Loading or a run took longer than the options allow.
    public static let deadlineExceeded = Code(rawValue: "deadlineExceeded")
    /// The task that waits for the result was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// Any other failure.
    public static let failed = Code(rawValue: "failed")
  }

  /// The facts of an error that facades need for another library's code and wording.
  @_spi(Facades)
  public enum Cause: Sendable, Hashable {
    /// There is no file at the path.
    case missingFile(path: String)
    /// The process has no permission to read the file.
    case forbiddenFile
    /// A bundle has no member of a name, but other members.
    case missingMember(name: String, others: [String])
    /// A classification model breaks a rule, by its number in TFLite Support.
    case brokenRule(Int)
    /// The sample rates of a block of audio and of the stream that it belongs to, in hertz.
    case sampleRate(Double, expected: Double)
  }

  /// The kind of failure, to branch on.
  public var code: Code
  /// What is wrong, where, what was expected and found, and what to do; one line without control characters.
  public var message: String
  /// The facts of the error, if facades need them.
  @_spi(Facades)
  public var cause: Cause?

  /// Creates an error of a kind, with a message that says what is wrong and what to do.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message.shown
  }

  /// Creates an error with the facts that facades need.
  @_spi(Facades)
  public init(_ code: Code, _ message: String, _ cause: Cause) {
    self.init(code, message)
    self.cause = cause
  }

  /// Creates the error of a bundle that lacks a member which a task needs.
  init(missing name: String, from source: ModelSource, among others: [String]) {
    let available = others.isEmpty ? "the bundle is empty" : "the bundle has " + ShownText.list(others)
    self.init(
      .modelNotFound, "\(source.description.excerpt): there is no such member; \(available)",
      .missingMember(name: name, others: others))
  }

  /// Returns the result of `body`; an error is prefixed with the name of the model, unless it has it already.
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

extension TaskError: LocalizedError {
  /// The message.
  public var errorDescription: String? { message }
}
