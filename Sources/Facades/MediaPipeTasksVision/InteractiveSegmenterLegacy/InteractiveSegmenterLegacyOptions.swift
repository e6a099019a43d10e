public import Foundation
import SwiftletVision

/// How the thing that a user points at is cut out.
#if canImport(ObjectiveC)
  @objc(MPPInteractiveSegmenterLegacyOptions) @objcMembers
#endif
open class InteractiveSegmenterLegacyOptions: TaskOptions {
  /// The language of display names, for models that have them: `en`, `de`, …
  open var displayNamesLocale = "en"
  /// Whether there is a mask per class that says how sure the model is of it.
  open var shouldOutputConfidenceMasks = true
  /// Whether there is a mask that says which class each pixel belongs to.
  open var shouldOutputCategoryMask = false

  /// Independent options with the same values.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = InteractiveSegmenterLegacyOptions()
    copy.baseOptions = baseOptions
    copy.displayNamesLocale = displayNamesLocale
    copy.shouldOutputConfidenceMasks = shouldOutputConfidenceMasks
    copy.shouldOutputCategoryMask = shouldOutputCategoryMask
    return copy
  }

  /// - Throws: `TasksFailure` when no masks are asked for, or there is no model.
  func values() throws(TasksFailure) -> SwiftletVision.InteractiveSegmenterOptions {
    guard shouldOutputConfidenceMasks || shouldOutputCategoryMask else { throw .noMasks }
    return SwiftletVision.InteractiveSegmenterOptions(
      baseOptions: try baseOptions.values(), displayNamesLocale: displayNamesLocale,
      outputs: SegmentationOutputs(confidenceMasks: shouldOutputConfidenceMasks, categoryMask: shouldOutputCategoryMask)
    )
  }
}
