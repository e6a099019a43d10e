public import SwiftletImage
import SwiftletSchema
public import SwiftletTasks

/// The options of an ``ImageSegmenter``.
public struct ImageSegmenterOptions: Sendable, Hashable {
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
    baseOptions: BaseOptions, displayNamesLocale: String = "en",
    outputs: SegmentationOutputs = .confidenceMasks, maskResolution: MaskResolution = .image
  ) {
    self.baseOptions = baseOptions
    self.displayNamesLocale = displayNamesLocale
    self.outputs = outputs
    self.maskResolution = maskResolution
  }

  func validate() throws(TaskError) {
    guard !outputs.isEmpty else {
      throw TaskError(.invalidOption, "outputs must name at least one kind of mask, got none")
    }
  }
}

/// Segments images: assigns a category to every pixel.
///
/// ```swift
/// let segmenter = try ImageSegmenter(.file("deeplabv3.tflite"))
/// for (label, mask) in zip(segmenter.labels, try segmenter.segmentation(of: image).confidenceMasks) {
///   print(label, mask.pixels.max() ?? 0)
/// }
/// ```
/// Masks have the size of the stored image. If the image is rotated, the masks show the upright content, stretched to
/// that size and not rotated back, as in MediaPipe. For an image with a quarter turn, it is simplest to rotate the
/// image first (`ImageBuffer.oriented`). Models with an alpha channel ignore the orientation.
///
/// - Thread safety: callable concurrently; calls on one task run one at a time, unless `BaseOptions.maxConcurrentCalls`
///   is raised.
public final class ImageSegmenter: VisionTask {
  /// The masks of an image.
  public typealias Output = Segmentation

  private let runner: TaskRunner<ImageSegmenterPipeline>

  /// The capacity of a batch of images.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }
  /// The names of the categories, in the order of the confidence masks; empty if the model has no label file.
  public let labels: [String]
  /// The category names in the requested locale; empty if the model has none.
  public let displayNames: [String]

  /// Creates an image segmenter.
  ///
  /// - Throws: `TaskError` if no masks are requested, or the model is missing or is not an image segmentation model.
  public init(options: ImageSegmenterOptions) throws(TaskError) {
    try options.validate()
    var names: LabelMap?
    runner = try TaskRunner(options.baseOptions, name: "imageSegmenter") {
      try ImageSegmenterPipeline(options, $0)
    } inspect: {
      names = $0.decoder.labels
    }
    labels = names?.labels ?? []
    displayNames = names?.displayNames ?? []
  }

  /// Creates an image segmenter with default options, unless `configure` changes them.
  ///
  /// - Throws: The same errors as ``init(options:)``.
  public convenience init(
    _ model: ModelSource, configure: (inout ImageSegmenterOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = ImageSegmenterOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  // MARK: Images

  /// Returns the segmentation of an image; blocks until done.
  ///
  /// - Parameter image: An image of any size, in any orientation.
  /// - Throws: `TaskError` if the model cannot run. The next call may succeed.
  public func segmentation(of image: InputImage) throws(TaskError) -> Segmentation {
    try runner.output(for: VisionInput(image))
  }

  /// Returns the segmentation of an image, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func segmentation(of image: InputImage, priority: TaskPriority) async throws -> Segmentation {
    try await runner.output(for: VisionInput(image), priority: priority)
  }

  /// Returns the segmentation of many images, in order; see ``Batch``.
  public func segmentations(ofContentsOf images: some Sequence<InputImage> & Sendable) -> Batch<
    InputImage, Segmentation
  > {
    runner.batch(BatchSources(images)) { VisionInput($0) }
  }

  /// Returns the segmentation of many images, in order; `load` creates each image; see ``Batch``.
  public func segmentations<Sources: Sequence & Sendable>(
    ofContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, Segmentation> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  /// Returns the segmentation of many images, in order; `load` creates each image from an element of an asynchronous
  /// sequence; see ``Batch``.
  public func segmentations<Sources: AsyncSequence & Sendable>(
    ofContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, Segmentation> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  // MARK: Videos and cameras

  /// Opens a session for the frames of one video.
  public func video() -> VideoSession<ImageSegmenter> { VideoSession(runner.session()) }
}

extension VideoSession where SomeTask == ImageSegmenter {
  /// Returns the segmentation of the next frame of the video; blocks until done.
  ///
  /// - Parameters:
  ///   - frame: The frame, in any orientation.
  ///   - time: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: `TaskError`, such as `timeNotIncreasing`. The session is then unchanged.
  public func segmentation(of frame: InputImage, at time: Duration) throws(TaskError) -> Segmentation {
    try output(for: frame, at: time)
  }

  /// Returns the segmentation of the next frame of the video, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func segmentation(
    of frame: InputImage, at time: Duration, priority: TaskPriority
  ) async throws -> Segmentation {
    try await output(for: frame, at: time, priority: priority)
  }
}

/// The masks of an image.
public struct Segmentation: Sendable, Equatable {
  /// The category of every pixel; `nil` unless requested.
  public var categoryMask: CategoryMask?
  /// A confidence mask for each category, in the order of the labels; empty unless requested. A model with one output
  /// channel returns one mask.
  public var confidenceMasks: [ConfidenceMask]
  /// The model's estimate of the quality of each confidence mask; all 1 for models without this output.
  public var qualityScores: [Float]

  /// Creates the masks of an image.
  public init(categoryMask: CategoryMask?, confidenceMasks: [ConfidenceMask], qualityScores: [Float]) {
    self.categoryMask = categoryMask
    self.confidenceMasks = confidenceMasks
    self.qualityScores = qualityScores
  }
}

/// The masks that a segmenter returns.
public struct SegmentationOutputs: OptionSet, Sendable, Hashable {
  /// The raw bits of the set.
  public let rawValue: Int

  /// Creates a set from raw bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A mask with the category of every pixel.
  public static let categoryMask = SegmentationOutputs(rawValue: 1)
  /// A confidence mask for each category.
  public static let confidenceMasks = SegmentationOutputs(rawValue: 2)
}

/// The size of the masks that a segmenter returns.
public enum MaskResolution: Sendable, Hashable {
  /// The size of the image, as in MediaPipe.
  case image
  /// The size of the model's output. This contains the same information and takes much less time and memory.
  case model
}
