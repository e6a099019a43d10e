// Client code as in a Swift 5 app for MediaPipe's text tasks: it imports nothing but the facade.
import MediaPipeTasksText

/// Processes notes on a queue of its own.
class NoteReader {
  private let queue = DispatchQueue(label: "note-reader")
  private lazy var classifier: TextClassifier? = try? TextClassifier(modelPath: modelPath)
  private lazy var embedder: TextEmbedder? = try? TextEmbedder(modelPath: modelPath)
  private let modelPath: String

  init(modelPath: String) { self.modelPath = modelPath }

  func read(_ note: String, completion: @escaping ([ResultCategory], Error?) -> Void) {
    queue.async { [weak self] in
      do {
        let result = try self?.classifier?.classify(text: note)
        completion(result?.classificationResult.classifications.first?.categories ?? [], nil)
      } catch {
        completion([], error)
      }
    }
  }

  func likeness(_ first: String, _ second: String) -> Double? {
    let context = TextFormatContext()
    context.embeddingType = .semanticSimilarity
    guard let one = try? embedder?.embed(text: first, textFormatContext: context),
      let other = try? embedder?.embed(text: second, textFormatContext: context),
      let left = one.embeddingResult.embeddings.first, let right = other.embeddingResult.embeddings.first
    else { return nil }
    return try? TextEmbedder.cosineSimilarity(embedding1: left, embedding2: right).doubleValue
  }
}
