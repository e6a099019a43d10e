public import Foundation
import SwiftletVision

/// How pictures are segmented.
#if canImport(ObjectiveC)
  @objc(MPPImageSegmenterOptions) @objcMembers
#endif
open class ImageSegmenterOptions: TaskOptions {
  /// How pictures come to the task.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var imageSegmenterLiveStreamDelegate: (any ImageSegmenterLiveStreamDelegate)?
  /// The language of display names, for models that have them: `en`, `de`, …
  open var displayNamesLocale = "en"
  /// Whether there is a mask per class that says how sure the model is of it.
  open var shouldOutputConfidenceMasks = true
  /// Whether there is a mask that says which class each pixel belongs to.
  open var shouldOutputCategoryMask = false

  /// Independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = ImageSegmenterOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.imageSegmenterLiveStreamDelegate = imageSegmenterLiveStreamDelegate
    copy.displayNamesLocale = displayNamesLocale
    copy.shouldOutputConfidenceMasks = shouldOutputConfidenceMasks
    copy.shouldOutputCategoryMask = shouldOutputCategoryMask
    return copy
  }

  /// - Throws: `TasksFailure` when options contradict each other, or there is no model.
  func values() throws(TasksFailure) -> SwiftletVision.ImageSegmenterOptions {
    guard shouldOutputConfidenceMasks || shouldOutputCategoryMask else { throw .noMasks }
    return .init(
      baseOptions: try baseOptions.values(), displayNamesLocale: displayNamesLocale,
      outputs: SegmentationOutputs(confidenceMasks: shouldOutputConfidenceMasks, categoryMask: shouldOutputCategoryMask)
    )
  }
}
