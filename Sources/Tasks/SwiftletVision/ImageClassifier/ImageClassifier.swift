public import SwiftletImage

/// Says what a picture shows, with scores.
///
/// ```swift
/// let classifier = try ImageClassifier(model: .file("efficientnet_lite0.tflite"))
/// let result = try classifier.classify(image: image).classificationResult
/// for category in result.classifications[0].categories.prefix(3) { print(category.categoryName ?? "", category.score) }
/// ```
///
/// - Thread safety: callable concurrently; calls on one classifier run one after the other.
public final class ImageClassifier: VisionTask {
  private let runner: VisionTaskRunner<ImageClassifierPipeline>

  /// The names of the classes that the model knows, of all its heads; empty when it names none.
  package let categoryNames: [String]

  public var liveStream: LiveStream<ImageClassifierResult> { runner.liveStream }

  /// A classifier with default options, for single pictures.
  ///
  /// - Throws: `VisionTaskError` when the model is missing or is not an image classification model.
  public convenience init(model: ModelSource) throws {
    try self.init(options: ImageClassifierOptions(baseOptions: BaseOptions(model: model)))
  }

  /// - Throws: `VisionTaskError` when options contradict each other, or the model is missing or is not an image
  ///   classification model.
  public init(options: ImageClassifierOptions) throws {
    try options.validate()
    var names: [String] = []
    runner = try VisionTaskRunner(runningMode: options.runningMode, taskName: "imageClassifier") {
      let pipeline = try ImageClassifierPipeline(options)
      names = pipeline.categoryNames
      return pipeline
    }
    categoryNames = names
  }

  /// Classifies a picture of any size, or a part of it; blocks until done.
  ///
  /// - Parameter regionOfInterest: the part, in coordinates of the stored picture; `nil` for all of it.
  /// - Throws: `VisionTaskError` for mirrored orientations, for a region without an area, and
  ///   unless the task runs in image mode.
  public func classify(image: MPImage, regionOfInterest: NormalizedRect? = nil) throws -> ImageClassifierResult {
    try runner.image(image, regionOfInterest: regionOfInterest)
  }

  /// Classifies a picture of any size, or a part of it, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the picture's turn has come.
  public func classify(image: MPImage, regionOfInterest: NormalizedRect? = nil) async throws -> ImageClassifierResult {
    try await runner.imageAsync(image, regionOfInterest: regionOfInterest)
  }

  /// Classifies a frame of a video, or a part of it; blocks until done.
  ///
  /// - Parameters:
  ///   - timestamp: the time of the frame, later than that of the last one.
  ///   - regionOfInterest: the part, in coordinates of the stored picture; `nil` for all of it.
  /// - Throws: `VisionTaskError` for mirrored orientations, for a region without an area, for a
  ///   time that is not later, and unless the task runs in video mode. The next frame may succeed.
  public func classify(
    videoFrame: MPImage, timestamp: Duration, regionOfInterest: NormalizedRect? = nil
  ) throws -> ImageClassifierResult {
    try runner.video(
      videoFrame, timestamp: timestamp, regionOfInterest: regionOfInterest)
  }

  /// Classifies a frame of a video, or a part of it, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the frame's turn has come.
  public func classify(
    videoFrame: MPImage, timestamp: Duration, regionOfInterest: NormalizedRect? = nil
  ) async throws -> ImageClassifierResult {
    try await runner.videoAsync(
      videoFrame, timestamp: timestamp, regionOfInterest: regionOfInterest)
  }

  /// Has a frame of a live stream classified; returns at once. The result comes through `liveResults`, unless the task
  /// is busy: then the frame is dropped and counted in `droppedFrameCount`.
  ///
  /// - Parameters:
  ///   - timestamp: the time of the frame, later than that of the last one.
  ///   - regionOfInterest: the part, in coordinates of the stored picture; `nil` for all of it.
  /// - Throws: `VisionTaskError` for mirrored orientations, for a time that is not later, and
  ///   unless the task runs in live-stream mode. The next frame may succeed. A region without an area is told as the
  ///   frame's result.
  public func classifyAsync(
    image: MPImage, timestamp: Duration, regionOfInterest: NormalizedRect? = nil
  ) throws {
    try runner.send(image, timestamp: timestamp, regionOfInterest: regionOfInterest)
  }
}
