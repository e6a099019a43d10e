/// Finds faces, with six keypoints each, in pictures; runs BlazeFace models, short and full range.
///
/// ```swift
/// let detector = try FaceDetector(model: .file("face_detection_short_range.tflite"))
/// for face in try detector.detect(image).detections { print(face.boundingBox) }
/// ```
///
/// - Thread safety: callable concurrently; calls on one detector run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class FaceDetector: DetectionTask {
  /// What runs the task.
  public let runner: VisionTaskRunner<FaceDetectorResult>

  /// - Throws: `TaskError` when options are out of range or the model is not a face detection model.
  public init(options: FaceDetectorOptions) throws(TaskError) {
    try options.validate()
    runner = try VisionTaskRunner(
      runningMode: options.runningMode, calls: options.baseOptions.callLimits, taskName: "faceDetector"
    ) {
      try FaceDetectorPipeline(options)
    }
  }
}
