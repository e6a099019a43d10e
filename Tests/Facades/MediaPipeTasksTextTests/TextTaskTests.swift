import Foundation
import SwiftletTestSupport
import Testing

import MediaPipeTasksText

@Suite("MediaPipe's text tasks")
struct TextTaskTests {
  /// A model in a file that is deleted with the object.
  private final class ModelFile {
    let path: String

    init(_ model: WordModel) throws {
      path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".tflite").path
      try Data(model.bytes).write(to: URL(fileURLWithPath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private let model = WordModel(
    .pattern("[^a-z]+"), length: 3, vocabulary: "<UNKNOWN> 2\na 5\nb 7\n", labels: ["first", "second", "third"])

  private func options<Options: TaskOptions>(_ options: Options, _ change: (Options) -> Void = { _ in }) -> Options {
    options.baseOptions.modelBytes = model.bytes
    change(options)
    return options
  }

  private func error<Value>(_ body: () throws -> Value) -> NSError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as NSError
    }
  }

  @Test("MediaPipe's guides compile unchanged and run")
  func guides() throws {
    let file = try ModelFile(model)
    #expect(try TextGuide.best(of: try TextGuide.classifier(modelPath: file.path), text: "a b") == "second")
    #expect(abs(try TextGuide.similarity(modelPath: file.path, "a b", "a b") - 1) < 1e-9)
    #expect(try TextGuide.languages(modelPath: file.path, of: "b a") == ["first": 7, "second": 5, "third": 0])
    #expect(try TextClassifier(modelPath: file.path).classify(text: "a").timestampInMilliseconds == 0)
    #expect(try TextEmbedder(modelPath: file.path).embed(text: "a").embeddingResult.embeddings[0].headName == "numbers")
    #expect(try LanguageDetector(modelPath: file.path).detect(text: "a").languagePredictions.count == 3)
  }

  @Test("options have MediaPipe's defaults, and copies are independent")
  func defaults() throws {
    let classifier = TextClassifierOptions()
    #expect(classifier.maxResults == -1 && classifier.scoreThreshold == 0 && classifier.displayNamesLocale == "en")
    #expect(classifier.categoryAllowlist == [] && classifier.categoryDenylist == [])
    #expect(LanguageDetectorOptions().scoreThreshold == -1 && LanguageDetectorOptions().maxResults == -1)
    #expect(!TextEmbedderOptions().l2Normalize && !TextEmbedderOptions().quantize)

    let detector = LanguageDetectorOptions()
    (detector.maxResults, detector.scoreThreshold, detector.displayNamesLocale) = (3, 0.5, "de")
    (detector.categoryAllowlist, detector.categoryDenylist) = (["a"], ["b"])
    detector.baseOptions.modelAssetPath = "x"
    let copy = try #require(detector.copy() as? LanguageDetectorOptions)
    detector.baseOptions.modelAssetPath = "y"
    #expect(copy.maxResults == 3 && copy.scoreThreshold == 0.5 && copy.displayNamesLocale == "de")
    #expect(copy.categoryAllowlist == ["a"] && copy.categoryDenylist == ["b"] && copy.baseOptions.modelAssetPath == "x")
    let embedder = TextEmbedderOptions()
    (embedder.l2Normalize, embedder.quantize) = (true, true)
    let other = try #require(embedder.copy() as? TextEmbedderOptions)
    #expect(other.l2Normalize && other.quantize)
    classifier.categoryDenylist = ["c"]
    #expect((classifier.copy() as? TextClassifierOptions)?.categoryDenylist == ["c"])
  }

  @Test("options have their effect")
  func works() throws {
    let one = try TextClassifier(options: options(TextClassifierOptions()) { $0.maxResults = 1 })
    let categories = try one.classify(text: "a b").classificationResult.classifications[0].categories
    #expect(categories.map(\.categoryName) == ["second"] && categories[0].score == 7 && categories[0].index == 1)
    let bytes = try TextEmbedder(
      options: options(TextEmbedderOptions()) { ($0.quantize, $0.l2Normalize) = (true, true) })
    let embedding = try bytes.embed(text: "a").embeddingResult.embeddings[0]
    #expect(embedding.floatEmbedding == nil && embedding.quantizedEmbedding?.map(\.intValue) == [127, 0, 0])
    let some = try LanguageDetector(options: options(LanguageDetectorOptions()) { $0.categoryDenylist = ["first"] })
    #expect(try some.detect(text: "a b").languagePredictions.map(\.languageCode) == ["second", "third"])
  }

