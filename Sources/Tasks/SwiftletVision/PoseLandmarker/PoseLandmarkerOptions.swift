/// How bodies are looked for.
public struct PoseLandmarkerOptions: VisionTaskOptions {
  /// The bundle of both models, and how they are run.
  public var baseOptions: BaseOptions
  /// How pictures come to the task.
  public var runningMode: RunningMode
  /// The most bodies that are looked for; 1 or more.
  public var maxPoses: Int
  /// Bodies that the detector is less sure of are not looked at; 0…1.
  public var minDetectionConfidence: Float
  /// Only places where the model sees a body with more than this confidence count; 0…1.
  public var minPresenceConfidence: Float
  /// In videos, bodies whose regions overlap by more are taken to be one; intersection over union, 0…1.
  public var minTrackingConfidence: Float
  /// Whether every pose has a mask that says which pixels are the person's.
  public var outputsSegmentationMasks: Bool
  /// Whether bodies in pictures with an orientation are looked for where MediaPipe 1.2.3 looks for them, which is the
  /// wrong place. Pictures that are stored upright are not concerned.
  public var keepsMediaPipeRotation: Bool
  /// Which points are smoothed over the frames of a video.
  public var smoothing: LandmarkSmoothing

  /// Options for single pictures; everything but the models has its default.
  public init(baseOptions: BaseOptions) { self.init(baseOptions: baseOptions, runningMode: .image) }

  /// Options; what is not given has its default.
  public init(
    baseOptions: BaseOptions, runningMode: RunningMode = .image, maxPoses: Int = 1,
    minDetectionConfidence: Float = 0.5, minPresenceConfidence: Float = 0.5, minTrackingConfidence: Float = 0.5,
    outputsSegmentationMasks: Bool = false, keepsMediaPipeRotation: Bool = false,
    smoothing: LandmarkSmoothing = .single
  ) {
    self.baseOptions = baseOptions
    self.runningMode = runningMode
    self.maxPoses = maxPoses
    self.minDetectionConfidence = minDetectionConfidence
    self.minPresenceConfidence = minPresenceConfidence
    self.minTrackingConfidence = minTrackingConfidence
    self.outputsSegmentationMasks = outputsSegmentationMasks
    self.keepsMediaPipeRotation = keepsMediaPipeRotation
    self.smoothing = smoothing
  }

  func validate() throws(TaskError) {
    guard maxPoses > 0 else {
      throw TaskError(.invalidOption, "maxPoses is \(maxPoses), it must be 1 or more")
    }
    try ConfidenceOption.check(minDetectionConfidence, "minDetectionConfidence")
    try ConfidenceOption.check(minPresenceConfidence, "minPresenceConfidence")
    try ConfidenceOption.check(minTrackingConfidence, "minTrackingConfidence")
  }
}
