import SwiftletSchema

/// Says what every pixel of a picture belongs to.
///
/// ```swift
/// let segmenter = try ImageSegmenter(model: .file("deeplabv3.tflite"))
/// let masks = try segmenter.segment(image: image).confidenceMasks ?? []
/// for (label, mask) in zip(segmenter.labels, masks) { print(label, mask.float32Data.max() ?? 0) }
/// ```
///
/// Masks have the size of the stored picture. Of a picture that has to be turned to stand upright they show the upright
/// content, stretched to that size and not turned back, as in MediaPipe; for a quarter turn it is simplest to turn the
/// picture first (`ImageBuffer.oriented`). Models that take an alpha channel ignore the orientation.
///
/// - Thread safety: callable concurrently; calls on one segmenter run one after the other.
public final class ImageSegmenter: VisionTask {
  private let runner: VisionTaskRunner<ImageSegmenterPipeline>

  /// The names of the classes, in the order of the confidence masks; empty when the model has no label file.
  public let labels: [String]
  /// The names in the language asked for; empty when the model has none.
  public let displayNames: [String]

  public var liveStream: LiveStream<ImageSegmenterResult> { runner.liveStream }

  /// A segmenter with default options, for single pictures.
  ///
  /// - Throws: `VisionTaskError` when the model is missing or is not an image segmentation model.
  public convenience init(model: ModelSource) throws {
    try self.init(options: ImageSegmenterOptions(baseOptions: BaseOptions(model: model)))
  }

  /// - Throws: `VisionTaskError` when no masks are asked for, or the model is missing or is not an image segmentation
  ///   model.
  public init(options: ImageSegmenterOptions) throws {
    try options.validate()
    var names: LabelMap?
    runner = try VisionTaskRunner(runningMode: options.runningMode, taskName: "imageSegmenter") {
      let pipeline = try ImageSegmenterPipeline(options)
      names = pipeline.decoder.labels
      return pipeline
    }
    labels = names?.labels ?? []
    displayNames = names?.displayNames ?? []
  }

  /// Segments a picture of any size; blocks until done.
  ///
  /// - Throws: `VisionTaskError` for mirrored orientations, and unless the task runs in image mode.
  public func segment(image: MPImage) throws -> ImageSegmenterResult { try runner.image(image) }

  /// Segments a picture of any size, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the picture's turn has come.
  public func segment(image: MPImage) async throws -> ImageSegmenterResult { try await runner.imageAsync(image) }

  /// Segments a frame of a video; blocks until done.
  ///
  /// - Parameter timestamp: the time of the frame, later than that of the last one.
  /// - Throws: `VisionTaskError` for mirrored orientations, for a time that is not later, and
  ///   unless the task runs in video mode. The next frame may succeed.
  public func segment(videoFrame: MPImage, timestamp: Duration) throws -> ImageSegmenterResult {
    try runner.video(videoFrame, timestamp: timestamp)
  }

  /// Segments a frame of a video, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the frame's turn has come.
  public func segment(videoFrame: MPImage, timestamp: Duration) async throws -> ImageSegmenterResult {
    try await runner.videoAsync(videoFrame, timestamp: timestamp)
  }

  /// Has a frame of a live stream segmented; returns at once. The result comes through `liveResults`, unless the task
  /// is busy: then the frame is dropped and counted in `droppedFrameCount`.
  ///
  /// - Parameter timestamp: the time of the frame, later than that of the last one.
  /// - Throws: `VisionTaskError` for mirrored orientations, for a time that is not later, and
  ///   unless the task runs in live-stream mode. The next frame may succeed.
  public func segmentAsync(image: MPImage, timestamp: Duration) throws {
    try runner.send(image, timestamp: timestamp)
  }
}
