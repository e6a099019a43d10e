public import Foundation
import SwiftletVision

/// How hands and their gestures are looked for.
#if canImport(ObjectiveC)
  @objc(MPPGestureRecognizerOptions) @objcMembers
#endif
open class GestureRecognizerOptions: TaskOptions {
  /// How pictures come to the task.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var gestureRecognizerLiveStreamDelegate: (any GestureRecognizerLiveStreamDelegate)?
  /// The most hands that are looked for; 1 or more.
  open var numHands = 1
  /// Palms that the detector is less sure of are not looked at; 0…1.
  open var minHandDetectionConfidence: Float = 0.5
  /// Only places where the model sees a hand with more than this confidence count; 0…1.
  open var minHandPresenceConfidence: Float = 0.5
  /// In videos, hands whose regions overlap by more are taken to be one; intersection over union, above 0, at most 1.
  open var minTrackingConfidence: Float = 0.5
  /// Which of the gestures that every bundle knows may be reported; `nil` for all. What is assigned is copied.
  open var cannedGesturesClassifierOptions: ClassifierOptions? {
    didSet { cannedGesturesClassifierOptions = cannedGesturesClassifierOptions?.duplicate() }
  }
  /// Which of the gestures of a bundle's own classifier may be reported; `nil` for all. What is assigned is copied.
  open var customGesturesClassifierOptions: ClassifierOptions? {
    didSet { customGesturesClassifierOptions = customGesturesClassifierOptions?.duplicate() }
  }

  /// Independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = GestureRecognizerOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.gestureRecognizerLiveStreamDelegate = gestureRecognizerLiveStreamDelegate
    copy.numHands = numHands
    copy.minHandDetectionConfidence = minHandDetectionConfidence
    copy.minHandPresenceConfidence = minHandPresenceConfidence
    copy.minTrackingConfidence = minTrackingConfidence
    copy.cannedGesturesClassifierOptions = cannedGesturesClassifierOptions
    copy.customGesturesClassifierOptions = customGesturesClassifierOptions
    return copy
  }

  /// - Throws: `TasksFailure` when there is no model, and with MediaPipe's texts for what it refuses.
  func values() throws(TasksFailure) -> SwiftletVision.GestureRecognizerOptions {
    let base = try baseOptions.values()
    try LandmarkOptionCheck.check(count: numHands, presence: minHandPresenceConfidence)
    return .init(
      baseOptions: base, maxHands: numHands,
      minDetectionConfidence: minHandDetectionConfidence, minPresenceConfidence: minHandPresenceConfidence,
      minTrackingConfidence: minTrackingConfidence,
      cannedGestures: try (cannedGesturesClassifierOptions ?? ClassifierOptions()).values(),
      customGestures: try (customGesturesClassifierOptions ?? ClassifierOptions()).values())
  }
}
