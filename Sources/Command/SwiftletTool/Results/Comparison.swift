import SwiftletJSON

/// How alike two things are by their embeddings.
struct Comparison: PrintableResult {
  /// What the things are called in `--json`.
  var key: String
  var names: [String]
  /// The names as people are shown them.
  var shown: [String]
  /// The cosine of the angle between the embeddings.
  var similarity: Double

  var json: JSONValue {
    .object([.init(key: key, value: .strings(names)), .init(key: "cosine_similarity", value: .double(similarity))])
  }

  var text: String { shown.joined(separator: ", ") + ": cosine similarity \(similarity)\n" }
}
