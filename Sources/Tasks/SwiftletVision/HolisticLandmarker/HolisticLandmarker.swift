/// Finds a person in pictures and videos: body, both hands and face at once. Runs MediaPipe's
/// `holistic_landmarker.task` bundles.
///
/// ```swift
/// let landmarker = try HolisticLandmarker(model: .file("holistic_landmarker.task"))
/// let person = try landmarker.detect(image)
/// print(person.pose?[.nose], person.leftHand?.landmarks[HandLandmarks.Point.indexFingerTip.rawValue])
/// ```
/// Hands and face are looked for where the body's points say that they are. In videos and live streams all are followed
/// from frame to frame, and the body's points are smoothed. The person in a picture with an orientation is found too;
/// MediaPipe ignores orientations here.
///
/// - Thread safety: callable concurrently; calls on one landmarker run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class HolisticLandmarker: DetectionTask {
  /// What runs the task.
  public let runner: VisionTaskRunner<HolisticLandmarkerResult>

  /// - Throws: `TaskError` when options are out of range, or the bundle lacks one of the models or holds others.
  public init(options: HolisticLandmarkerOptions) throws(TaskError) {
    try options.validate()
    runner = try VisionTaskRunner(
      runningMode: options.runningMode, calls: options.baseOptions.callLimits,
      taskName: "holisticLandmarker", keepsState: options.keepsStateBetweenImages
    ) {
      try HolisticLandmarkerPipeline(options)
    }
  }
}
