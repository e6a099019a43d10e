/// How hands are looked for.
public struct HandLandmarkerOptions: VisionTaskOptions {
  /// The bundle of both models, and how they are run.
  public var baseOptions: BaseOptions
  /// How pictures come to the task.
  public var runningMode: RunningMode
  /// The most hands that are looked for; 1 or more.
  public var maxHands: Int
  /// Palms that the detector is less sure of are not looked at; 0…1.
  public var minDetectionConfidence: Float
  /// Only places where the model sees a hand with more than this confidence count; 0…1.
  public var minPresenceConfidence: Float
  /// In videos, hands whose regions overlap by more are taken to be one; intersection over union, above 0, at most 1.
  public var minTrackingConfidence: Float
  /// Which points are smoothed over the frames of a video. MediaPipe smooths none of hands.
  public var smoothing: LandmarkSmoothing

  /// Options for single pictures; everything but the models has its default.
  public init(baseOptions: BaseOptions) { self.init(baseOptions: baseOptions, runningMode: .image) }

  /// Options; what is not given has its default.
  public init(
    baseOptions: BaseOptions, runningMode: RunningMode = .image, maxHands: Int = 1,
    minDetectionConfidence: Float = 0.5, minPresenceConfidence: Float = 0.5, minTrackingConfidence: Float = 0.5,
    smoothing: LandmarkSmoothing = .off
  ) {
    self.baseOptions = baseOptions
    self.runningMode = runningMode
    self.maxHands = maxHands
    self.minDetectionConfidence = minDetectionConfidence
    self.minPresenceConfidence = minPresenceConfidence
    self.minTrackingConfidence = minTrackingConfidence
    self.smoothing = smoothing
  }

  func validate() throws(TaskError) {
    guard maxHands > 0 else {
      throw TaskError(.invalidOption, "maxHands is \(maxHands), it must be 1 or more")
    }
    try ConfidenceOption.check(minDetectionConfidence, "minDetectionConfidence")
    try ConfidenceOption.check(minPresenceConfidence, "minPresenceConfidence")
    try ConfidenceOption.check(minTrackingConfidence, "minTrackingConfidence")
    guard minTrackingConfidence > 0 else {
      throw TaskError(.invalidOption, "minTrackingConfidence is 0, it must be greater: hands always overlap by 0")
    }
  }
}
