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
  try TextEmbedder(options: TextEmbedderOptions(baseOptions: model.base)).embedding(of: text).heads.map {
    $0.values.floats ?? []
  }
}

extension Embedding.Values {
  /// The numbers of a vector that is not quantized.
  var floats: [Float]? { if case .float(let numbers) = self { numbers } else { nil } }
  /// The numbers of a vector that is.
  var bytes: [Int8]? { if case .int8(let numbers) = self { numbers } else { nil } }
}

extension Vocabulary {
  /// Words one a line, as BERT's vocabularies are.
  init(_ words: [String]) throws {
    try self.init(lines: ByteRegion(Array(words.joined(separator: "\n").utf8)), name: "vocab.txt")
  }
}
