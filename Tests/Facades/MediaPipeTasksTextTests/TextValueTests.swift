import Foundation
import SwiftletText
import Testing

@testable import MediaPipeTasksText

@Suite("Values of MediaPipe's text classes")
struct TextValueTests {
  @Test("options of classifiers have MediaPipe's defaults, and reach the task", arguments: [-1, 1, 2])
  func classifier(maxResults: Int) throws {
    let options = MediaPipeTasksText.TextClassifierOptions()
    #expect(options.displayNamesLocale == "en" && options.maxResults == -1 && options.scoreThreshold == 0)
    #expect(options.categoryAllowlist.isEmpty && options.categoryDenylist.isEmpty)
    options.baseOptions.modelAssetPath = "/m"
    let plain = try options.values()
    #expect(plain.baseOptions.model == .file("/m") && plain.displayNamesLocale == "en" && plain.maxResults == nil)
    #expect(plain.scoreThreshold == 0 && plain.categoryAllowlist.isEmpty && plain.categoryDenylist.isEmpty)
    options.baseOptions.threads = 3
    (options.displayNamesLocale, options.maxResults, options.scoreThreshold) = ("de", maxResults, 0.25)
    options.categoryAllowlist = ["a"]
    let copy = try #require(options.copy() as? MediaPipeTasksText.TextClassifierOptions)
    for values in [try options.values(), try copy.values()] {
      #expect(values.baseOptions.threads == 3 && values.displayNamesLocale == "de" && values.scoreThreshold == 0.25)
      #expect(values.maxResults == (maxResults < 0 ? nil : maxResults) && values.categoryAllowlist == ["a"])
    }
    (options.categoryAllowlist, options.categoryDenylist) = ([], ["b"])
    #expect(try options.values().categoryDenylist == ["b"])
    options.maxResults = 0
    let failure = #expect(throws: TasksFailure.self) { try options.values() }
    #expect(failure?.text == "INVALID_ARGUMENT: Invalid `max_results` option: value must be != 0.")
  }

  @Test("options of language detectors have MediaPipe's defaults, and reach the task", arguments: [-1, 1, 2])
  func detector(maxResults: Int) throws {
    let options = MediaPipeTasksText.LanguageDetectorOptions()
    #expect(options.displayNamesLocale == "en" && options.maxResults == -1 && options.scoreThreshold == -1)
    #expect(options.categoryAllowlist.isEmpty && options.categoryDenylist.isEmpty)
    options.baseOptions.modelAssetPath = "/m"
    let plain = try options.values()
    #expect(plain.baseOptions.model == .file("/m") && plain.displayNamesLocale == "en" && plain.maxResults == nil)
    #expect(plain.scoreThreshold == -1 && plain.categoryAllowlist.isEmpty && plain.categoryDenylist.isEmpty)
    options.baseOptions.threads = 3
    (options.displayNamesLocale, options.maxResults, options.scoreThreshold) = ("de", maxResults, 0.25)
    options.categoryAllowlist = ["a"]
    let copy = try #require(options.copy() as? MediaPipeTasksText.LanguageDetectorOptions)
    for values in [try options.values(), try copy.values()] {
      #expect(values.baseOptions.threads == 3 && values.displayNamesLocale == "de" && values.scoreThreshold == 0.25)
      #expect(values.maxResults == (maxResults < 0 ? nil : maxResults) && values.categoryAllowlist == ["a"])
    }
    (options.categoryAllowlist, options.categoryDenylist) = ([], ["b"])
    #expect(try options.values().categoryDenylist == ["b"])
    options.maxResults = 0
    let failure = #expect(throws: TasksFailure.self) { try options.values() }
    #expect(failure?.text == "INVALID_ARGUMENT: Invalid `max_results` option: value must be != 0.")
  }

