/// Options of a labeler that names pictures by an image classification model of the app.
///
/// Without a threshold of the app's, that of the model's metadata counts; without one there it is 0.
open class CustomImageLabelerOptions: CommonImageLabelerOptions {
  /// The most labels of a picture; 0 and less stand for 10.
  open var maxResultCount = 10

  // MARK: Additions to ML Kit's options

  /// How pixels become the model's numbers, for models whose metadata does not say it: `(byte − mean) / standard
  /// deviation`.
  open var inputNormalization: InputNormalization?
  /// The names of the classes in place of those in the model, one per class.
  open var labels: [String]?
  /// The language of labels, for models that have them in several.
  open var locale = "en"
  /// The manager that finds a remote model on this device.
  open var modelManager = ModelManager.modelManager()
  private let source: ClassifierRecipe.Source

  /// Names pictures by a model that is a file on this device.
  public init(localModel: LocalModel) {
    source = .local(localModel)
    super.init()
  }

  /// Names pictures by a model that has been downloaded. Ask `ModelManager.isModelDownloaded(_:)` before: a labeler
  /// whose model is missing gives an error.
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
