import SwiftletSchema

/// Says which pixels of a picture belong to what a user points at.
///
/// ```swift
/// let segmenter = try InteractiveSegmenter(model: .file("magic_touch.tflite"))
/// let result = try segmenter.segment(image, region: .point(NormalizedPoint(x: 0.5, y: 0.3)))
/// ```
/// The model takes pictures with four channels. The fourth is not the picture's own alpha but the region: a disc of 255
/// for every point, as large as a 256th of the picture's longer side and at least three pixels, and 0 elsewhere. Masks
/// are made as by an ``ImageSegmenter``, which the orientation of pictures means nothing to either with such models.
///
/// There are no running modes, as with MediaPipe: every picture has a region of its own.
///
/// - Thread safety: callable concurrently; calls on one segmenter run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class InteractiveSegmenter: Sendable {
  private let runner: VisionTaskRunner<ImageSegmenterResult>

  /// The names of the classes, in the order of the confidence masks; empty when the model has no label file.
  public let labels: [String]
  /// The names in the language asked for; empty when the model has none.
  public let displayNames: [String]

  /// - Throws: `TaskError` when no masks are asked for, or the model is missing, is not an image segmentation model, or
  ///   has no channel for the region.
  public init(options: InteractiveSegmenterOptions) throws(TaskError) {
    let options = options.segmenter
    try options.validate()
    var names: LabelMap?
    runner = try VisionTaskRunner(
      runningMode: .image, calls: options.baseOptions.callLimits, taskName: "interactiveSegmenter"
    ) {
      try ImageSegmenterPipeline(options, takesRegion: true)
    } inspect: {
      names = $0.decoder.labels
    }
    labels = names?.labels ?? []
    displayNames = names?.displayNames ?? []
  }

  /// A segmenter with default options, unless `configure` says otherwise.
  ///
  /// - Throws: `TaskError`, as ``init(options:)``.
  public convenience init(
    model: ModelSource, configure: (inout InteractiveSegmenterOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = InteractiveSegmenterOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  /// Segments a picture of any size; blocks until done.
  ///
  /// - Throws: `TaskError` for mirrored orientations, for a scribble without points (`invalidRegion`), and for points
  ///   that are not finite. The next call may succeed.
  public func segment(_ image: MPImage, region: InteractiveRegion) throws(TaskError) -> ImageSegmenterResult {
    try runner.image(try Self.marked(image, region))
  }

  /// Segments a picture of any size, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the picture's turn has come.
  public func segment(_ image: MPImage, region: InteractiveRegion) async throws -> ImageSegmenterResult {
    try await runner.imageAsync(try Self.marked(image, region))
  }

  /// How many images of a batch the task takes.
  package var batchCapacity: BatchCapacity { runner.batchCapacity }

  private static func marked(_ image: MPImage, _ region: InteractiveRegion) throws(TaskError) -> MPImage {
    try region.validate()
    return try TaskError.wrapping { try image.replacingPixels { try $0.marked(region.points) } }
  }
}
