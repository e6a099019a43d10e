/// How a person is looked for.
public struct HolisticLandmarkerOptions: VisionTaskOptions {
  /// The bundle of all models, and how they are run.
  public var baseOptions: BaseOptions
  /// How pictures come to the task.
  public var runningMode: RunningMode
  /// Faces that the detector is less sure of are not looked at; 0…1.
  public var minFaceDetectionConfidence: Float
  /// Faces that overlap by more are taken to be one; intersection over union, 0…1.
  public var minFaceSuppressionThreshold: Float
  /// Only places where the model sees a face with more than this confidence count; 0…1.
  public var minFacePresenceConfidence: Float
  /// Bodies that the detector is less sure of are not looked at; 0…1.
  public var minPoseDetectionConfidence: Float
  /// Bodies that overlap by more are taken to be one; intersection over union, 0…1.
  public var minPoseSuppressionThreshold: Float
  /// Only places where the model sees a body with more than this confidence count; 0…1.
  public var minPosePresenceConfidence: Float
  /// Only places where the model sees a hand with more than this confidence count; 0…1.
  public var minHandLandmarksConfidence: Float
  /// Whether the face has its blendshapes; the bundle has to hold their model.
  public var outputsBlendshapes: Bool
  /// Whether the pose has a mask that says which pixels are the person's.
  public var outputsSegmentationMask: Bool
  /// Whether single pictures are taken for frames of a video, a second apart, as in MediaPipe 1.2.3. Otherwise they have
  /// nothing to do with each other.
  public var keepsStateBetweenImages: Bool

  /// Options for single pictures; everything but the models has its default.
  public init(baseOptions: BaseOptions) { self.init(baseOptions: baseOptions, runningMode: .image) }

  /// Options; what is not given has its default.
  public init(
    baseOptions: BaseOptions, runningMode: RunningMode = .image, minFaceDetectionConfidence: Float = 0.5,
    minFaceSuppressionThreshold: Float = 0.3, minFacePresenceConfidence: Float = 0.5,
    minPoseDetectionConfidence: Float = 0.5, minPoseSuppressionThreshold: Float = 0.3,
    minPosePresenceConfidence: Float = 0.5, minHandLandmarksConfidence: Float = 0.5, outputsBlendshapes: Bool = false,
    outputsSegmentationMask: Bool = false, keepsStateBetweenImages: Bool = false
  ) {
    self.baseOptions = baseOptions
    self.runningMode = runningMode
    self.minFaceDetectionConfidence = minFaceDetectionConfidence
    self.minFaceSuppressionThreshold = minFaceSuppressionThreshold
    self.minFacePresenceConfidence = minFacePresenceConfidence
    self.minPoseDetectionConfidence = minPoseDetectionConfidence
    self.minPoseSuppressionThreshold = minPoseSuppressionThreshold
    self.minPosePresenceConfidence = minPosePresenceConfidence
    self.minHandLandmarksConfidence = minHandLandmarksConfidence
    self.outputsBlendshapes = outputsBlendshapes
    self.outputsSegmentationMask = outputsSegmentationMask
    self.keepsStateBetweenImages = keepsStateBetweenImages
  }

  func validate() throws(TaskError) {
    try ConfidenceOption.check(minFaceDetectionConfidence, "minFaceDetectionConfidence")
    try ConfidenceOption.check(minFaceSuppressionThreshold, "minFaceSuppressionThreshold")
    try ConfidenceOption.check(minFacePresenceConfidence, "minFacePresenceConfidence")
    try ConfidenceOption.check(minPoseDetectionConfidence, "minPoseDetectionConfidence")
    try ConfidenceOption.check(minPoseSuppressionThreshold, "minPoseSuppressionThreshold")
    try ConfidenceOption.check(minPosePresenceConfidence, "minPosePresenceConfidence")
    try ConfidenceOption.check(minHandLandmarksConfidence, "minHandLandmarksConfidence")
  }
}
