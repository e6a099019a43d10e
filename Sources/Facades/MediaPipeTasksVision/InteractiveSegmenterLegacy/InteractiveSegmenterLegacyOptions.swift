public import Foundation
import SwiftletVision

/// How the thing that a user points at is cut out.
public final class InteractiveSegmenterLegacyOptions: TaskOptions {
  /// The language of display names, for models that have them: `en`, `de`, …
  public var displayNamesLocale = "en"
  /// Whether there is a mask per class that says how sure the model is of it.
  public var shouldOutputConfidenceMasks = true
  /// Whether there is a mask that says which class each pixel belongs to.
  public var shouldOutputCategoryMask = false

  /// Independent options with the same values.
  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = InteractiveSegmenterLegacyOptions()
    copy.baseOptions = baseOptions
    copy.displayNamesLocale = displayNamesLocale
    copy.shouldOutputConfidenceMasks = shouldOutputConfidenceMasks
    copy.shouldOutputCategoryMask = shouldOutputCategoryMask
    return copy
  }

  /// - Throws: `TasksFailure` when no masks are asked for, or there is no model.
  func values() throws(TasksFailure) -> InteractiveSegmenterOptions {
    guard shouldOutputConfidenceMasks || shouldOutputCategoryMask else { throw .noMasks }
    return InteractiveSegmenterOptions(
      baseOptions: try baseOptions.values(), displayNamesLocale: displayNamesLocale,
      shouldOutputConfidenceMasks: shouldOutputConfidenceMasks, shouldOutputCategoryMask: shouldOutputCategoryMask)
  }
}
