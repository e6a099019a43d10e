public import SwiftletTasks

/// What all tasks on texts are: made from options, given texts, and asked for results.
///
/// A task of its own has a verb for ``result(for:)-9chge``, such as `classify`.
///
/// ```swift
/// let classifier = try TextClassifier(model: .file("sentiment.tflite")) { $0.maxResults = 1 }
/// print(try classifier.classify("What a great movie!").categories)
/// ```
///
/// Texts may be empty and of any length: what is longer than the model takes is cut. A NUL is a character as any other.
///
/// - Thread safety: callable concurrently; the texts of one task are worked on one after the other unless
///   `BaseOptions.maxConcurrentCalls` says otherwise, those of two tasks at once.
public protocol TextTask: AnyObject, Sendable {
  /// How the task is run.
  associatedtype Options: TextTaskOptions
  /// What the task finds out about a text.
  associatedtype Output: Sendable

  /// What runs the task.
  var runner: TextTaskRunner<Output> { get }

  /// - Throws: `TaskError` when options are out of range or contradict each other, or the model is missing or is
  ///   not one of the task's.
  init(options: Options) throws(TaskError)
}

/// What the options of all tasks on texts have in common.
public protocol TextTaskOptions: Sendable, Hashable {
  /// The model and how it is run.
  var baseOptions: BaseOptions { get set }

  /// Default options for a model.
  init(baseOptions: BaseOptions)
}

extension TextTask {
  /// A task with default options unless `configure` says otherwise.
  ///
  /// - Throws: `TaskError`, as ``init(options:)``.
  public init(model: ModelSource, configure: (inout Options) -> Void = { _ in }) throws(TaskError) {
    var options = Options(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  /// What the task finds out about a text; blocks until done.
  ///
  /// - Throws: `TaskError` when the run fails or takes more than it may. The next call may succeed.
  public func result(for text: String) throws(TaskError) -> Output { try runner.result(for: text) }

  /// What the task finds out about a text, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the text's turn has come.
  public func result(for text: String) async throws -> Output { try await runner.resultAsync(for: text) }

  /// How many texts of a batch the task takes.
  package var batchCapacity: BatchCapacity { runner.batchCapacity }
}
