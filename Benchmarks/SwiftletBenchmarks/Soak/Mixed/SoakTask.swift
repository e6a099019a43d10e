import SwiftletModels
import SwiftletVision

/// A task with one of the bundled models, as a function of an image.
struct SoakTask: Sendable {
  /// Returns the result for an image as text without its timestamp, which increases from call to call. Long lists are
  /// replaced by a hash that is stable within one process.
  let answer: @Sendable (InputImage) throws -> String
  /// Returns the same result without blocking.
  let awaitedAnswer: @Sendable (InputImage) async throws -> String

  /// - Throws: Errors of the task's initializer.
  init(_ model: EmbeddedModel, base: BaseOptions) throws {
    switch model {
    case .faceDetector:
      let task = try FaceDetector(options: FaceDetectorOptions(baseOptions: base))
      answer = { "\(try task.faces(in: $0))" }
      awaitedAnswer = { "\(try await task.faces(in: $0, priority: .userInitiated))" }
    case .objectDetector:
      let task = try ObjectDetector(options: ObjectDetectorOptions(baseOptions: base, scoreThreshold: 0.3))
      answer = { "\(try task.objects(in: $0))" }
      awaitedAnswer = { "\(try await task.objects(in: $0, priority: .userInitiated))" }
    case .imageSegmenter:
      let task = try ImageSegmenter(
        options: ImageSegmenterOptions(
          baseOptions: base, outputs: .categoryMask))
      answer = { "\(try task.segmentation(of: $0).categoryMask?.pixels.hashValue ?? 0)" }
      awaitedAnswer = {
        "\(try await task.segmentation(of: $0, priority: .userInitiated).categoryMask?.pixels.hashValue ?? 0)"
      }
    case .imageClassifier:
      let task = try ImageClassifier(options: ImageClassifierOptions(baseOptions: base))
      answer = { "\(try task.classification(of: $0))" }
      awaitedAnswer = { "\(try await task.classification(of: $0, priority: .userInitiated))" }
    case .imageEmbedder:
      let task = try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: base))
      answer = { "\(try task.embedding(of: $0).hashValue)" }
      awaitedAnswer = { "\(try await task.embedding(of: $0, priority: .userInitiated).hashValue)" }
    }
  }
}
