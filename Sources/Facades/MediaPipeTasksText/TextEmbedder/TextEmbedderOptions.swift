public import Foundation
import SwiftletText

/// How texts are embedded.
#if canImport(ObjectiveC)
  @objc(MPPTextEmbedderOptions) @objcMembers
#endif
open class TextEmbedderOptions: TaskOptions {
  /// Whether vectors are scaled to length 1. Not needed for models that do so themselves.
  open var l2Normalize = false
  /// Whether vectors are returned as signed bytes, a quarter of the size. Only vectors of length 1 fit well: numbers
  /// from 1 on become 127.
  open var quantize = false

  /// Independent options with the same values.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = TextEmbedderOptions()
    copy.baseOptions = baseOptions
    copy.l2Normalize = l2Normalize
    copy.quantize = quantize
    return copy
  }

  /// - Throws: `TasksFailure` when there is no model.
  func values() throws(TasksFailure) -> SwiftletText.TextEmbedderOptions {
    .init(baseOptions: try baseOptions.values(), normalizesEmbedding: l2Normalize, quantizesEmbedding: quantize)
  }
}
