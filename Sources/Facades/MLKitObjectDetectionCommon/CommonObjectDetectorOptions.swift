import SwiftletTracking

/// The options that all detectors have in common. Create one of the subclasses.
///
/// A detector takes over what is set when it is made; later changes do nothing to it.
open class CommonObjectDetectorOptions: NSObject {
  /// Whether objects get labels. Without it, a custom model is checked but not used.
  open var shouldEnableClassification = false
  /// Whether several objects are found, up to ``maxObjectCount``, and not only the most prominent one.
  open var shouldEnableMultipleObjects = false
  /// The mode of the detector: single images or a stream.
  open var detectorMode = ObjectDetectorMode.stream

  // MARK: Additions to ML Kit's options

  /// The model that finds objects: any object detection model. `nil` for ``ObjectDetector/defaultLocalizerModel``, and
  /// where there is none for the bundled one, which was trained on synthetic images and is not meant for photographs.
  public var localizerModel: LocalModel?
  /// The most objects when several are found, 1…100.
  open var maxObjectCount = 5
  /// When a stream's frames are searched for objects.
  open var streamPolicy = StreamPolicy.synchronous(every: 1)
  /// The options for tracking objects in a stream: how long one is remembered, from what score on it is taken up.
  open var trackingOptions = ObjectTrackerOptions.defaultTracking
  /// The most threads that a model uses, the caller's included.
  open var threadCount = 1
  /// The queue on which completion handlers are called. A command-line program that does not run its main queue must
  /// name another one.
  open var completionQueue = DispatchQueue.main
  /// Whether `results(in:)` refuses to block the main thread. True by default on Apple's platforms, false elsewhere,
  /// where programs work on it.
  open var strictMainThreadCheck = MainThread.isGuarded

  override init() {}

  /// What names objects; `nil` for nothing.
  var classifier: ClassifierRecipe? { nil }
}

/// Options of a detector without a custom model.
///
/// ML Kit then names objects by a coarse classifier of its own. This package brings none: objects have no labels unless
/// one is configured.
open class ObjectDetectorOptions: CommonObjectDetectorOptions {
  /// A classifier to use in place of ML Kit's coarse one, if ``CommonObjectDetectorOptions/shouldEnableClassification``
  /// is set: an addition to ML Kit's options.
  open var coarseClassifierModel: LocalModel?

  /// Creates options for a stream, one object and no labels, as in ML Kit.
  public override init() { super.init() }

  override var classifier: ClassifierRecipe? {
    coarseClassifierModel.map { ClassifierRecipe(source: .local($0)) }
  }
}

/// Options of a detector that names objects by an image classification model of the app.
///
/// The custom model says *what* objects are; *where* they are is found by another model, the localizer. An object
/// detection model is refused here: it belongs into ``CommonObjectDetectorOptions/localizerModel``.
open class CustomObjectDetectorOptions: CommonObjectDetectorOptions {
  /// Labels with a lower confidence are left out; 0…1. `nil`, and everything else, leaves it to the model's metadata;
  /// without a threshold there it is 0.
  open var classificationConfidenceThreshold: NSNumber?
  /// The most labels of an object; 0 and less stand for 10.
  open var maxPerObjectLabelCount = 10

  // MARK: Additions to ML Kit's options

  /// The normalization of pixels for models whose metadata does not say it: `(byte − mean) / standard deviation`.
  open var inputNormalization: InputNormalization?
  /// The names of the classes in place of those in the model, one per class.
  open var labels: [String]?
  /// The language of labels, for models that have them in several.
  open var locale = "en"
  /// The margin around an object that the model sees on each side, as a share of the object's size.
  open var cropMargin = 0.0
  /// The manager that finds a remote model on this device.
  open var modelManager = ModelManager.modelManager()
  private let source: ClassifierRecipe.Source

  /// Creates options for a detector with a classification model that is a file on this device.
  public init(localModel: LocalModel) {
    source = .local(localModel)
    super.init()
  }

  /// Creates options for a detector with a classification model that has been downloaded. Ask
  /// `ModelManager.isModelDownloaded(_:)` before: a detector whose model is missing gives an error.
  public init(remoteModel: CustomRemoteModel) {
    source = .remote(remoteModel)
    super.init()
  }

  override var classifier: ClassifierRecipe? {
    var recipe = ClassifierRecipe(source: source)
    recipe.modelManager = modelManager
    recipe.confidenceThreshold = classificationConfidenceThreshold?.floatValue
    recipe.maxLabelCount = maxPerObjectLabelCount
    recipe.inputNormalization = inputNormalization
    recipe.labels = labels
    recipe.locale = locale
    recipe.cropMargin = cropMargin
    return recipe
  }
}

/// The mode of a detector: single images or a stream, with ML Kit's raw values.
public struct ObjectDetectorMode: RawRepresentable, Sendable, Hashable {
  /// The number of the mode in ML Kit.
  public let rawValue: Int

  /// Creates a mode of this number. Detectors refuse numbers without a mode.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Images that have nothing to do with each other. Every result is complete, and objects have no IDs.
  public static let singleImage = ObjectDetectorMode(rawValue: 0)
  /// The frames of a camera or a video. Objects have IDs by which they can be followed; their labels may come some
  /// frames later.
  public static let stream = ObjectDetectorMode(rawValue: 1)

  /// Returns whether the mode is a stream's.
  ///
  /// - Throws: `MLKitError` for a value that is no mode.
  func isStream() throws(MLKitError) -> Bool {
    switch self {
    case .singleImage: return false
    case .stream: return true
    default:
      throw MLKitError(
        .invalidArgument, "there is no detector mode \(rawValue); give .singleImage (0) or .stream (1)")
    }
  }
}
