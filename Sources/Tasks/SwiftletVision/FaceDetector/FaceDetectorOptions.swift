/// How faces are looked for.
public struct FaceDetectorOptions: VisionTaskOptions {
  /// The model and how it is run.
  public var baseOptions: BaseOptions
  /// How pictures come to the task.
  public var runningMode: RunningMode
  /// Faces with a lower score are left out; 0…1.
  public var minDetectionConfidence: Float
  /// Faces that overlap by more are taken to be one; intersection over union, 0…1.
  public var minSuppressionThreshold: Float

  /// Options for single pictures; everything but the model has its default.
  public init(baseOptions: BaseOptions) { self.init(baseOptions: baseOptions, runningMode: .image) }

  /// Options; what is not given has its default.
  public init(
    baseOptions: BaseOptions, runningMode: RunningMode = .image, minDetectionConfidence: Float = 0.5,
    minSuppressionThreshold: Float = 0.3
  ) {
    self.baseOptions = baseOptions
    self.runningMode = runningMode
    self.minDetectionConfidence = minDetectionConfidence
    self.minSuppressionThreshold = minSuppressionThreshold
  }

  func validate() throws(TaskError) {
    try ConfidenceOption.check(minDetectionConfidence, "minDetectionConfidence")
    try ConfidenceOption.check(minSuppressionThreshold, "minSuppressionThreshold")
  }
}
