import SwiftletModels
import SwiftletVision

/// A task with one of the package's own models, as a function of a picture.
struct SoakTask: Sendable {
  /// Everything the task says of a picture but the time, which goes on from call to call; long lists as a number that
  /// is the same for the same list within one process.
  let answer: @Sendable (MPImage) throws -> String
  /// The same without blocking.
  let awaitedAnswer: @Sendable (MPImage) async throws -> String

  /// - Throws: what the task's initialiser throws.
  init(_ model: EmbeddedModel, base: BaseOptions) throws {
    switch model {
    case .faceDetector:
      let task = try FaceDetector(options: FaceDetectorOptions(baseOptions: base))
      answer = { "\(try task.detect($0).detections)" }
      awaitedAnswer = { "\(try await task.detect($0).detections)" }
    case .objectDetector:
      let task = try ObjectDetector(options: ObjectDetectorOptions(baseOptions: base, scoreThreshold: 0.3))
      answer = { "\(try task.detect($0).detections)" }
      awaitedAnswer = { "\(try await task.detect($0).detections)" }
    case .imageSegmenter:
      let task = try ImageSegmenter(
        options: ImageSegmenterOptions(
          baseOptions: base, shouldOutputConfidenceMasks: false, shouldOutputCategoryMask: true))
      answer = { "\(try task.segment($0).categoryMask?.uInt8Data.hashValue ?? 0)" }
      awaitedAnswer = { "\(try await task.segment($0).categoryMask?.uInt8Data.hashValue ?? 0)" }
    case .imageClassifier:
      let task = try ImageClassifier(options: ImageClassifierOptions(baseOptions: base))
      answer = { "\(try task.classify($0).classificationResult.classifications)" }
      awaitedAnswer = { "\(try await task.classify($0).classificationResult.classifications)" }
    case .imageEmbedder:
      let task = try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: base))
      answer = { "\(try task.embed($0).embeddingResult.embeddings.hashValue)" }
      awaitedAnswer = { "\(try await task.embed($0).embeddingResult.embeddings.hashValue)" }
    }
  }
}
