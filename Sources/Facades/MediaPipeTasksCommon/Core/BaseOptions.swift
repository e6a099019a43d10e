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
  /// What the model runs on; the processor in any case.
  open var delegate = Delegate.CPU
  /// The URL of the `.tflite` file. Only file URLs: nothing is downloaded.
  open var modelURL: URL?
  /// The model itself.
  open var modelBytes: [UInt8] = []
  /// The most threads a call uses, the caller's included.
  open var threads = 1
  /// Where the delegate of a live stream is called; `nil` for a serial queue of the task's own, as with MediaPipe. The
  /// main queue lets a class of the main actor be the delegate.
  open var delegateQueue: DispatchQueue?
  private var path = ""

  /// Options that name no model yet.
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