  @Test("options of embedders reach the task", arguments: [(false, false), (true, false), (false, true)])
  func embedder(l2Normalize: Bool, quantize: Bool) throws {
    let options = MediaPipeTasksText.TextEmbedderOptions()
    #expect(!options.l2Normalize && !options.quantize)
    options.baseOptions.modelAssetPath = "/m"
    options.baseOptions.threads = 3
    (options.l2Normalize, options.quantize) = (l2Normalize, quantize)
    let copy = try #require(options.copy() as? MediaPipeTasksText.TextEmbedderOptions)
    for values in [try options.values(), try copy.values()] {
      #expect(values.baseOptions.model == .file("/m") && values.baseOptions.threads == 3)
      #expect(values.normalizesEmbedding == l2Normalize && values.quantizesEmbedding == quantize)
    }
  }

  @Test("contexts have MediaPipe's numbers and defaults, and reach the task")
  func contexts() {
    let types: [(MPPEmbeddingType, UInt, SwiftletText.TextFormatContext.EmbeddingType)] = [
      (.retrievalQuery, 1, .retrievalQuery), (.retrievalDocument, 2, .retrievalDocument),
      (.semanticSimilarity, 3, .semanticSimilarity), (.classification, 4, .classification),
      (.clustering, 5, .clustering), (.questionAnswering, 6, .questionAnswering), (.factChecking, 7, .factChecking),
      (.codeRetrieval, 8, .codeRetrieval),
    ]
    let context = MediaPipeTasksText.TextFormatContext()
    #expect(context.embeddingType == .retrievalQuery && context.title == nil && context.textRole == .query)
    for (type, number, expected) in types {
      context.embeddingType = type
      #expect(type.rawValue == number && context.value == .init(embeddingType: expected))
    }
    #expect(MPPTextRole.query.rawValue == 0 && MPPTextRole.document.rawValue == 1)
    (context.title, context.textRole) = ("t", .document)
    #expect(context.value == .init(embeddingType: .codeRetrieval, title: "t", role: .document))
  }

  @Test("results keep every part, and have no time")
  func results() {
    let classes = MediaPipeTasksText.TextClassifierResult(
      Classification(heads: [
        .init(name: nil, categories: []),
        .init(name: "h", categories: [.init(index: 7, score: 0.25, categoryName: "n", displayName: "d")]),
      ]))
    #expect(classes.timestampInMilliseconds == 0 && classes.classificationResult.timestampInMilliseconds == 0)
    #expect(classes.classificationResult.classifications.map(\.headIndex) == [0, 1])
    #expect(classes.classificationResult.classifications.map(\.headName) == ["", "h"])
    let category = classes.classificationResult.classifications[1].categories[0]
    #expect(category.index == 7 && category.displayName == "d")
    #expect(category.score == 0.25 && category.categoryName == "n")
    let vectors = MediaPipeTasksText.TextEmbedderResult(
      SwiftletTasks.Embedding(heads: [
        .init(name: "h", values: .float([0.5, -2])), .init(name: nil, values: .int8([3, -4])),
      ]))
    #expect(vectors.timestampInMilliseconds == 0 && vectors.embeddingResult.timestampInMilliseconds == 0)
    let embedding = vectors.embeddingResult.embeddings[0]
    #expect(embedding.floatEmbedding == [0.5, -2] && embedding.headIndex == 0 && embedding.headName == "h")
    #expect(embedding.quantizedEmbedding == nil)
    let bytes = vectors.embeddingResult.embeddings[1]
    #expect(bytes.floatEmbedding == nil && bytes.quantizedEmbedding == [3, -4])
    #expect(bytes.headIndex == 1 && bytes.headName == "")
    let languages = MediaPipeTasksText.LanguageDetectorResult([
      .init(languageCode: "en", probability: 0.75), .init(languageCode: "de", probability: 0.25),
    ])
    #expect(languages.timestampInMilliseconds == 0)
    #expect(languages.languagePredictions.map(\.languageCode) == ["en", "de"])
    #expect(languages.languagePredictions.map(\.probability) == [0.75, 0.25])
  }
}
