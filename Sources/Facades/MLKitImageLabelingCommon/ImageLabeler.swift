import SwiftletModels
import SwiftletTasks
@_spi(Facades) import SwiftletTracking
import SwiftletVision

/// Labels images.
///
/// - Thread safety: callable concurrently; calls on one labeler are processed one by one, in order.
open class ImageLabeler: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class; this one has constants only, all of them `Sendable`.

  /// A labeler, and the local model whose file it uses. As long as it exists, the store does not remove the file.
  private struct Product: Sendable {
    var labeler: FrameLabeler
    var model: LocalModel?
  }

  private let product: Once<Product>
  private let queue: ImageQueue

  private init(_ options: CommonImageLabelerOptions) {
    let (recipe, threadCount) = (options.classifier, options.threadCount)
    product = Once { () throws(MLKitError) in
      let (options, model) = try recipe.options(threads: threadCount)
      return try reportingMLKitErrors { () throws(TaskError) in
        Product(labeler: try FrameLabeler(options: options), model: model)
      }
    }
    queue = ImageQueue(of: "imagelabeler", options)
  }

  /// Returns a labeler with the given options. Later changes to the options have no effect.
  ///
  /// A problem with a model or an option is reported as the error of the first image, and of every later one.
  /// ``make(options:)`` throws it immediately.
  public class func imageLabeler(options: CommonImageLabelerOptions) -> ImageLabeler { ImageLabeler(options) }

  /// Returns a labeler with the given options, after checking that its model exists and is valid. This is an addition
  /// to ML Kit's API.
  ///
  /// - Throws: `MLKitError` with the problem with the options or the model.
  public class func make(options: CommonImageLabelerOptions) throws -> ImageLabeler {
    let labeler = ImageLabeler(options)
    _ = try labeler.product.product()
    return labeler
  }

  /// Labels an image. Returns immediately; may be called on any thread.
  ///
  /// The image's pixels are read on the labeler's own queue when it is processed. Until then, its buffer is retained
  /// and must not be written to.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - completion: Receives the labels, best first, or an `MLKitError`, on the completion queue in the options, which
  ///     is the main queue by default. An empty list is not an error.
  open func process(_ image: any MLKitCompatibleImage, completion: @escaping ImageLabelingCallback) {
    queue.later(image, completion: completion) { [self] request throws(MLKitError) in try labels(request) }
  }

  /// Returns the labels of an image, best first, without blocking the thread. The pixels are read on the labeler's own
  /// queue.
  ///
  /// - Throws: `MLKitError`, and `CancellationError` if the caller is cancelled before the image is processed.
  nonisolated(nonsending) open func process(_ image: any MLKitCompatibleImage) async throws -> [ImageLabel] {
    try await queue.value(image) { [self] request throws(MLKitError) in try labels(request) }
  }

  /// Returns the labels of an image, best first; blocks until done.
  ///
  /// - Throws: `MLKitError`; `calledOnMainThread` on the main thread, if `strictMainThreadCheck` is set in the options.
  open func results(in image: any MLKitCompatibleImage) throws -> [ImageLabel] {
    try queue.now(image) { request throws(MLKitError) in try labels(request) }
  }

  /// The class names by index. This is an addition to ML Kit's API.
  ///
  /// - Throws: `MLKitError` with the problem with the options or the model.
  public var labels: [String] {
    get throws { try product.product().labeler.labels }
  }

  private func labels(_ request: ImageQueue.Request) throws(MLKitError) -> [ImageLabel] {
    let labeler = try product.product().labeler
    let image = try request.image()
    let labels = try reportingMLKitErrors { () throws(TaskError) in try labeler.labels(of: image) }
    return labels.map { ImageLabel(text: $0.text, index: $0.index, confidence: $0.confidence) }
  }
}

/// A closure that receives an image's labels, or an error. An empty list is not an error: no class was above the
/// threshold.
public typealias ImageLabelingCallback = ([ImageLabel]?, (any Error)?) -> Void

/// A label of an image, with the confidence of the classifier: `text`, `index` and `confidence`.
public final class ImageLabel: ClassLabel, @unchecked Sendable {}

/// The options that all labelers share. Create an instance of a subclass.
///
/// A labeler copies the values when it is created; later changes have no effect on it.
open class CommonImageLabelerOptions: CommonVisionOptions {
  /// The minimum confidence, 0…1. Labels with a lower confidence are not reported. The subclasses define the meaning of
  /// `nil` and of other values.
  open var confidenceThreshold: NSNumber?

  override init() {}

  /// The classifier of the labeler.
  var classifier: ClassifierRecipe { ClassifierRecipe(source: .builtIn(.embedded(.imageClassifier))) }
}

/// The options of a labeler without a custom model.
///
/// In this case, ML Kit uses its own model for photos, which this package doesn't have. Unless the app specifies a
/// model, the labeler uses the bundled classifier (`EmbeddedModel.imageClassifier` of `SwiftletModels`), which was
/// trained on synthetic images and doesn't generalize to photos.
open class ImageLabelerOptions: CommonImageLabelerOptions {
  /// ML Kit's threshold if the options have none.
  private static let defaultThreshold: Float = 0.5

  /// The classifier that replaces the bundled one. This is an addition to ML Kit's options.
  open var labelerModel: LocalModel?

  /// Creates options without a threshold, which means 0.5.
  public override init() { super.init() }

  override var classifier: ClassifierRecipe {
    var recipe = labelerModel.map { ClassifierRecipe(source: .local($0)) } ?? super.classifier
    let threshold = confidenceThreshold?.floatValue ?? .nan
    recipe.confidenceThreshold = (0...1).contains(threshold) ? threshold : Self.defaultThreshold
    return recipe
  }
}

/// The options of a labeler with the app's own image classification model.
///
/// Without a threshold in the options, the threshold in the model's metadata is used, or 0 if there is none.
open class CustomImageLabelerOptions: CommonImageLabelerOptions {
  /// The maximum number of labels per image; 0 or less means 10.
  open var maxResultCount = 10

  // MARK: Additions to ML Kit's options

  /// The normalization of pixels for models without one in their metadata: `(byte − mean) / standard deviation`.
  open var inputNormalization: InputNormalization?
  /// The class names, one per class, which replace the labels in the model.
  open var labels: [String]?
  /// The locale of the labels, for models that have them in several languages.
  open var locale = "en"
  /// The manager that looks up a remote model on this device.
  open var modelManager = ModelManager.modelManager()
  private let source: ClassifierRecipe.Source

  /// Creates options for a labeler with a model that is a file on this device.
  public init(localModel: LocalModel) {
    source = .local(localModel)
    super.init()
  }

  /// Creates options for a labeler with a downloaded model. Check `ModelManager.isModelDownloaded(_:)` first: a labeler
  /// whose model is missing reports an error.
  public init(remoteModel: CustomRemoteModel) {
    source = .remote(remoteModel)
    super.init()
  }

  override var classifier: ClassifierRecipe {
    var recipe = ClassifierRecipe(source: source)
    recipe.modelManager = modelManager
    recipe.confidenceThreshold = confidenceThreshold?.floatValue
    recipe.maxLabelCount = maxResultCount
    recipe.inputNormalization = inputNormalization
    recipe.labels = labels
    recipe.locale = locale
    return recipe
  }
}
