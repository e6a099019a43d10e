import SwiftletSchema

/// Says what every pixel of a picture belongs to.
///
/// ```swift
/// let segmenter = try ImageSegmenter(model: .file("deeplabv3.tflite"))
/// let masks = try segmenter.segment(image).confidenceMasks ?? []
/// for (label, mask) in zip(segmenter.labels, masks) { print(label, mask.float32Data.max() ?? 0) }
/// ```
///
/// Masks have the size of the stored picture. Of a picture that has to be turned to stand upright they show the upright
/// content, stretched to that size and not turned back, as in MediaPipe; for a quarter turn it is simplest to turn the
/// picture first (`ImageBuffer.oriented`). Models that take an alpha channel ignore the orientation.
///
/// - Thread safety: callable concurrently; calls on one segmenter run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class ImageSegmenter: VisionTask {
  /// What runs the task.
  public let runner: VisionTaskRunner<ImageSegmenterResult>

  /// The names of the classes, in the order of the confidence masks; empty when the model has no label file.
  public let labels: [String]
  /// The names in the language asked for; empty when the model has none.
  public let displayNames: [String]

  /// - Throws: `TaskError` when no masks are asked for, or the model is missing or is not an image segmentation
  ///   model.
  public init(options: ImageSegmenterOptions) throws(TaskError) {
    try options.validate()
    var names: LabelMap?
    runner = try VisionTaskRunner(
      runningMode: options.runningMode, calls: options.baseOptions.callLimits, taskName: "imageSegmenter"
    ) {
      try ImageSegmenterPipeline(options)
    } inspect: {
      names = $0.decoder.labels
    }
    labels = names?.labels ?? []
    displayNames = names?.displayNames ?? []
  }

  /// Segments a picture of any size; blocks until done.
  ///
  /// Parameters and errors are those of ``VisionTask/result(for:regionOfInterest:at:)-8mrti``.
  public func segment(
    _ image: MPImage, at time: Duration? = nil
  ) throws(TaskError) -> ImageSegmenterResult {
    try result(for: image, at: time)
  }

  /// Segments a picture of any size, without blocking the thread.
  public func segment(
    _ image: MPImage, at time: Duration? = nil
  ) async throws -> ImageSegmenterResult {
    try await result(for: image, at: time)
  }
}
