public import Foundation
package import SwiftletTasks

/// Options that all tasks share: which model, and how it is run.
///
/// The model comes from the first of ``modelAssetPath``, ``modelURL`` and ``modelBytes`` that is given. The last two,
/// ``threads`` and ``delegateQueue`` are additions to MediaPipe's options.
#if canImport(ObjectiveC)
  @objc(MPPBaseOptions) @objcMembers
#endif
open class BaseOptions: NSObject, NSCopying {
  /// The path of the `.tflite` file; never `nil`, but an optional path can be assigned, such as that of a resource of the
  /// bundle. `nil` stands for an empty path.
  open var modelAssetPath: String! {
    get { path }
    set { path = newValue ?? "" }
  }
  /// The accelerators of the model; always the CPU.
  open var delegate = Delegate.CPU
  /// The URL of the `.tflite` file. Only file URLs: nothing is downloaded.
  open var modelURL: URL?
  /// The model itself.
  open var modelBytes: [UInt8] = []
  /// The most threads a call uses, the caller's included.
  open var threads = 1
  /// The queue on which the delegate of a live stream is called; `nil` for a serial queue of the task, as with
  /// MediaPipe. The main queue lets a class of the main actor be the delegate.
  open var delegateQueue: DispatchQueue?
  private var path = ""

  /// Creates options that name no model yet.
  public override init() {}

  /// Independent options with the same values.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> BaseOptions {
    let copy = BaseOptions()
    copy.path = path
    copy.delegate = delegate
    copy.modelURL = modelURL
    copy.modelBytes = modelBytes
    copy.threads = threads
    copy.delegateQueue = delegateQueue
    return copy
  }

  /// - Throws: `TasksFailure` when there is no model.
  package func values() throws(TasksFailure) -> SwiftletTasks.BaseOptions {
    .init(model: try model(), threads: threads)
  }

  private func model() throws(TasksFailure) -> ModelSource {
    if let path = modelAssetPath, !path.isEmpty { return .file(path) }
    if let modelURL { return .url(modelURL) }
    if !modelBytes.isEmpty { return .bytes(modelBytes) }
    throw TasksFailure(
      core: .invalidArgumentError,
      "ExternalFile must specify at least one of 'file_content', 'file_name', 'file_pointer_meta' or 'file_descriptor_meta'."
    )
  }
}

/// What the options of all tasks have in common.
#if canImport(ObjectiveC)
  @objc(MPPTaskOptions) @objcMembers
#endif
open class TaskOptions: NSObject, NSCopying {
  /// The model and how it is run. What is assigned is copied; what is read may be changed in place.
  open var baseOptions = BaseOptions() {
    didSet { baseOptions = baseOptions.duplicate() }
  }

  /// Creates options with default values, which name no model yet.
  public override init() {}

  /// Independent options of the same class with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = TaskOptions()
    copy.baseOptions = baseOptions
    return copy
  }
}

/// What the results of all tasks have in common.
///
/// Unchecked `Sendable` because the compiler checks only final classes: this one and all that derive from it in this
/// package have nothing but constants. What a program derives from it has to keep that.
#if canImport(ObjectiveC)
  @objc(MPPTaskResult) @objcMembers
#endif
open class TaskResult: NSObject, NSCopying, @unchecked Sendable {
  /// The time the input came with; for single images a second per call: 0, 1000, 2000, …
  public let timestampInMilliseconds: Int

  /// Creates a result of that time.
  public init(timestampInMilliseconds: Int) { self.timestampInMilliseconds = timestampInMilliseconds }

  /// The result itself, as results never change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// What a model runs on.
#if canImport(ObjectiveC)
  @objc(MPPDelegate)
#endif
public enum Delegate: UInt, Sendable {
  /// The processor.
  case CPU = 0
  /// Accepted, but there is no graphics path: the model runs on the processor, with the processor's numbers.
  case GPU = 1
}

/// What the options of tasks that report categories have in common.
package enum CategoryOptionCheck {
  /// - Parameter end: what MediaPipe's text about `maxResults` ends with, which is not the same in all tasks.
  /// - Throws: `TasksFailure` with MediaPipe's text for options that contradict each other.
  package static func check(
    maxResults: Int, allow: [String], deny: [String], end: String
  ) throws(TasksFailure) {
    guard maxResults != 0 else {
      throw TasksFailure(core: .invalidArgumentError, "Invalid `max_results` option: value must be != 0" + end)
    }
    guard allow.isEmpty || deny.isEmpty else {
      throw TasksFailure(
        core: .invalidArgumentError, "`category_allowlist` and `category_denylist` are mutually exclusive options.")
    }
  }
}
