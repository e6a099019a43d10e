public import Foundation
import SwiftletText

/// How the languages of texts are found.
#if canImport(ObjectiveC)
  @objc(MPPLanguageDetectorOptions) @objcMembers
#endif
open class LanguageDetectorOptions: TaskOptions {
  /// The language of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = "en"
  /// The most languages reported; negative for all, 0 is an error.
  open var maxResults = -1
  /// What has a lower score is left out.
  open var scoreThreshold: Float = -1
  /// When not empty, only these names are reported.
  open var categoryAllowlist: [String] = []
  /// These names are not reported. Not together with an allow list.
  open var categoryDenylist: [String] = []

  /// Independent options with the same values.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = LanguageDetectorOptions()
    copy.baseOptions = baseOptions
    copy.displayNamesLocale = displayNamesLocale
    copy.maxResults = maxResults
    copy.scoreThreshold = scoreThreshold
    copy.categoryAllowlist = categoryAllowlist
    copy.categoryDenylist = categoryDenylist
    return copy
  }

  /// - Throws: `TasksFailure` when options contradict each other, or there is no model.
  func values() throws(TasksFailure) -> SwiftletText.LanguageDetectorOptions {
    try CategoryOptionCheck.check(
      maxResults: maxResults, allow: categoryAllowlist, deny: categoryDenylist, end: ".")
    return .init(
      baseOptions: try baseOptions.values(),
      displayNamesLocale: displayNamesLocale.isEmpty ? "en" : displayNamesLocale,
      maxResults: maxResults < 0 ? nil : maxResults,
      scoreThreshold: scoreThreshold, categoryAllowlist: categoryAllowlist, categoryDenylist: categoryDenylist)
  }
}
