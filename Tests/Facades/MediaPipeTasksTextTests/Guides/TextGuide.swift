import MediaPipeTasksText

// The examples of MediaPipe's text task guides for iOS, as in a program.

enum TextGuide {
  static func classifier(modelPath: String) throws -> TextClassifier {
    let options = TextClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.maxResults = 2
    return try TextClassifier(options: options)
  }

  static func best(of classifier: TextClassifier, text: String) throws -> String? {
    let result = try classifier.classify(text: text)
    return result.classificationResult.classifications.first?.categories.first?.categoryName
  }

  static func similarity(modelPath: String, _ first: String, _ second: String) throws -> Double {
    let options = TextEmbedderOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.quantize = true
    options.l2Normalize = true
    let textEmbedder = try TextEmbedder(options: options)
    let first = try textEmbedder.embed(text: first)
    let second = try textEmbedder.embed(text: second)
    return try TextEmbedder.cosineSimilarity(
      embedding1: first.embeddingResult.embeddings[0], embedding2: second.embeddingResult.embeddings[0]
    ).doubleValue
  }

  static func languages(modelPath: String, of text: String) throws -> [String: Float] {
    let options = LanguageDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    let languageDetector = try LanguageDetector(options: options)
    let predictions: [LanguagePrediction] = try languageDetector.detect(text: text).languagePredictions
    return Dictionary(uniqueKeysWithValues: predictions.map { ($0.languageCode, $0.probability) })
  }
}
