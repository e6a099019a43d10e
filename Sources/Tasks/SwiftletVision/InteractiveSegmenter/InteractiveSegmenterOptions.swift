/// How the thing that a user points at is cut out.
public struct InteractiveSegmenterOptions: Sendable, Hashable {
  /// The model and how it is run.
  public var baseOptions: BaseOptions
  /// The language of display names, for models that have them: `en`, `de`, …
  public var displayNamesLocale: String
  /// Whether there is a mask per class that says how sure the model is of it.
  public var shouldOutputConfidenceMasks: Bool
  /// Whether there is a mask that says which class each pixel belongs to.
  public var shouldOutputCategoryMask: Bool
  /// The size of masks.
  public var maskResolution: ImageSegmenterOptions.MaskResolution

  /// Options; what is not given has its default.
  public init(
    baseOptions: BaseOptions, displayNamesLocale: String = "en", shouldOutputConfidenceMasks: Bool = true,
    shouldOutputCategoryMask: Bool = false, maskResolution: ImageSegmenterOptions.MaskResolution = .image
  ) {
    self.baseOptions = baseOptions
    self.displayNamesLocale = displayNamesLocale
    self.shouldOutputConfidenceMasks = shouldOutputConfidenceMasks
    self.shouldOutputCategoryMask = shouldOutputCategoryMask
    self.maskResolution = maskResolution
  }

  /// The same of a segmenter of pictures.
  var segmenter: ImageSegmenterOptions {
    ImageSegmenterOptions(
      baseOptions: baseOptions, displayNamesLocale: displayNamesLocale,
      shouldOutputConfidenceMasks: shouldOutputConfidenceMasks, shouldOutputCategoryMask: shouldOutputCategoryMask,
      maskResolution: maskResolution)
  }
}
