public import Foundation

/// What the options of tasks that name classes have in common.
open class ClassifyingOptions: NSObject {
  /// The model and how it is run. What is assigned is copied; what is read may be changed in place.
  open var baseOptions = BaseOptions() {
    didSet { baseOptions = baseOptions.duplicate() }
  }
  /// Which classes are reported. What is assigned is copied; what is read may be changed in place.
  open var classificationOptions = ClassificationOptions() {
    didSet { classificationOptions = classificationOptions.duplicate() }
  }

  /// Options that name no model yet.
  public override init() {}

  /// Options for the model at a path.
  public init(modelPath: String) {
    super.init()
    baseOptions.modelFile.filePath = modelPath
  }
}
