public import Foundation
package import SwiftletTasks

/// Options that all tasks share: which model, and how it is run.
///
/// The model comes from the first of ``modelAssetPath``, ``modelURL`` and ``modelBytes`` that is given. The last two
/// and ``threads`` are additions to MediaPipe's options.
open class BaseOptions: NSObject, NSCopying {
  /// The path of the `.tflite` file.
  open var modelAssetPath = ""
  /// What the model runs on; the processor in any case.
  open var delegate = Delegate.CPU
  /// The URL of the `.tflite` file. Only file URLs: nothing is downloaded.
  open var modelURL: URL?
  /// The model itself.
  open var modelBytes: [UInt8] = []
  /// The most threads a call uses, the caller's included.
  open var threads = 1

  /// Options that name no model yet.
  public override init() {}

  /// Independent options with the same values.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> BaseOptions {
    let copy = BaseOptions()
    copy.modelAssetPath = modelAssetPath
    copy.delegate = delegate
    copy.modelURL = modelURL
    copy.modelBytes = modelBytes
    copy.threads = threads
    return copy
  }

  /// - Throws: `TasksFailure` when there is no model.
  package func values() throws(TasksFailure) -> SwiftletTasks.BaseOptions {
    .init(model: try model(), threads: threads)
  }

  private func model() throws(TasksFailure) -> ModelSource {
    if !modelAssetPath.isEmpty { return .file(modelAssetPath) }
    if let modelURL { return .url(modelURL) }
    if !modelBytes.isEmpty { return .bytes(modelBytes) }
    throw TasksFailure(
      core: .invalidArgumentError,
      "ExternalFile must specify at least one of 'file_content', 'file_name', 'file_pointer_meta' or 'file_descriptor_meta'."
    )
  }
}
