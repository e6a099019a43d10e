import SwiftletImage

/// Finds hands in pictures and says which gestures they make, such as `Thumb_Up`.
///
/// ```swift
/// let recognizer = try GestureRecognizer(model: .file("gesture_recognizer.task"))
/// for found in try recognizer.recognize(image).hands {
///   print(found.hand.handedness.categoryName ?? "", found.gestures.first?.categoryName ?? "no gesture")
/// }
/// ```
/// The bundle has two bundles in it: `hand_landmarker.task`, as ``HandLandmarker`` takes it, and
/// `hand_gesture_recognizer.task` with the members `gesture_embedder.tflite`, `canned_gesture_classifier.tflite` and, for
/// gestures of one's own, `custom_gesture_classifier.tflite`.
///
/// - Thread safety: callable concurrently; calls on one recognizer run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class GestureRecognizer: DetectionTask {
  /// What runs the task.
  public let runner: VisionTaskRunner<GestureRecognizerResult>

  /// - Throws: `TaskError` when options are out of range, or the bundle or a model in it is missing or is not one of
  ///   gestures.
  public init(options: GestureRecognizerOptions) throws(TaskError) {
    try options.validate()
    runner = try VisionTaskRunner(
      runningMode: options.runningMode, calls: options.baseOptions.callLimits,
      taskName: "gestureRecognizer"
    ) {
      try GestureRecognizerPipeline(options)
    }
  }

  /// Recognises the gestures in a picture of any size; blocks until done.
  ///
  /// Parameters and errors are those of ``VisionTask/result(for:regionOfInterest:at:)-8mrti``. A region of interest is
  /// refused: hands are looked for in whole pictures.
  public func recognize(_ image: MPImage, at time: Duration? = nil) throws(TaskError) -> GestureRecognizerResult {
    try result(for: image, at: time)
  }

  /// Recognises the gestures in a picture of any size, without blocking the thread.
  public func recognize(_ image: MPImage, at time: Duration? = nil) async throws -> GestureRecognizerResult {
    try await result(for: image, at: time)
  }
}
