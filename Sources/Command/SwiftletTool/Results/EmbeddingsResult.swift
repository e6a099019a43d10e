import Foundation
import SwiftletJSON
import SwiftletDrawing
import SwiftletBase
import SwiftletVision

/// The vectors of a picture, one for each output of the model.
struct EmbeddingsResult: PictureResult {
  var path: String
  var embeddings: [Embedding]

  var json: JSONValue { .object(["image": .string(path), "embeddings": embeddings.json]) }

  var text: String { "\(path.shown):\n" + embeddings.text }

  /// The name of each vector and the values it begins with.
  func draw(on canvas: inout Canvas) {
    canvas.drawLegend(
      embeddings.flatMap {
        [Canvas.LegendEntry(name: $0.caption), Canvas.LegendEntry(name: $0.firstValues(3))]
      })
  }
}

extension Embedding {
  /// The name of the vector, and how many values it has.
  var caption: String {
    let count = quantizedEmbedding?.count ?? floatEmbedding?.count ?? 0
    return "\(HeadName.text(headName, headIndex)), \(count) values"
  }

  func firstValues(_ count: Int) -> String {
    let values =
      quantizedEmbedding.map { $0.prefix(count).map { String($0) } }
      ?? (floatEmbedding ?? []).prefix(count).map { String(format: "%.4f", $0) }
    return values.joined(separator: ", ") + ", ..."
  }
}
