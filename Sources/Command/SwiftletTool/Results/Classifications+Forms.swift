import Foundation
import SwiftletBase
import SwiftletJSON
import SwiftletText
import SwiftletVision

extension Classification {
  /// The form of a classification in `--json`: an object per head.
  var json: JSONValue {
    .array(
      heads.enumerated().map { index, head in
        .object([
          "head_index": .int(index), "head_name": .optional(head.name),
          "categories": .array(head.categories.map(\.json)),
        ])
      })
  }

  /// Lines for people, each with its end.
  ///
  /// - Parameter shownCount: how many categories of a head they are shown.
  func text(shownCount: Int) -> String {
    var text = ""
    for (index, head) in heads.enumerated() {
      if heads.count > 1 { text += "  \(HeadName.text(head.name, index).shown)\n" }
      for category in head.categories.prefix(shownCount) {
        text += "  \(category.scoreText(digits: 3)) \(category.name.shown)\n"
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
  /// The form of an embedding in `--json`: an object per head.
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

  /// Lines for people, each with its end: the name of each vector and the values it begins with.
  var text: String { summary(4).map { "  \($0.caption.shown): \($0.values)\n" }.joined() }

  /// The name and length of each vector, and the values it begins with.
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
