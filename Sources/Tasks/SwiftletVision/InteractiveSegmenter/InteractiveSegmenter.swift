public import SwiftletImage
import SwiftletSchema
public import SwiftletTasks

/// The options of an ``InteractiveSegmenter``.
public struct InteractiveSegmenterOptions: Sendable, Hashable {
  /// The model, and how it runs.
  public var baseOptions: BaseOptions
  /// The locale of display names, for models that have them: `en`, `de`, …
  public var displayNamesLocale: String
  /// The masks to return.
  public var outputs: SegmentationOutputs
  /// The size of the masks.
  public var maskResolution: MaskResolution

  /// Creates options. Parameters that you omit have their default values.
  public init(
    baseOptions: BaseOptions, displayNamesLocale: String = "en", outputs: SegmentationOutputs = .confidenceMasks,
    maskResolution: MaskResolution = .image
  ) {
    self.baseOptions = baseOptions
    self.displayNamesLocale = displayNamesLocale
    self.outputs = outputs
    self.maskResolution = maskResolution
  }

  /// The options of the image segmenter.
  var segmenter: ImageSegmenterOptions {
    ImageSegmenterOptions(
      baseOptions: baseOptions, displayNamesLocale: displayNamesLocale, outputs: outputs, maskResolution: maskResolution
    )
  }
}

/// Segments the object in an image that a user points at.
///
/// ```swift
/// let segmenter = try InteractiveSegmenter(.file("magic_touch.tflite"))
/// let result = try segmenter.segmentation(of: image, region: .point(NormalizedPoint(x: 0.5, y: 0.3)))
/// ```
/// The model takes images with four channels. The fourth is not the image's own alpha but the region: a disc of 255 for
/// every point, and 0 elsewhere. The diameter of a disc is about 1/256 of the image's longer side, and at least three
/// pixels. Masks are the same as those of an ``ImageSegmenter``, which ignores the orientation for such models.
///
/// Every image has its own region, so there are neither videos nor live sessions.
///
/// - Thread safety: callable concurrently; calls on one segmenter run one at a time, unless
///   `BaseOptions.maxConcurrentCalls` is raised.
public final class InteractiveSegmenter: Sendable {
  private let runner: TaskRunner<ImageSegmenterPipeline>

  /// The capacity of a batch of images.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }

  /// The names of the categories, in the order of the confidence masks; empty if the model has no label file.
  public let labels: [String]
  /// The category names in the requested locale; empty if the model has none.
  public let displayNames: [String]

  /// Creates an interactive segmenter.
  ///
  /// - Throws: `TaskError` if no masks are requested, or the model is missing, is not an image segmentation model, or
  ///   has no input channel for the region.
  public init(options: InteractiveSegmenterOptions) throws(TaskError) {
    let options = options.segmenter
    try options.validate()
    var names: LabelMap?
    runner = try TaskRunner(options.baseOptions, name: "interactiveSegmenter") {
      try ImageSegmenterPipeline(options, $0, takesRegion: true)
    } inspect: {
      names = $0.decoder.labels
    }
    labels = names?.labels ?? []
    displayNames = names?.displayNames ?? []
  }

  /// Creates an interactive segmenter with default options, unless `configure` changes them.
  ///
  /// - Throws: The same errors as ``init(options:)``.
  public convenience init(
    _ model: ModelSource, configure: (inout InteractiveSegmenterOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = InteractiveSegmenterOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  /// Returns the segmentation of the object at a region of an image; blocks until done.
  ///
  /// - Throws: `TaskError` (`invalidRegion`) for a scribble without points, and for points that are not finite. The next
  ///   call may succeed.
  public func segmentation(of image: InputImage, region: InteractiveRegion) throws(TaskError) -> Segmentation {
    try runner.output(for: VisionInput(try Self.marked(image, region)))
  }

  /// Returns the segmentation of the object at a region of an image, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func segmentation(
    of image: InputImage, region: InteractiveRegion, priority: TaskPriority
  ) async throws -> Segmentation {
    try await runner.output(for: VisionInput(try Self.marked(image, region)), priority: priority)
  }

  /// Returns the segmentations of many images, in order; `load` creates each image and its region; see ``Batch``.
  public func segmentations<Sources: Sequence & Sendable>(
    ofContentsOf sources: Sources,
    load: @escaping @Sendable (Sources.Element) async throws -> (image: InputImage, region: InteractiveRegion)
  ) -> Batch<Sources.Element, Segmentation> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { source in
      let (image, region) = try await load(source)
      return VisionInput(try Self.marked(image, region))
    }
  }

  private static func marked(_ image: InputImage, _ region: InteractiveRegion) throws(TaskError) -> InputImage {
    try region.validate()
    return try TaskError.wrapping { try image.replacingPixels { try $0.marked(region.points) } }
  }
}
