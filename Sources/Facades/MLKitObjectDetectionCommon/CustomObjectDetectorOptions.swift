import SwiftletTracking

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

  /// How pixels become the model's numbers, for models whose metadata does not say it: `(byte − mean) / standard
  /// deviation`.
  open var inputNormalization: InputNormalization?
  /// The names of the classes in place of those in the model, one per class.
  open var labels: [String]?
  /// The language of labels, for models that have them in several.
  open var locale = "en"
  /// How much of its surroundings the model sees on each side of an object, as a share of the object's size.
  open var cropMargin = 0.0
  /// The manager that finds a remote model on this device.
  open var modelManager = ModelManager.modelManager()
  private let source: ClassifierRecipe.Source

  /// Names objects by a model that is a file on this device.
  public init(localModel: LocalModel) {
    source = .local(localModel)
    super.init()
  }

  /// Names objects by a model that has been downloaded. Ask `ModelManager.isModelDownloaded(_:)` before: a detector
  /// whose model is missing gives an error.
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
