public import SwiftletImage
public import SwiftletTasks

/// The options of an ``ImageClassifier``.
public struct ImageClassifierOptions: Sendable, Hashable, ClassChoosing {
  /// The model, and how it runs.
  public var baseOptions: BaseOptions
  /// The locale of display names, for models that have them: `en`, `de`, …
  public var displayNamesLocale: String
  /// The maximum number of classes per output of the model, at least 1; `nil` for all.
  public var maxResults: Int?
  /// The minimum score. Classes with a lower score are not reported. As in MediaPipe, a threshold in the model's
  /// metadata is ignored.
  public var scoreThreshold: Float
  /// If not empty, the names of the only categories to report.
  public var categoryAllowlist: [String]
  /// The names of categories that are not reported. Mutually exclusive with the allowlist.
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
    try categories.validate()
  }
}

/// Classifies images.
///
/// ```swift
/// let classifier = try ImageClassifier(.file("efficientnet_lite0.tflite")) { $0.maxResults = 3 }
/// for category in try classifier.classification(of: image).categories {
///   print(category.categoryName ?? "", category.score)
/// }
/// ```
/// - Thread safety: callable concurrently; calls on one task run one at a time, unless `BaseOptions.maxConcurrentCalls`
///   is raised.
public final class ImageClassifier: RegionTask {
  /// The categories of an image.
  public typealias Output = Classification

  private let runner: TaskRunner<ImageClassifierPipeline>

  /// The capacity of a batch of images.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }
  /// The category names of all outputs of the model; empty if the model has no labels.
  public let categoryNames: [String]

  /// Creates an image classifier.
  ///
  /// - Throws: `TaskError` if options contradict each other, or the model is missing or is not an image
  ///   classification model.
  public init(options: ImageClassifierOptions) throws(TaskError) {
    try options.validate()
    var names: [String] = []
    runner = try TaskRunner(options.baseOptions, name: "imageClassifier") {
      try ImageClassifierPipeline(options, $0)
    } inspect: {
      names = $0.categoryNames
    }
    categoryNames = names
  }

  /// Creates an image classifier with default options, unless `configure` changes them.
  ///
  /// - Throws: The same errors as ``init(options:)``.
  public convenience init(
    _ model: ModelSource, configure: (inout ImageClassifierOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = ImageClassifierOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  // MARK: Images

  /// Returns the classification of an image, or of a part of it; blocks until done.
  ///
  /// - Parameters:
  ///   - image: An image of any size, in any orientation.
  ///   - region: The part, in coordinates of the stored image; `nil` for the whole image. It may be rotated.
  /// - Throws: `TaskError`, such as `invalidRegion` for a region without an area. The next call may succeed.
  public func classification(of image: InputImage, region: NormalizedRect? = nil) throws(TaskError) -> Classification {
    try runner.output(for: VisionInput(image, region: region))
  }

  /// Returns the classification of an image, or of a part of it, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func classification(of image: InputImage, region: NormalizedRect? = nil, priority: TaskPriority) async throws
    -> Classification
  {
    try await runner.output(for: VisionInput(image, region: region), priority: priority)
  }

  /// Returns the classification of many images, in order; see ``Batch``.
  public func classifications(ofContentsOf images: some Sequence<InputImage> & Sendable) -> Batch<
    InputImage, Classification
  > {
    runner.batch(BatchSources(images)) { VisionInput($0) }
  }

  /// Returns the classification of many images, in order; `load` creates each image; see ``Batch``.
  public func classifications<Sources: Sequence & Sendable>(
    ofContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, Classification> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  /// Returns the classification of many images, in order; `load` creates each image from an element of an asynchronous
  /// sequence; see ``Batch``.
  public func classifications<Sources: AsyncSequence & Sendable>(
    ofContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, Classification> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  // MARK: Videos and cameras

  /// Opens a session for the frames of one video.
  public func video() -> VideoSession<ImageClassifier> { VideoSession(runner.session()) }
}

extension VideoSession where SomeTask == ImageClassifier {
  /// Returns the classification of the next frame of the video, or of a part of it; blocks until done.
  ///
  /// - Parameters:
  ///   - frame: The frame, in any orientation.
  ///   - region: The part, in coordinates of the stored image; `nil` for the whole image.
  ///   - time: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: `TaskError`, such as `timeNotIncreasing`. The session is then unchanged.
  public func classification(of frame: InputImage, region: NormalizedRect? = nil, at time: Duration) throws(TaskError)
    -> Classification
  {
    try output(for: frame, region: region, at: time)
  }

  /// Returns the classification of the next frame of the video, or of a part of it, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func classification(
    of frame: InputImage, region: NormalizedRect? = nil, at time: Duration, priority: TaskPriority
  ) async throws -> Classification {
    try await output(for: frame, region: region, at: time, priority: priority)
  }
}

/// The steps from an image to its classification.
///
/// - Source: MediaPipe's image classifier. In addition, models with int8 outputs are accepted, and models without
///   metadata if `BaseOptions.inputNormalization` is set.
final class ImageClassifierPipeline: VisionPipeline {
  private let model: VisionModel
  private var heads: ClassificationHeads

  init(_ options: ImageClassifierOptions, _ context: ModelContext) throws {
    model = try VisionModel(context, input: .stretched)
    heads = try ClassificationHeads(model.base, options.categories, task: "image classification")
  }

  var categoryNames: [String] { heads.categoryNames }

  func process(_ input: VisionInput) throws -> Classification {
    _ = try model.run(input.image, region: input.region)
    return try heads.decode(model.base)
  }
}
