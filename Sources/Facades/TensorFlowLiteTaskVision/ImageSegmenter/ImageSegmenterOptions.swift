public import Foundation

/// Which masks are made.
public enum OutputType: UInt, Sendable {
  /// None: an error.
  case unspecified = 0
  /// The class of each pixel.
  case categoryMask = 1
  /// A mask for each class.
  case confidenceMasks = 2
}

/// How pictures are segmented.
open class ImageSegmenterOptions: NSObject {
  /// The model and how it is run. What is assigned is copied; what is read may be changed in place.
  open var baseOptions = BaseOptions() {
    didSet { baseOptions = baseOptions.duplicate() }
  }
  /// Which masks are made.
  open var outputType = OutputType.categoryMask
  /// The language of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = ""

  /// Options that name no model yet.
  public override init() {}

  /// Options for the model at a path.
  public init(modelPath: String) {
    super.init()
    baseOptions.modelFile.filePath = modelPath
  }
}
