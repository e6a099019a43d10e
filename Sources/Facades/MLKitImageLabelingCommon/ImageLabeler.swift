import SwiftletModels
import SwiftletTasks
@_spi(Facades) import SwiftletTracking
import SwiftletVision

/// A labeler of images.
///
/// - Thread safety: callable concurrently; calls on one labeler are answered one after the other, in the order in which
///   they come.
open class ImageLabeler: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked; this one has constants only, all of them Sendable.

  /// A labeler, and the local model whose file it uses: while it lives, the store does not remove it.
  private struct Product: Sendable {
    var labeler: FrameLabeler
    var model: LocalModel?
  }

  private let product: Once<Product>
  private let pictures: ImageQueue

  private init(_ options: CommonImageLabelerOptions) {
    let (recipe, threadCount) = (options.classifier, options.threadCount)
    product = Once { () throws(MLKitError) in
      let (options, model) = try recipe.options(threads: threadCount)
      return try reportingMLKitErrors { () throws(TaskError) in
        Product(labeler: try FrameLabeler(options: options), model: model)
      }
    }
    pictures = ImageQueue(
      of: "imagelabeler", completionQueue: options.completionQueue, refusesMainThread: options.strictMainThreadCheck)
  }

  /// A labeler with these options; changing them later changes nothing.
  ///
  /// What is wrong with a model or an option is the error of the first image, and of every later one.
  /// ``make(options:)`` throws it at once.
  public class func imageLabeler(options: CommonImageLabelerOptions) -> ImageLabeler { ImageLabeler(options) }

  /// A labeler with these options, whose model is there and can be used: an addition to ML Kit's interface.
  ///
  /// - Throws: `MLKitError` that says what is wrong with the options or the model.
  public class func make(options: CommonImageLabelerOptions) throws -> ImageLabeler {
    let labeler = ImageLabeler(options)
    _ = try labeler.product.product()
    return labeler
  }

  /// Names an image. Returns at once; may be called on any thread.
  ///
  /// The image's pixels are read on the labeler's own queue when its turn has come. Until then its buffer is held and
  /// must not be written to.
  ///
  /// - Parameters:
  ///   - image: the image.
  ///   - completion: gets the labels, best first, or an `MLKitError`, on the options' completion queue: the main one,
  ///     unless another was named. An empty list is no error.
  open func process(_ image: any MLKitCompatibleImage, completion: @escaping ImageLabelingCallback) {
    pictures.later(image, completion: completion) { [self] request throws(MLKitError) in try labels(request) }
  }

  /// The image's labels, best first, without blocking the thread. Its pixels are read on the labeler's own
  /// queue.
  ///
  /// - Throws: `MLKitError`, and `CancellationError` when cancelled before the image's turn has come.
  nonisolated(nonsending) open func process(_ image: any MLKitCompatibleImage) async throws -> [ImageLabel] {
    try await pictures.value(image) { [self] request throws(MLKitError) in try labels(request) }
  }

  /// The image's labels, best first; blocks until they are known.
  ///
  /// - Throws: `MLKitError`; `calledOnMainThread` on the main thread, where the options' `strictMainThreadCheck` is set.
  open func results(in image: any MLKitCompatibleImage) throws -> [ImageLabel] {
    try pictures.now(image) { request throws(MLKitError) in try labels(request) }
  }

  /// The names of the classes, by index: an addition to ML Kit's interface.
  ///
  /// - Throws: `MLKitError` that says what is wrong with the options or the model.
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

/// Receives an image's labels, or an error. An empty list is no error: no class was likely enough.
public typealias ImageLabelingCallback = ([ImageLabel]?, (any Error)?) -> Void

/// A label of an image, with the confidence of the classifier: `text`, `index` and `confidence`.
public final class ImageLabel: ClassLabel, @unchecked Sendable {}

/// The options that all labelers have in common. Create one of the subclasses.
///
/// A labeler takes over what is set when it is made; later changes do nothing to it.
open class CommonImageLabelerOptions: NSObject {
  /// Labels with a lower confidence are left out; 0…1. What `nil`, and everything else, stands for is said by the
  /// subclasses.
  open var confidenceThreshold: NSNumber?

  // MARK: Additions to ML Kit's options

  /// The most threads that a model uses, the caller's included.
  open var threadCount = 1
  /// The queue on which completion handlers are called. A command-line program that does not run its main queue must
  /// name another one.
  open var completionQueue = DispatchQueue.main
  /// Whether `results(in:)` refuses to block the main thread. True by default on Apple's platforms, false elsewhere,
  /// where programs work on it.
  open var strictMainThreadCheck = MainThread.isGuarded

  override init() {}

  /// What names images.
  var classifier: ClassifierRecipe { ClassifierRecipe(source: .builtIn(.embedded(.imageClassifier))) }
}

/// Options of a labeler without a custom model.
///
/// ML Kit then uses a model of its own for photographs. This package has none: it uses its own classifier
/// (`EmbeddedModel.imageClassifier` of `SwiftletModels`), which was trained on synthetic images and is not meant for
/// photographs, unless the app configures another one.
open class ImageLabelerOptions: CommonImageLabelerOptions {
  /// The threshold that ML Kit uses when the options have none.
  private static let defaultThreshold: Float = 0.5

  /// The classifier to use in place of the bundled one: an addition to ML Kit's options.
  open var labelerModel: LocalModel?

  /// Creates options without a threshold, which stands for 0.5.
  public override init() { super.init() }

  override var classifier: ClassifierRecipe {
    var recipe = labelerModel.map { ClassifierRecipe(source: .local($0)) } ?? super.classifier
    let threshold = confidenceThreshold?.floatValue ?? .nan
    recipe.confidenceThreshold = (0...1).contains(threshold) ? threshold : Self.defaultThreshold
    return recipe
  }
}

/// Options of a labeler that names images by an image classification model of the app.
///
/// Without a threshold of the app's, that of the model's metadata counts; without one there it is 0.
open class CustomImageLabelerOptions: CommonImageLabelerOptions {
  /// The most labels of an image; 0 and less stand for 10.
  open var maxResultCount = 10

  // MARK: Additions to ML Kit's options

  /// The normalization of pixels for models whose metadata does not say it: `(byte − mean) / standard deviation`.
  open var inputNormalization: InputNormalization?
  /// The names of the classes in place of those in the model, one per class.
  open var labels: [String]?
  /// The language of labels, for models that have them in several.
  open var locale = "en"
  /// The manager that finds a remote model on this device.
  open var modelManager = ModelManager.modelManager()
  private let source: ClassifierRecipe.Source

  /// Creates options for a labeler with a model that is a file on this device.
  public init(localModel: LocalModel) {
    source = .local(localModel)
    super.init()
  }

  /// Creates options for a labeler with a model that has been downloaded. Ask `ModelManager.isModelDownloaded(_:)`
  /// before: a labeler whose model is missing gives an error.
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
