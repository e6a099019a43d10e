/// How faces and their points are looked for.
public struct FaceLandmarkerOptions: VisionTaskOptions {
  /// The bundle of the models, and how they are run.
  public var baseOptions: BaseOptions
  /// How pictures come to the task.
  public var runningMode: RunningMode
  /// The most faces that are looked for; 1 or more.
  public var maxFaces: Int
  /// Faces that the detector is less sure of are not looked at; 0…1.
  public var minDetectionConfidence: Float
  /// Only places where the model sees a face with more than this confidence count; 0…1.
  public var minPresenceConfidence: Float
  /// In videos, faces whose regions overlap by more are taken to be one; intersection over union, 0…1.
  public var minTrackingConfidence: Float
  /// Whether every face has its blendshapes; the bundle has to hold their model.
  public var outputsBlendshapes: Bool
  /// Whether every face has the matrix that says where it is in space; the bundle has to hold a canonical face.
  public var outputsTransformationMatrices: Bool
  /// Which points are smoothed over the frames of a video. Blendshapes and matrices are computed from smoothed points.
  public var smoothing: LandmarkSmoothing

  /// Options for single pictures; everything but the models has its default.
  public init(baseOptions: BaseOptions) { self.init(baseOptions: baseOptions, runningMode: .image) }

  /// Options; what is not given has its default.
  public init(
    baseOptions: BaseOptions, runningMode: RunningMode = .image, maxFaces: Int = 1,
    minDetectionConfidence: Float = 0.5, minPresenceConfidence: Float = 0.5, minTrackingConfidence: Float = 0.5,
    outputsBlendshapes: Bool = false, outputsTransformationMatrices: Bool = false,
    smoothing: LandmarkSmoothing = .single
  ) {
    self.baseOptions = baseOptions
    self.runningMode = runningMode
    self.maxFaces = maxFaces
    self.minDetectionConfidence = minDetectionConfidence
    self.minPresenceConfidence = minPresenceConfidence
    self.minTrackingConfidence = minTrackingConfidence
    self.outputsBlendshapes = outputsBlendshapes
    self.outputsTransformationMatrices = outputsTransformationMatrices
    self.smoothing = smoothing
  }

  func validate() throws(TaskError) {
    guard maxFaces > 0 else {
      throw TaskError(.invalidOption, "maxFaces is \(maxFaces), it must be 1 or more")
    }
    try ConfidenceOption.check(minDetectionConfidence, "minDetectionConfidence")
    try ConfidenceOption.check(minPresenceConfidence, "minPresenceConfidence")
    try ConfidenceOption.check(minTrackingConfidence, "minTrackingConfidence")
  }
}
