/// Finds bodies and 33 points on each, in pictures and videos; runs MediaPipe's `pose_landmarker.task` bundles.
///
/// ```swift
/// let landmarker = try PoseLandmarker(model: .file("pose_landmarker.task"))
/// for pose in try landmarker.detect(image).poses { print(pose[.leftWrist]) }
/// ```
/// In videos and live streams bodies are followed from frame to frame, and the points of a single one are smoothed.
///
/// - Thread safety: callable concurrently; calls on one landmarker run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class PoseLandmarker: DetectionTask {
  /// What runs the task.
  public let runner: VisionTaskRunner<PoseLandmarkerResult>

  /// - Throws: `TaskError` when options are out of range, or the bundle lacks one of the two models or holds others.
  public init(options: PoseLandmarkerOptions) throws(TaskError) {
    try options.validate()
    runner = try VisionTaskRunner(
      runningMode: options.runningMode, calls: options.baseOptions.callLimits, taskName: "poseLandmarker"
    ) {
      try PoseLandmarkerPipeline(options)
    }
  }
}