  @Test("texts are embedded for the context, with either of its names")
  func contexts() throws {
    let words = WordModel(
      .pattern("[^a-z]+"), length: 6, vocabulary: "task 2\ntitle 3\ntext 4\ncode 5\nb 7\n<UNKNOWN> 1\n")
    let embedder = try TextEmbedder(options: options(TextEmbedderOptions()) { $0.baseOptions.modelBytes = words.bytes })
    func numbers(_ context: TextFormatContext?) throws -> [Int] {
      try embedder.embed(text: "b", textFormatContext: context).embeddingResult.embeddings[0].floatEmbedding?
        .map(\.intValue) ?? []
    }
    let context = TextFormatContext()
    #expect(context.textRole == .query && context.title == nil)
    // task: search result | query: b
    #expect(try numbers(context) == [2, 1, 1, 1, 7, 0])
    context.embeddingType = .codeRetrieval
    // task: code retrieval | query: b
    #expect(try numbers(context) == [2, 5, 1, 1, 7, 0])
    context.textRole = .document
    context.title = "b"
    // title: b | text: b
    #expect(try numbers(context) == [3, 7, 4, 7, 0, 0])
    #expect(try numbers(nil) == [7, 0, 0, 0, 0, 0])
    #expect(try embedder.embed(text: "b").embeddingResult.embeddings[0].floatEmbedding?.first == 7)
    let newer = TextEmbeddingFormatContext()
    newer.embeddingType = TextEmbeddingType.retrievalDocument
    newer.textRole = TextEmbeddingTextRole.document
    // title: none | text: b
    #expect(try numbers(newer) == [3, 1, 4, 7, 0, 0] && newer.embeddingType.rawValue == 2)
  }

  @Test("an app service that imports nothing else runs")
  func client() throws {
    let file = try ModelFile(model)
    let result = try #require(TextService(modelPath: file.path)).classify("a b")
    #expect(result.inferenceTime > 0 && result.categories.count == 3)
    #expect(TextService(modelPath: nil) == nil && TextService(modelPath: "/no/such.tflite") == nil)
  }

  @Test("errors have MediaPipe's domain, codes, and messages")
  func errors() throws {
    let zero = error { try TextClassifier(options: options(TextClassifierOptions()) { $0.maxResults = 0 }) }
    #expect(zero?.domain == "com.google.mediapipe.tasks" && zero?.code == 3)
    #expect(zero?.localizedDescription == "INVALID_ARGUMENT: Invalid `max_results` option: value must be != 0.")
    let lists = error {
      try LanguageDetector(
        options: options(LanguageDetectorOptions()) { ($0.categoryAllowlist, $0.categoryDenylist) = (["a"], ["b"]) })
    }
    #expect(lists?.localizedDescription.contains("mutually exclusive") == true)
    #expect(error { try TextEmbedder(options: TextEmbedderOptions()) }?.code == 3)
    #expect(
      error { try TextEmbedder(modelPath: "/no/such.tflite") }?.localizedDescription
        == "NOT_FOUND: Unable to open file at /no/such.tflite")
    let embedding = Embedding(floatEmbedding: [1], quantizedEmbedding: nil, headIndex: 0, headName: nil)
    let longer = Embedding(floatEmbedding: [1, 2], quantizedEmbedding: nil, headIndex: 0, headName: nil)
    #expect(
      error { try TextEmbedder.cosineSimilarity(embedding1: embedding, embedding2: longer) }?.localizedDescription
        .contains("different sizes (1 vs 2") == true)
  }

  @Test("results can be created manually")
  func results() {
    let languages = LanguageDetectorResult(
      languagePredictions: [LanguagePrediction(languageCode: "en", probability: 0.5)], timestampInMilliseconds: 3)
    #expect(languages.languagePredictions[0].languageCode == "en" && languages.timestampInMilliseconds == 3)
    let none = ClassificationResult(classifications: [], timestampInMilliseconds: 0)
    #expect(TextClassifierResult(classificationResult: none, timestampInMilliseconds: 1).timestampInMilliseconds == 1)
    let empty = EmbeddingResult(embeddings: [], timestampInMilliseconds: 0)
    #expect(TextEmbedderResult(embeddingResult: empty, timestampInMilliseconds: 2).embeddingResult.embeddings.isEmpty)
  }
}
