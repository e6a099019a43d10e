public import SwiftletImage

/// Says what a picture shows, with scores.
///
/// ```swift
/// let classifier = try ImageClassifier(model: .file("efficientnet_lite0.tflite"))
/// for category in try classifier.classify(image).categories.prefix(3) { print(category.categoryName ?? "", category.score) }
/// ```
///
/// - Thread safety: callable concurrently; calls on one classifier run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class ImageClassifier: VisionTask {
  /// What runs the task.
  public let runner: VisionTaskRunner<ImageClassifierResult>

  /// The names of the classes that the model knows, of all its heads; empty when it names none.
  package let categoryNames: [String]

  /// - Throws: `TaskError` when options contradict each other, or the model is missing or is not an image
  ///   classification model.
  public init(options: ImageClassifierOptions) throws(TaskError) {
    try options.validate()
    var names: [String] = []
    runner = try VisionTaskRunner(
      runningMode: options.runningMode, calls: options.baseOptions.callLimits, taskName: "imageClassifier"
    ) {
      try ImageClassifierPipeline(options)
    } inspect: {
      names = $0.categoryNames
    }
    categoryNames = names
  }

  /// Classifies a picture of any size, or a part of it; blocks until done.
  ///
  /// Parameters and errors are those of ``VisionTask/result(for:regionOfInterest:at:)-8mrti``.
  public func classify(
    _ image: MPImage, regionOfInterest: NormalizedRect? = nil, at time: Duration? = nil
  ) throws(TaskError) -> ImageClassifierResult {
    try result(for: image, regionOfInterest: regionOfInterest, at: time)
  }

  /// Classifies a picture of any size, or a part of it, without blocking the thread.
  public func classify(
    _ image: MPImage, regionOfInterest: NormalizedRect? = nil, at time: Duration? = nil
  ) async throws -> ImageClassifierResult {
    try await result(for: image, regionOfInterest: regionOfInterest, at: time)
  }
}
