import Foundation
import SwiftletJSON
import SwiftletVision

extension ResultCategory {
  /// The form of a category in `--json`.
  var json: JSONValue {
    .object([
      "index": .int(index), "score": .float(score), "name": .optional(categoryName),
      "display_name": .optional(displayName),
    ])
  }

  /// What the category is called, in the words that there are for it.
  var name: String {
    [displayName, categoryName].compactMap(\.self).first { !$0.isEmpty } ?? (index >= 0 ? "class \(index)" : "unnamed")
  }

  func scoreText(digits: Int) -> String { String(format: "%.\(digits)f", score) }
}
