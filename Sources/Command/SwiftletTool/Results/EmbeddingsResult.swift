import SwiftletJSON
import SwiftletDrawing
import SwiftletBase
import SwiftletVision

/// The vectors of a picture, one for each output of the model.
struct EmbeddingsResult: PictureResult {
  var path: String
  var embedding: Embedding

  var json: JSONValue { .object(["image": .string(path), "embeddings": embedding.json]) }

  var text: String { "\(path.shown):\n" + embedding.text }

  /// The name of each vector and the values it begins with.
  func draw(on canvas: inout Canvas) {
    canvas.drawLegend(
      embedding.summary(3).flatMap {
        [Canvas.LegendEntry(name: $0.caption), Canvas.LegendEntry(name: $0.values)]
      })
  }
}
