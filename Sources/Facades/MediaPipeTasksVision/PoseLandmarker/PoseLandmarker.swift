public import Foundation
import SwiftletVision

/// Finds bodies and the points of their postures in pictures.
///
/// - Thread safety: callable concurrently; calls on one landmarker run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPPoseLandmarker) @objcMembers
#endif
open class PoseLandmarker: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: all but the delegate, which is set once, are Sendable constants.

  /// The lines of a skeleton: which of the 33 points belong together.
  public static let poseLandmarks: [Connection] = PoseLandmarks.connections.map { Connection($0) }

  private let modes: TaskInModes<SwiftletVision.PoseLandmarker>
  /// Unchecked because delegates need not be `Sendable`: it is written once, before anyone else has the task, reading a
  /// weak reference is safe on every thread, and it is only called on the task's own queue, as with MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any PoseLandmarkerLiveStreamDelegate)?

  /// A landmarker with default options, for single pictures.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is no bundle of these models.
  public convenience init(modelPath: String) throws {
    let options = PoseLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// A landmarker with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is no
  ///   bundle of these models.
  public init(options: PoseLandmarkerOptions) throws {
    modes = try reportingTasksErrors {
      try options.runningMode.requireDelegate(options.poseLandmarkerLiveStreamDelegate)
      return TaskInModes(
        try SwiftletVision.PoseLandmarker(options: try options.values()), options.runningMode
      ) { task, image, _ in try task.poses(in: image) }
    }
    liveStreamDelegate = options.poseLandmarkerLiveStreamDelegate
    super.init()
    modes.deliver(to: self, on: options.baseOptions.delegateQueue) { landmarker, result, timestamp, error in
      landmarker.liveStreamDelegate?.poseLandmarker(
        landmarker, didFinishDetection: result.map { PoseLandmarkerResult($0.output, at: $0.time) },
        timestampInMilliseconds: timestamp,
        error: error)
    }
  }

  /// How many frames of the live stream were ignored because the task was busy: an addition to MediaPipe's interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Finds the bodies in a picture of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(detectImage:error:)
  #endif
  open func detect(image: MPImage) throws -> PoseLandmarkerResult {
    try reportingTasksErrors { PoseLandmarkerResult(try modes.image(image)) }
  }

  /// Finds the bodies in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func detect(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> PoseLandmarkerResult {
    try reportingTasksErrors {
      PoseLandmarkerResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Finds the bodies in a frame of a live stream. Returns at once; the delegate receives the result. While the task is
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
