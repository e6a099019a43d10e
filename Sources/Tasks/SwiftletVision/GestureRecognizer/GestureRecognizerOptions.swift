/// How hands and their gestures are looked for.
public struct GestureRecognizerOptions: VisionTaskOptions {
  /// The bundle of all models, and how they are run.
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
  /// Which points are smoothed over the frames of a video. Gestures are recognised from what is reported.
  public var smoothing: LandmarkSmoothing
  /// Which of the gestures that every bundle knows may be reported.
  public var cannedGestures: GestureClassifierOptions
  /// Which of the gestures of a bundle's own classifier may be reported, if it has one.
  public var customGestures: GestureClassifierOptions

  /// Options for single pictures; everything but the model has its default.
  public init(baseOptions: BaseOptions) { self.init(baseOptions: baseOptions, runningMode: .image) }

  /// Options; what is not given has its default.
  public init(
    baseOptions: BaseOptions, runningMode: RunningMode = .image, maxHands: Int = 1,
    minDetectionConfidence: Float = 0.5, minPresenceConfidence: Float = 0.5, minTrackingConfidence: Float = 0.5,
    smoothing: LandmarkSmoothing = .off, cannedGestures: GestureClassifierOptions = GestureClassifierOptions(),
    customGestures: GestureClassifierOptions = GestureClassifierOptions()
  ) {
    self.baseOptions = baseOptions
    self.runningMode = runningMode
    self.maxHands = maxHands
    self.minDetectionConfidence = minDetectionConfidence
    self.minPresenceConfidence = minPresenceConfidence
    self.minTrackingConfidence = minTrackingConfidence
    self.smoothing = smoothing
    self.cannedGestures = cannedGestures
    self.customGestures = customGestures
  }

  /// The options of hands among these, for the bundle in the bundle.
  var hands: HandLandmarkerOptions {
    HandLandmarkerOptions(
      baseOptions: baseOptions.member("hand_landmarker.task"), runningMode: runningMode, maxHands: maxHands,
      minDetectionConfidence: minDetectionConfidence, minPresenceConfidence: minPresenceConfidence,
      minTrackingConfidence: minTrackingConfidence, smoothing: smoothing)
  }

  func validate() throws(TaskError) {
    try hands.validate()
    try cannedGestures.categories.validate()
    try customGestures.categories.validate()
  }
}
