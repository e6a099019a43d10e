import SwiftletBase
import SwiftletJSON
import SwiftletText

extension [Classifications] {
  /// The form of classifications in `--json`.
  var json: JSONValue {
    .array(map(\.json))
  }

  /// Lines for people, each with its end.
  ///
  /// - Parameter shownCount: how many categories of a head they are shown.
  func text(shownCount: Int) -> String {
    var text = ""
    for head in self {
      if count > 1 { text += "  \(HeadName.text(head.headName, head.headIndex).shown)\n" }
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

extension [Embedding] {
  /// The form of embeddings in `--json`.
  var json: JSONValue {
    .array(
      map { embedding in
        let head: [JSONValue.Member] = [
          .init(key: "head_index", value: .int(embedding.headIndex)),
          .init(key: "head_name", value: .optional(embedding.headName)),
        ]
        if let bytes = embedding.quantizedEmbedding {
          return .object(head + [.init(key: "quantized", value: .ints(bytes.map(Int.init)))])
        }
        return .object(head + [.init(key: "float", value: .floatArray(embedding.floatEmbedding ?? []))])
      })
  }

  /// Lines for people, each with its end: the name of each vector and the values it begins with.
  var text: String { map { "  \($0.caption.shown): \($0.firstValues(4))\n" }.joined() }
}
