public import Foundation
import SwiftletVision

/// How pictures are embedded.
#if canImport(ObjectiveC)
  @objc(MPPImageEmbedderOptions) @objcMembers
#endif
open class ImageEmbedderOptions: TaskOptions {
  /// How pictures come to the task.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var imageEmbedderLiveStreamDelegate: (any ImageEmbedderLiveStreamDelegate)?
  /// Whether vectors are scaled to length 1. Not needed for models that do so themselves.
  open var l2Normalize = false
  /// Whether vectors are returned as signed bytes, a quarter of the size. Only vectors of length 1 fit well: numbers
  /// from 1 on become 127.
  open var quantize = false

  /// Independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = ImageEmbedderOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.imageEmbedderLiveStreamDelegate = imageEmbedderLiveStreamDelegate
    copy.l2Normalize = l2Normalize
    copy.quantize = quantize
    return copy
  }

  /// - Throws: `TasksFailure` when there is no model.
  func values() throws(TasksFailure) -> SwiftletVision.ImageEmbedderOptions {
    .init(
      baseOptions: try baseOptions.values(), normalizesEmbedding: l2Normalize,
      quantizesEmbedding: quantize)
  }
}
