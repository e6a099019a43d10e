import SwiftletBase
import SwiftletTestSupport

@testable import SwiftletText

extension WordModel {
  var base: BaseOptions { BaseOptions(model: .bytes(bytes)) }
}

/// Returns the task error of a call.
func taskError<Value>(_ body: () throws -> Value) -> TaskError? { thrownError(body) }

/// Returns the first output of a model for a text.
func numbers(_ model: WordModel, _ text: String) throws -> [Float] { try outputs(model, text)[0] }

/// Returns all outputs of a model for a text.
func outputs(_ model: WordModel, _ text: String) throws -> [[Float]] {
  try TextEmbedder(options: TextEmbedderOptions(baseOptions: model.base)).embedding(of: text).heads.map {
    $0.values.floats ?? []
  }
}

extension Embedding.Values {
  /// The elements of a float vector.
  var floats: [Float]? { if case .float(let numbers) = self { numbers } else { nil } }
  /// The elements of a quantized vector.
  var bytes: [Int8]? { if case .int8(let numbers) = self { numbers } else { nil } }
}

extension Vocabulary {
  /// Creates a vocabulary with one word per line, as in BERT models.
  init(_ words: [String]) throws {
    try self.init(lines: ByteRegion(Array(words.joined(separator: "\n").utf8)), name: "vocab.txt")
  }
}
