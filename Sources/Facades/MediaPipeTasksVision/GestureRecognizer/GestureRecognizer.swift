public import Foundation
import SwiftletVision

/// Finds hands in pictures and says which gestures they make. In videos, hands are followed.
///
/// - Thread safety: callable concurrently; calls on one recognizer run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPGestureRecognizer) @objcMembers
#endif
open class GestureRecognizer: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: all but the delegate, which is set once, are Sendable constants.

  private let modes: TaskInModes<SwiftletVision.GestureRecognizer>
  /// Unchecked because delegates need not be `Sendable`: it is written once, before anyone else has the task, reading a
  /// weak reference is safe on every thread, and it is only called on the task's own queue, as with MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any GestureRecognizerLiveStreamDelegate)?

  /// A recognizer with default options, for single pictures.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not a bundle of gesture models.
  public convenience init(modelPath: String) throws {
    let options = GestureRecognizerOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// A recognizer with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is not
  ///   a bundle of gesture models.
  public init(options: GestureRecognizerOptions) throws {
    modes = try reportingTasksErrors {
      try options.runningMode.requireDelegate(options.gestureRecognizerLiveStreamDelegate)
      return TaskInModes(
        try SwiftletVision.GestureRecognizer(options: try options.values()), options.runningMode
      ) { task, image, _ in try task.gestures(in: image) }
    }
    liveStreamDelegate = options.gestureRecognizerLiveStreamDelegate
    super.init()
    modes.deliver(to: self, on: options.baseOptions.delegateQueue) { recognizer, result, timestamp, error in
      let deliver = recognizer.liveStreamDelegate?.gestureRecognizer
      deliver?(recognizer, result.map { GestureRecognizerResult($0.output, at: $0.time) }, timestamp, error)
    }
  }

  /// How many frames of the live stream were ignored because the task was busy: an addition to MediaPipe's interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Recognises the gestures in a picture of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(recognizeImage:error:)
  #endif
  open func recognize(image: MPImage) throws -> GestureRecognizerResult {
    try reportingTasksErrors { GestureRecognizerResult(try modes.image(image)) }
  }

  /// Recognises the gestures in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(recognizeVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func recognize(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> GestureRecognizerResult {
    try reportingTasksErrors {
      GestureRecognizerResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Recognises the gestures in a frame of a live stream. Returns at once; the delegate receives the result. While the task is
  /// busy, the frame is dropped instead.
  ///
  /// - Parameters:
  ///   - image: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in live-stream mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(recognizeAsyncImage:timestampInMilliseconds:error:)
  #endif
  open func recognizeAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try reportingTasksErrors {
      try modes.send(image, at: timestampInMilliseconds)
    }
  }
}
