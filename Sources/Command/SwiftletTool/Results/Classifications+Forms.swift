import Foundation
import SwiftletBase
import SwiftletJSON
import SwiftletText
import SwiftletVision

extension Classification {
  /// The `--json` form of a classification: an object per head.
  var json: JSONValue {
    .array(
      heads.enumerated().map { index, head in
        .object([
          "head_index": .int(index), "head_name": .optional(head.name),
          "categories": .array(head.categories.map(\.json)),
        ])
      })
  }

  /// Returns the text output, with a line end after each line.
  ///
  /// - Parameter shownCount: The maximum number of categories to print per head.
  func text(shownCount: Int) -> String {
    var text = ""
    for (index, head) in heads.enumerated() {
      if heads.count > 1 { text += "  \(HeadName.text(head.name, index).sanitized)\n" }
      for category in head.categories.prefix(shownCount) {
        text += "  \(category.scoreText(digits: 3)) \(category.name.sanitized)\n"
      }
      if head.categories.count > shownCount {
        text += "  and \(head.categories.count - shownCount) more; --max-results N shows N, --json all\n"
      }
      if head.categories.isEmpty { text += "  nothing\n" }
    }
    return text
  }
}

extension Embedding {
  /// The `--json` form of an embedding: an object per head.
  var json: JSONValue {
    .array(
      heads.enumerated().map { index, head in
        let members: [JSONValue.Member] = [
          .init(key: "head_index", value: .int(index)), .init(key: "head_name", value: .optional(head.name)),
        ]
        let values: JSONValue.Member =
          switch head.values {
          case .float(let numbers): .init(key: "float", value: .floatArray(numbers))
          case .int8(let numbers): .init(key: "quantized", value: .ints(numbers.map(Int.init)))
          }
        return .object(members + [values])
      })
  }

  /// The text output, with a line end after each line: the name of each vector and its first values.
  var text: String { summary(4).map { "  \($0.caption.sanitized): \($0.values)\n" }.joined() }

  /// Returns the name and length of each vector, and its first values.
  func summary(_ count: Int) -> [(caption: String, values: String)] {
    heads.enumerated().map { index, head in
      let values =
        switch head.values {
        case .float(let numbers): numbers.prefix(count).map { String(format: "%.4f", $0) }
        case .int8(let numbers): numbers.prefix(count).map { String($0) }
        }
      return (
        "\(HeadName.text(head.name, index)), \(head.values.count) values", values.joined(separator: ", ") + ", ..."
      )
    }
  }
}

extension ResultCategory {
  /// The `--json` form of a category.
  var json: JSONValue {
    .object([
      "index": .int(index), "score": .float(score), "name": .optional(categoryName),
      "display_name": .optional(displayName),
    ])
  }

  /// The best available name of the category.
  var name: String {
    [displayName, categoryName].compactMap(\.self).first { !$0.isEmpty } ?? (index >= 0 ? "class \(index)" : "unnamed")
  }

  func scoreText(digits: Int) -> String { String(format: "%.\(digits)f", score) }
}
