public import Foundation
import SwiftletVision

/// Which categories a classifier may report.
#if canImport(ObjectiveC)
  @objc(MPPClassifierOptions) @objcMembers
#endif
open class ClassifierOptions: NSObject, NSCopying {
  /// The language of display names; `nil` for `en`.
  open var displayNamesLocale: String?
  /// The most categories; negative for all, 0 is an error.
  open var maxResults = -1
  /// Categories with a lower score are left out.
  open var scoreThreshold: Float = 0
  /// When not empty, only these names are reported, whatever the deny list says.
  open var categoryAllowlist: [String]?
  /// These names are not reported.
  open var categoryDenylist: [String]?

  /// Options with default values.
  public override init() {}

  /// Independent options with the same values.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> ClassifierOptions {
    let copy = ClassifierOptions()
    copy.displayNamesLocale = displayNamesLocale
    copy.maxResults = maxResults
    copy.scoreThreshold = scoreThreshold
    copy.categoryAllowlist = categoryAllowlist
    copy.categoryDenylist = categoryDenylist
    return copy
  }

  /// - Throws: `TasksFailure` with MediaPipe's text for options out of range.
  func values() throws(TasksFailure) -> GestureClassifierOptions {
    // Both lists may be given here.
    try CategoryOptionCheck.check(maxResults: maxResults, allow: [], deny: [], end: ".")
    return .init(
      displayNamesLocale: displayNamesLocale ?? "en", maxResults: maxResults < 0 ? nil : maxResults,
      scoreThreshold: scoreThreshold, categoryAllowlist: categoryAllowlist ?? [],
      categoryDenylist: categoryDenylist ?? [])
  }
}
