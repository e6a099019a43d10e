public import SwiftletImage
public import SwiftletTasks

/// The options of an ``ObjectDetector``.
public struct ObjectDetectorOptions: Sendable, Hashable {
  /// The model, and how it runs.
  public var baseOptions: BaseOptions
  /// The locale of display names, for models that have them: `en`, `de`, …
  public var displayNamesLocale: String
  /// The maximum number of objects to return, at least 1; `nil` for all.
  public var maxResults: Int?
  /// The minimum score. Objects with a lower score are not returned.
  public var scoreThreshold: Float
  /// If not empty, the names of the only categories to return.
  public var categoryAllowlist: [String]
  /// The names of categories that are not returned. Mutually exclusive with the allowlist.
  public var categoryDenylist: [String]

  /// Creates options. Parameters that you omit have their default values.
  public init(
    baseOptions: BaseOptions, displayNamesLocale: String = "en",
    maxResults: Int? = nil, scoreThreshold: Float = 0, categoryAllowlist: [String] = [], categoryDenylist: [String] = []
  ) {
    self.baseOptions = baseOptions
    self.displayNamesLocale = displayNamesLocale
    self.maxResults = maxResults
    self.scoreThreshold = scoreThreshold
    self.categoryAllowlist = categoryAllowlist
    self.categoryDenylist = categoryDenylist
  }

  func validate() throws(TaskError) {
    try CategoryFilter.validate(maxResults: maxResults)
    try CategoryFilter.validate(
      scoreThreshold: scoreThreshold, allow: categoryAllowlist, deny: categoryDenylist)
  }
}

/// Detects objects in images, with a box and categories for each.
///
/// ```swift
/// let detector = try ObjectDetector(.file("efficientdet_lite0.tflite")) { $0.scoreThreshold = 0.5 }
/// for object in try detector.objects(in: image) { print(object.label ?? "object", object.score, object.box) }
/// ```
/// It runs models that perform non-maximum suppression themselves (four outputs: boxes, classes, scores, and count),
/// and models with raw boxes and scores whose metadata describes the anchors.
///
/// - Thread safety: callable concurrently; calls on one task run one at a time, unless `BaseOptions.maxConcurrentCalls`
///   is raised.
public final class ObjectDetector: RegionTask {
  /// The objects of an image, in the model's order (best first).
  public typealias Output = [ObjectDetection]

  private let runner: TaskRunner<ObjectDetectorPipeline>

  /// The capacity of a batch of images.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }
  /// The category names of all outputs of the model; empty if the model has no labels.
  public let categoryNames: [String]

  /// Creates an object detector.
  ///
  /// - Throws: `TaskError` if options contradict each other, or the model is missing or is not an object detection
  ///   model.
  public init(options: ObjectDetectorOptions) throws(TaskError) {
    try options.validate()
    var names: [String] = []
    runner = try TaskRunner(options.baseOptions, name: "objectDetector") {
      try ObjectDetectorPipeline(options, $0)
    } inspect: {
      names = $0.labels?.labels ?? []
    }
    categoryNames = names
  }

  /// Creates an object detector with default options, unless `configure` changes them.
  ///
  /// - Throws: The same errors as ``init(options:)``.
  public convenience init(
    _ model: ModelSource, configure: (inout ObjectDetectorOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = ObjectDetectorOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  // MARK: Images

  /// Returns the objects in an image, or in a part of it; blocks until done.
  ///
  /// - Parameters:
  ///   - image: An image of any size, in any orientation.
  ///   - region: The part, in coordinates of the stored image; `nil` for the whole image. It may be rotated. The
  ///     results are in coordinates of the whole image.
  /// - Throws: `TaskError`, such as `invalidRegion` for a region without an area. The next call may succeed.
  public func objects(in image: InputImage, region: NormalizedRect? = nil) throws(TaskError) -> [ObjectDetection] {
    try runner.output(for: VisionInput(image, region: region))
  }

  /// Returns the objects in an image, or in a part of it, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func objects(in image: InputImage, region: NormalizedRect? = nil, priority: TaskPriority) async throws
    -> [ObjectDetection]
  {
    try await runner.output(for: VisionInput(image, region: region), priority: priority)
  }

  /// Returns the objects in many images, in order; see ``Batch``.
  public func objects(inContentsOf images: some Sequence<InputImage> & Sendable) -> Batch<InputImage, [ObjectDetection]>
  {
    runner.batch(BatchSources(images)) { VisionInput($0) }
  }

  /// Returns the objects in many images, in order; `load` creates each image; see ``Batch``.
  public func objects<Sources: Sequence & Sendable>(
    inContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, [ObjectDetection]> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  /// Returns the objects in many images, in order; `load` creates each image from an element of an asynchronous
  /// sequence; see ``Batch``.
  public func objects<Sources: AsyncSequence & Sendable>(
    inContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, [ObjectDetection]> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  // MARK: Videos and cameras

  /// Opens a session for the frames of one video.
  public func video() -> VideoSession<ObjectDetector> { VideoSession(runner.session()) }
}

extension VideoSession where SomeTask == ObjectDetector {
  /// Returns the objects in the next frame of the video, or in a part of it; blocks until done.
  ///
  /// - Parameters:
  ///   - frame: The frame, in any orientation.
  ///   - region: The part, in coordinates of the stored image; `nil` for the whole image.
  ///   - time: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: `TaskError`, such as `timeNotIncreasing`. The session is then unchanged.
  public func objects(in frame: InputImage, region: NormalizedRect? = nil, at time: Duration) throws(TaskError)
    -> [ObjectDetection]
  {
    try output(for: frame, region: region, at: time)
  }

  /// Returns the objects in the next frame of the video, or in a part of it, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func objects(
    in frame: InputImage, region: NormalizedRect? = nil, at time: Duration, priority: TaskPriority
  ) async throws -> [ObjectDetection] {
    try await output(for: frame, region: region, at: time, priority: priority)
  }
}

/// An object in an image.
public struct ObjectDetection: Sendable, Hashable {
  /// The categories, best first: usually one, or several if a model assigns several classes to the same box.
  public var categories: [ResultCategory]
  /// The box of the object, in whole pixels of the stored image.
  public var box: PixelRect
  /// The keypoints of the object, as fractions of the stored image's size; empty for models without keypoints.
  public var keypoints: [NormalizedPoint]

  /// Creates an object.
  public init(categories: [ResultCategory], box: PixelRect, keypoints: [NormalizedPoint] = []) {
    self.categories = categories
    self.box = box
    self.keypoints = keypoints
  }

  /// The best score, 0…1; 0 if there are no categories.
  public var score: Float { categories.first?.score ?? 0 }
  /// The name of the best category; `nil` if the model has no labels.
  public var label: String? { categories.first?.categoryName }
}
