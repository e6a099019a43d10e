/// Finds hands in pictures: 21 points of each, in the picture and in metres, and whether it is a left or a right one.
/// In videos, hands are followed from frame to frame.
///
/// ```swift
/// let landmarker = try HandLandmarker(model: .file("hand_landmarker.task")) { $0.maxHands = 2 }
/// for hand in try landmarker.detect(image).hands {
///   print(hand.handedness.categoryName ?? "", hand.landmarks[HandLandmarks.Point.indexFingerTip.rawValue])
/// }
/// ```
/// The bundle has the members `hand_detector.tflite` and `hand_landmarks_detector.tflite`. A region of interest is
/// refused: hands are looked for in whole pictures.
///
/// - Thread safety: callable concurrently; calls on one landmarker run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class HandLandmarker: DetectionTask {
  /// What runs the task.
  public let runner: VisionTaskRunner<HandLandmarkerResult>

  /// - Throws: `TaskError` when options are out of range, or the bundle or a model in it is missing or is not one of
  ///   hands.
  public init(options: HandLandmarkerOptions) throws(TaskError) {
    try options.validate()
    runner = try VisionTaskRunner(
      runningMode: options.runningMode, calls: options.baseOptions.callLimits, taskName: "handLandmarker"
    ) {
      try HandLandmarkerPipeline(options)
    }
  }
}
