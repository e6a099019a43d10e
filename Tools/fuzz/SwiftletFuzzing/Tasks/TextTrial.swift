import SwiftletText

/// Creates every text task of a model, and calls it with several texts.
struct TextTrial {
  func run(_ bytes: [UInt8]) -> CampaignWorker.Outcome {
    let options = FuzzOptions()
    var random = FuzzRandom(seed: bytes.withUnsafeBytes(\.seed))
    let base = BaseOptions(
      model: .bytes(bytes), limits: options.limits, timeout: options.timeout, isChecked: options.isChecked)
    let texts = (0..<4).map { _ in TextModels.text(&random) }
    let threshold: Float = random.one(-.infinity, 0, 0.5), most: Int? = random.one(nil, 1, 3, Int.max)
    // An error is a valid result: one text can be rejected and the next one accepted.
    func calls<Result>(_ call: (String) throws -> Result) -> Bool { texts.count { (try? call($0)) != nil } > 0 }
    let tasks: [() throws -> Bool] = [
      {
        let options = TextClassifierOptions(baseOptions: base, maxResults: most, scoreThreshold: threshold)
        let task = try TextClassifier(options: options)
        return calls { try task.classification(of: $0) }
      },
      {
        let options = TextEmbedderOptions(
          baseOptions: base, normalizesEmbedding: most == nil, quantizesEmbedding: threshold < 0)
        let task = try TextEmbedder(options: options)
        return calls { try task.embedding(of: $0) }
      },
      {
        let options = LanguageDetectorOptions(baseOptions: base, maxResults: most, scoreThreshold: threshold)
        let task = try LanguageDetector(options: options)
        return calls { try task.languages(of: $0) }
      },
    ]
    return tasks.count { (try? $0()) == true } > 0 ? .ran : .refused
  }
}
