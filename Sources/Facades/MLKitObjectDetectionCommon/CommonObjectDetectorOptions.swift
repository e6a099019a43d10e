import SwiftletTracking

/// The options that all detectors share. Create an instance of a subclass.
///
/// A detector copies the values when it is created; later changes have no effect on it.
open class CommonObjectDetectorOptions: CommonVisionOptions {
  /// A Boolean value that indicates whether objects get labels. If not, a custom model is validated but not used.
  open var shouldEnableClassification = false
  /// A Boolean value that indicates whether to detect several objects, up to ``maxObjectCount``, and not only the most
  /// prominent one.
  open var shouldEnableMultipleObjects = false
  /// The mode of the detector: single images or a stream.
  open var detectorMode = ObjectDetectorMode.stream

  // MARK: Additions to ML Kit's options

  /// The localizer, which can be any object detection model. `nil` for ``ObjectDetector/defaultLocalizerModel``, or, if
  /// that is `nil`, the bundled model, which was trained on synthetic images and doesn't generalize to photos.
  public var localizerModel: LocalModel?
  /// The maximum number of objects if several are detected, 1…100.
  open var maxObjectCount = 5
  /// The frames of a stream that are searched for objects.
  open var streamPolicy = StreamPolicy.synchronous(every: 1)
  /// The options for tracking objects in a stream, such as the lifetime of tracks and the score threshold for new ones.
  open var trackingOptions = ObjectTrackerOptions.defaultTracking

  override init() {}

  /// The classifier of the detector; `nil` for objects without labels.
  var classifier: ClassifierRecipe? { nil }
}

/// The options of a detector without a custom model.
///
/// In this case, ML Kit labels objects with its own coarse classifier, which this package doesn't have. Objects have no
/// labels unless the app specifies a classifier.
open class ObjectDetectorOptions: CommonObjectDetectorOptions {
  /// A classifier that replaces ML Kit's coarse classifier, if
  /// ``CommonObjectDetectorOptions/shouldEnableClassification`` is set. This is an addition to ML Kit's options.
  open var coarseClassifierModel: LocalModel?

  /// Creates options for a stream, one object, and no labels, as in ML Kit.
  public override init() { super.init() }

  override var classifier: ClassifierRecipe? {
    coarseClassifierModel.map { ClassifierRecipe(source: .local($0)) }
  }
}

/// The options of a detector with the app's own image classification model.
///
/// The custom model classifies the objects. Another model, the localizer, detects them. An object detection model is
/// rejected here; set it as ``CommonObjectDetectorOptions/localizerModel``.
open class CustomObjectDetectorOptions: CommonObjectDetectorOptions {
  /// The minimum confidence, 0…1. Labels with a lower confidence are not reported. If it is `nil` or out of range, the
  /// threshold in the model's metadata is used, or 0 if there is none.
  open var classificationConfidenceThreshold: NSNumber?
  /// The maximum number of labels per object; 0 or less means 10.
  open var maxPerObjectLabelCount = 10

  // MARK: Additions to ML Kit's options

  /// The normalization of pixels for models without one in their metadata: `(byte − mean) / standard deviation`.
  open var inputNormalization: InputNormalization?
  /// The class names, one per class, which replace the labels in the model.
  open var labels: [String]?
  /// The locale of the labels, for models that have them in several languages.
  open var locale = "en"
  /// The margin that is added on each side of an object for the model, as a fraction of the object's size.
  open var cropMargin = 0.0
  /// The manager that looks up a remote model on this device.
  open var modelManager = ModelManager.modelManager()
  private let source: ClassifierRecipe.Source

  /// Creates options for a detector with a classification model that is a file on this device.
  public init(localModel: LocalModel) {
    source = .local(localModel)
    super.init()
  }

  /// Creates options for a detector with a downloaded classification model. Check `ModelManager.isModelDownloaded(_:)`
  /// first: a detector whose model is missing reports an error.
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
public struct ObjectDetectorMode: RawRepresentable, Sendable, Hashable, StreamMode {
  /// The raw value of the mode in ML Kit.
  public let rawValue: Int

  /// Creates a mode with a raw value. Detectors reject unknown values.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Independent images. Every result is complete, and objects have no IDs.
  public static let singleImage = ObjectDetectorMode(rawValue: 0)
  /// The frames of a camera or a video. Objects have IDs by which they can be tracked; their labels may be available
  /// only after some frames.
  public static let stream = ObjectDetectorMode(rawValue: 1)
}
