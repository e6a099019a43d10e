import SwiftletBase
import SwiftletEngine

/// A model that tells gestures by embeddings.
struct GestureClassifier {
  private let model: TaskModel
  private var decoder: ClassificationOutputDecoder

  /// - Parameter embeddingCount: how many numbers the embedder gives.
  /// - Throws: `TaskError` when the model is missing, or takes or gives something else.
  init(_ context: ModelContext, embeddingCount: Int, _ options: GestureClassifierOptions) throws(TaskError) {
    (model, decoder) = try TaskError.naming(context.source) { () throws(TaskError) in
      let model = try TaskModel(context)
      guard model.inputs.count == 1, model.inputs[0].elementType == .float32,
        model.inputs[0].shape.elementCount == embeddingCount
      else {
        let found = ShownText.list(model.inputs.map(\.description))
        throw .invalidModel(
          "a gesture classifier takes the embedder's \(embeddingCount) float32 numbers, but this model's inputs are \(found)"
        )
      }
      try OutputRequirement.checkNumbersOfOneKind(model.outputs, task: "gesture classification")
      let decoder = try ClassificationOutputDecoder(model, output: 0, options.categories)
      guard decoder.labels != nil else {
        throw TaskError(.missingMetadata, "the model's metadata names no labels, so that its gestures have no names")
      }
      return (model, decoder)
    }
  }

  /// The best gesture that passes the options; `nil` where none does.
  mutating func classify(_ embedding: UnsafeBufferPointer<Float>) throws -> Gesture? {
    try model.session.withInput(0, as: Float.self) { input in
      guard input.count == embedding.count else {
        throw TaskError.invalidModel("the embedder gave \(embedding.count) numbers instead of \(input.count)")
      }
      _ = input.update(fromContentsOf: embedding)
    }
    try model.run()
    guard let best = try model.withRealOutput(0, { try decoder.best($0, results: model.results) }), best.score > 0,
      let name = best.categoryName
    else { return nil }
    return Gesture(name: name, score: best.score)
  }
}
