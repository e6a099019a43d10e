/// Which model says what objects are, and which of its labels count.
public struct ObjectClassifierOptions: Sendable, Hashable {
  /// The most labels of an object, unless another number is given.
  public static let defaultMaxLabelCount = 10

  /// An image classification model. `inputNormalization` replaces what its metadata says.
  public var baseOptions: BaseOptions
  /// Names of the classes in place of those in the model, one per class; `nil` for the model's own.
  public var labels: [String]?
  /// The language of the labels, for models that have them in several: `en`, `de`, …
  public var locale: String
  /// Labels with a lower confidence are left out. `nil`, and everything outside of 0…1, leaves it to the model's
  /// metadata; without a threshold there it is 0.
  public var confidenceThreshold: Float?
  /// The most labels of an object; less than 1 stands for ``defaultMaxLabelCount``.
  public var maxLabelCount: Int
  /// How much of its surroundings the classifier sees on each side of an object, as a share of the object's size. For
  /// models that were trained so.
  public var cropMargin: Double
  /// Names of the classes for a model that has none itself.
  package var labelsOfUnlabelledModel: [String]?

  /// Options of a classifier; those that are not given have the values above.
  public init(
    baseOptions: BaseOptions, labels: [String]? = nil, locale: String = "en", confidenceThreshold: Float? = nil,
    maxLabelCount: Int = ObjectClassifierOptions.defaultMaxLabelCount, cropMargin: Double = 0
  ) {
    self.baseOptions = baseOptions
    self.labels = labels
    self.locale = locale
    self.confidenceThreshold = confidenceThreshold
    self.maxLabelCount = maxLabelCount
    self.cropMargin = cropMargin
  }

  func validate() throws(TaskError) {
    guard (0...10).contains(cropMargin) else {
      throw .invalidOption("the classifier's cropMargin must be from 0 to 10, got \(cropMargin)")
    }
  }

  /// Loads the model to check whether it can classify objects, and releases it.
  ///
  /// - Throws: `TaskError` that names the rule which the model breaks, or what is wrong with the options.
  public func checkModel() throws(TaskError) { _ = try ObjectModels.classifier(self) }

  /// The app's threshold if it is one, else that of the metadata, else 0.
  func threshold(inMetadata: Float?) -> Float {
    if let confidenceThreshold, (0...1).contains(confidenceThreshold) { return confidenceThreshold }
    return inMetadata ?? 0
  }

  /// What ``maxLabelCount`` stands for.
  var labelLimit: Int { maxLabelCount > 0 ? maxLabelCount : Self.defaultMaxLabelCount }
}
