public import Foundation
import SwiftletVision

/// How pictures are classified.
#if canImport(ObjectiveC)
  @objc(MPPImageClassifierOptions) @objcMembers
#endif
open class ImageClassifierOptions: TaskOptions {
  /// How pictures come to the task.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var imageClassifierLiveStreamDelegate: (any ImageClassifierLiveStreamDelegate)?
  /// The language of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = "en"
  /// The most classes reported per output of the model; negative for all, 0 is an error.
  open var maxResults = -1
  /// Classes with a lower score are left out.
  open var scoreThreshold: Float = 0
  /// When not empty, only these category names are reported.
  open var categoryAllowlist: [String] = []
  /// These category names are not reported. Not together with an allow list.
  open var categoryDenylist: [String] = []

  /// Independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = ImageClassifierOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.imageClassifierLiveStreamDelegate = imageClassifierLiveStreamDelegate
    copy.displayNamesLocale = displayNamesLocale
    copy.maxResults = maxResults
    copy.scoreThreshold = scoreThreshold
    copy.categoryAllowlist = categoryAllowlist
    copy.categoryDenylist = categoryDenylist
    return copy
  }

  /// - Throws: `TasksFailure` when options contradict each other, or there is no model.
  func values() throws(TasksFailure) -> SwiftletVision.ImageClassifierOptions {
    try CategoryOptionCheck.check(
      maxResults: maxResults, allow: categoryAllowlist, deny: categoryDenylist, end: ".")
    return .init(
      baseOptions: try baseOptions.values(),
      displayNamesLocale: displayNamesLocale.isEmpty ? "en" : displayNamesLocale,
      maxResults: maxResults < 0 ? nil : maxResults,
      scoreThreshold: scoreThreshold, categoryAllowlist: categoryAllowlist, categoryDenylist: categoryDenylist)
  }
}
