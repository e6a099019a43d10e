public import Foundation
import SwiftletVision

/// Finds hands in pictures: 21 points of each, and whether it is a left or a right one. In videos, hands are followed.
///
/// - Thread safety: callable concurrently; calls on one landmarker run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPHandLandmarker) @objcMembers
#endif
open class HandLandmarker: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: all but the delegate, which is set once, are Sendable constants.

  private let modes: TaskInModes<SwiftletVision.HandLandmarker>
  /// Unchecked because delegates need not be `Sendable`: it is written once, before anyone else has the task, reading a
  /// weak reference is safe on every thread, and it is only called on the task's own queue, as with MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any HandLandmarkerLiveStreamDelegate)?

  /// A landmarker with default options, for single pictures.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not a bundle of hand models.
  public convenience init(modelPath: String) throws {
    let options = HandLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// A landmarker with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is not
  ///   a bundle of hand models.
  public init(options: HandLandmarkerOptions) throws {
    modes = try reportingTasksErrors {
      try options.runningMode.requireDelegate(options.handLandmarkerLiveStreamDelegate)
      return TaskInModes(
        try SwiftletVision.HandLandmarker(options: try options.values()), options.runningMode
      ) { task, image, _ in try task.hands(in: image) }
    }
    liveStreamDelegate = options.handLandmarkerLiveStreamDelegate
    super.init()
    modes.deliver(to: self, on: options.baseOptions.delegateQueue) { landmarker, result, timestamp, error in
      let deliver = landmarker.liveStreamDelegate?.handLandmarker
      deliver?(landmarker, result.map { HandLandmarkerResult($0.output, at: $0.time) }, timestamp, error)
    }
  }

  /// The lines of a drawn palm.
  public static let handPalmConnections: [Connection] = HandLandmarks.palm.map { Connection($0) }
  /// The lines of a drawn thumb.
  public static let handThumbConnections: [Connection] = HandLandmarks.thumb.map { Connection($0) }
  /// The lines of a drawn index finger.
  public static let handIndexFingerConnections: [Connection] = HandLandmarks.indexFinger.map { Connection($0) }
  /// The lines of a drawn middle finger.
  public static let handMiddleFingerConnections: [Connection] = HandLandmarks.middleFinger.map { Connection($0) }
  /// The lines of a drawn ring finger.
  public static let handRingFingerConnections: [Connection] = HandLandmarks.ringFinger.map { Connection($0) }
  /// The lines of a drawn little finger.
  public static let handPinkyConnections: [Connection] = HandLandmarks.pinky.map { Connection($0) }
  /// All lines of a drawn hand.
  public static let handConnections: [Connection] = HandLandmarks.connections.map { Connection($0) }

  /// How many frames of the live stream were ignored because the task was busy: an addition to MediaPipe's interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Finds the hands in a picture of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(detectImage:error:)
  #endif
  open func detect(image: MPImage) throws -> HandLandmarkerResult {
    try reportingTasksErrors { HandLandmarkerResult(try modes.image(image)) }
  }

  /// Finds the hands in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func detect(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> HandLandmarkerResult {
    try reportingTasksErrors {
      HandLandmarkerResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Finds the hands in a frame of a live stream. Returns at once; the delegate receives the result. While the task is
  /// busy, the frame is dropped instead.
  ///
  /// - Parameters:
  ///   - image: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in live-stream mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectAsyncImage:timestampInMilliseconds:error:)
  #endif
  open func detectAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try reportingTasksErrors {
      try modes.send(image, at: timestampInMilliseconds)
    }
  }
}
