import SwiftletModels
import SwiftletVision

/// What the options of all labelers have in common. Make one of the subclasses.
///
/// A labeler takes over what is set when it is made; later changes do nothing to it.
open class CommonImageLabelerOptions: NSObject {
  /// Labels with a lower confidence are left out; 0…1. What `nil`, and everything else, stands for is said by the
  /// subclasses.
  open var confidenceThreshold: NSNumber?

  // MARK: Additions to ML Kit's options

  /// The most threads that a model uses, the caller's included.
  open var threadCount = 1
  /// Where completion handlers are called. A command-line program that does not run its main queue must name another
  /// one.
  open var completionQueue = DispatchQueue.main
  /// Whether `results(in:)` refuses to block the main thread. True by default on Apple's platforms, false elsewhere,
  /// where programs work on it.
  open var strictMainThreadCheck = MainThread.isGuarded

  override init() {}

  /// What names pictures.
  var classifier: ClassifierRecipe { ClassifierRecipe(source: .builtIn(.embedded(.imageClassifier))) }
}

/// Options of a labeler without a custom model.
///
/// ML Kit then uses a model of its own for photographs. This package has none: it uses its own classifier
/// (`EmbeddedModel.imageClassifier` of `SwiftletModels`), which was trained on drawn pictures and is not meant for
/// photographs, unless the app configures another one.
open class ImageLabelerOptions: CommonImageLabelerOptions {
  /// The threshold that ML Kit uses when the options have none.
  private static let defaultThreshold: Float = 0.5

  /// The classifier to use in place of the package's own: an addition to ML Kit's options.
  open var labelerModel: LocalModel?

  /// Options without a threshold, which stands for 0.5.
  public override init() { super.init() }

  override var classifier: ClassifierRecipe {
    var recipe = labelerModel.map { ClassifierRecipe(source: .local($0)) } ?? super.classifier
    let threshold = confidenceThreshold?.floatValue ?? .nan
    recipe.confidenceThreshold = (0...1).contains(threshold) ? threshold : Self.defaultThreshold
    return recipe
  }
}
