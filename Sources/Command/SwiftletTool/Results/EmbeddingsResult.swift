import Foundation
import SwiftletJSON
import SwiftletDrawing
import SwiftletDisplayText
import SwiftletVision

/// The vectors of a picture, one for each output of the model.
struct EmbeddingsResult: PictureResult {
  var path: String
  var embeddings: [Embedding]

  var json: JSONValue {
    .object([
      "image": .string(path),
      "embeddings": .array(
        embeddings.map { embedding in
          let head: [JSONValue.Member] = [
            .init(key: "head_index", value: .int(embedding.headIndex)),
            .init(key: "head_name", value: .optional(embedding.headName)),
          ]
          if let bytes = embedding.quantizedEmbedding {
            return .object(head + [.init(key: "quantized", value: .ints(bytes.map(Int.init)))])
          }
          return .object(head + [.init(key: "float", value: .floats(embedding.floatEmbedding ?? []))])
        }),
    ])
  }

  var text: String {
    "\(path.shown):\n" + embeddings.map { "  \(Self.name($0).shown): \(Self.firstValues($0, 4))\n" }.joined()
  }

  /// The name of each vector and the values it begins with.
  func draw(on canvas: inout Canvas) {
    canvas.drawLegend(
      embeddings.flatMap {
        [Canvas.LegendEntry(name: Self.name($0)), Canvas.LegendEntry(name: Self.firstValues($0, 3))]
      })
  }

  private static func name(_ embedding: Embedding) -> String {
    let count = embedding.quantizedEmbedding?.count ?? embedding.floatEmbedding?.count ?? 0
    return "\(HeadName.text(embedding.headName, embedding.headIndex)), \(count) values"
  }

  private static func firstValues(_ embedding: Embedding, _ count: Int) -> String {
    let values =
      embedding.quantizedEmbedding.map { $0.prefix(count).map { String($0) } }
      ?? (embedding.floatEmbedding ?? []).prefix(count).map { String(format: "%.4f", $0) }
    return values.joined(separator: ", ") + ", ..."
  }
}
