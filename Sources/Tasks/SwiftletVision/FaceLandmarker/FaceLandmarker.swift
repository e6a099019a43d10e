/// Finds faces and their 478 points in pictures; on request also what they do (blendshapes) and where they are in space.
///
/// ```swift
/// let landmarker = try FaceLandmarker(model: .file("face_landmarker.task")) { $0.outputsBlendshapes = true }
/// for face in try landmarker.detect(image).faces { print(face.landmarks[1], face[.jawOpen] ?? 0) }
/// ```
/// In videos and live streams, faces are followed: the detector runs only while fewer are followed than asked for.
///
/// - Thread safety: callable concurrently; calls on one landmarker run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class FaceLandmarker: DetectionTask {
  /// What runs the task.
  public let runner: VisionTaskRunner<FaceLandmarkerResult>

  /// - Throws: `TaskError` when options are out of range, or the bundle lacks a model that they need or has another
  ///   one in its place.
  public init(options: FaceLandmarkerOptions) throws(TaskError) {
    try options.validate()
    runner = try VisionTaskRunner(
      runningMode: options.runningMode, calls: options.baseOptions.callLimits, taskName: "faceLandmarker"
    ) {
      try FaceLandmarkerPipeline(options)
    }
  }
}
