public import Foundation
@_spi(Facades) package import SwiftletTasks

/// Options that all tasks share: the model, and how it runs.
///
/// The model comes from the first of ``modelAssetPath``, ``modelURL``, and ``modelBytes`` that is set. The last two,
/// ``threads``, and ``delegateQueue`` are additions to MediaPipe's options.
#if canImport(ObjectiveC)
  @objc(MPPBaseOptions) @objcMembers
#endif
open class BaseOptions: NSObject, NSCopying {
  /// The path of the `.tflite` file. It is never `nil`, but an optional path can be assigned, such as that of a bundle
  /// resource. `nil` counts as an empty path.
  open var modelAssetPath: String! {
    get { path }
    set { path = newValue ?? "" }
  }
  /// The accelerator of the model; the CPU is always used.
  open var delegate = Delegate.CPU
  /// The file URL of the `.tflite` file. Nothing is ever downloaded.
  open var modelURL: URL?
  /// The bytes of the model.
  open var modelBytes: [UInt8] = []
  /// The maximum number of threads per call, including the caller's.
  open var threads = 1
  /// The queue on which the delegate of a live stream is called; `nil` for a serial queue of the task, as in MediaPipe.
  /// With the main queue, the delegate can be a class on the main actor.
  open var delegateQueue: DispatchQueue?
  private var path = ""

  /// Creates options without a model.
  public override init() {}

  /// Returns independent options with the same values.
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

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` if there is no model.
  package func values() throws(TasksFailure) -> SwiftletTasks.BaseOptions {
    .init(model: try model(), threads: threads)
  }

  private func model() throws(TasksFailure) -> ModelSource {
    if let path = modelAssetPath, !path.isEmpty { return .file(path) }
    if let modelURL {
      return modelURL.isFileURL ? .file(modelURL.path) : .remoteURL(modelURL.absoluteString)
    }
    if !modelBytes.isEmpty { return .bytes(modelBytes) }
    throw TasksFailure(
      core: .invalidArgumentError,
      "ExternalFile must specify at least one of 'file_content', 'file_name', 'file_pointer_meta' or 'file_descriptor_meta'."
    )
  }
}

/// The base class of all task options.
#if canImport(ObjectiveC)
  @objc(MPPTaskOptions) @objcMembers
#endif
open class TaskOptions: NSObject, NSCopying {
  /// The model, and how it runs. Setting the property copies the value; the value that it returns can be modified in
  /// place.
  open var baseOptions = BaseOptions() {
    didSet { baseOptions = baseOptions.duplicate() }
  }

  /// Creates options with default values and without a model.
  public override init() {}

  /// Returns independent options of the same class with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = TaskOptions()
    copy.baseOptions = baseOptions
    return copy
  }
}

/// The base class of all task results.
///
/// Unchecked `Sendable` because the compiler checks only final classes. This class and its subclasses in this package
/// have constants only. Subclasses in other modules must keep that.
#if canImport(ObjectiveC)
  @objc(MPPTaskResult) @objcMembers
#endif
open class TaskResult: NSObject, NSCopying, @unchecked Sendable {
  /// The timestamp of the input; for single images one second per call: 0, 1000, 2000, …
  public let timestampInMilliseconds: Int

  /// Creates a result with a timestamp.
  public init(timestampInMilliseconds: Int) { self.timestampInMilliseconds = timestampInMilliseconds }

  /// Returns the result itself, because results are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The accelerator that a model runs on.
#if canImport(ObjectiveC)
  @objc(MPPDelegate)
#endif
public enum Delegate: UInt, Sendable {
  /// The CPU.
  case CPU = 0
  /// A GPU. Accepted, but not used: the model runs on the CPU, with the CPU's numerics.
  case GPU = 1
}

/// The checks that all tasks with categories share.
package enum CategoryOptionCheck {
  /// Checks the options.
  ///
  /// - Parameter end: The end of MediaPipe's text about `maxResults`, which differs between tasks.
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
