/// How pictures are segmented.
public struct ImageSegmenterOptions: VisionTaskOptions {
  /// The size of masks.
  public enum MaskResolution: Sendable, Hashable {
    /// That of the picture, as in MediaPipe.
    case image
    /// That of the model's output. It holds all the information there is, and takes much less time and memory.
    case model
  }

  /// The model and how it is run.
  public var baseOptions: BaseOptions
  /// How pictures come to the task.
  public var runningMode: RunningMode
  /// The language of display names, for models that have them: `en`, `de`, …
  public var displayNamesLocale: String
  /// Whether there is a mask per class that says how sure the model is of it.
  public var shouldOutputConfidenceMasks: Bool
  /// Whether there is a mask that says which class each pixel belongs to.
  public var shouldOutputCategoryMask: Bool
  /// The size of masks.
  public var maskResolution: MaskResolution

  /// Options for single pictures; everything but the model has its default.
  public init(baseOptions: BaseOptions) { self.init(baseOptions: baseOptions, runningMode: .image) }

  /// Options; what is not given has its default.
  public init(
    baseOptions: BaseOptions, runningMode: RunningMode = .image, displayNamesLocale: String = "en",
    shouldOutputConfidenceMasks: Bool = true, shouldOutputCategoryMask: Bool = false,
    maskResolution: MaskResolution = .image
  ) {
    self.baseOptions = baseOptions
    self.runningMode = runningMode
    self.displayNamesLocale = displayNamesLocale
    self.shouldOutputConfidenceMasks = shouldOutputConfidenceMasks
    self.shouldOutputCategoryMask = shouldOutputCategoryMask
    self.maskResolution = maskResolution
  }

  func validate() throws(TaskError) {
    guard shouldOutputConfidenceMasks || shouldOutputCategoryMask else {
      throw TaskError(
        .invalidOption, "no masks are asked for; set shouldOutputConfidenceMasks or shouldOutputCategoryMask"
      )
    }
  }
}
