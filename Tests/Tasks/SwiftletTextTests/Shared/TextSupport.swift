import SwiftletBase
import SwiftletTestSupport

@testable import SwiftletText

extension WordModel {
  var base: BaseOptions { BaseOptions(model: .bytes(bytes)) }
}

/// The task error a call throws.
func taskError<Value>(_ body: () throws -> Value) -> TaskError? { thrownError(body) }

/// The first of a model's outputs for a text.
func numbers(_ model: WordModel, _ text: String) throws -> [Float] { try outputs(model, text)[0] }

/// All of a model's outputs for a text.
func outputs(_ model: WordModel, _ text: String) throws -> [[Float]] {
  try TextEmbedder(options: TextEmbedderOptions(baseOptions: model.base)).embed(text).embeddingResult.embeddings.map {
    $0.floatEmbedding ?? []
  }
}

extension Vocabulary {
  /// Words one a line, as BERT's vocabularies are.
  init(_ words: [String]) throws {
    try self.init(lines: ByteRegion(Array(words.joined(separator: "\n").utf8)), name: "vocab.txt")
  }
}
