public import Foundation
import SwiftletVision

/// Finds a person in pictures: body, hands and face.
///
/// - Thread safety: callable concurrently; calls on one landmarker run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPHolisticLandmarker) @objcMembers
#endif
open class HolisticLandmarker: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: all but the delegate, which is set once, are Sendable constants.

  private let modes: TaskInModes<SwiftletVision.HolisticLandmarker>
  /// Unchecked because delegates need not be `Sendable`: it is written once, before anyone else has the task, reading a
  /// weak reference is safe on every thread, and it is only called on the task's own queue, as with MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any HolisticLandmarkerLiveStreamDelegate)?

  /// A landmarker with default options, for single pictures.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is no bundle of these models.
  public convenience init(modelPath: String) throws {
    let options = HolisticLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// A landmarker with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is no
  ///   bundle of these models.
  public init(options: HolisticLandmarkerOptions) throws {
    modes = try reportingTasksErrors {
      try options.runningMode.requireDelegate(options.holisticLandmarkerLiveStreamDelegate)
      return TaskInModes(
        try SwiftletVision.HolisticLandmarker(options: try options.values()), options.runningMode,
        tracksImages: options.keepsStateBetweenImages
      ) { task, image, _ in try task.person(in: image) }
    }
    liveStreamDelegate = options.holisticLandmarkerLiveStreamDelegate
    super.init()
    modes.deliver(to: self, on: options.baseOptions.delegateQueue) { landmarker, result, timestamp, error in
      landmarker.liveStreamDelegate?.holisticLandmarker(
        landmarker, didFinishDetection: result.map { HolisticLandmarkerResult($0.output, at: $0.time) },
        timestampInMilliseconds: timestamp,
        error: error)
    }
  }

  /// How many frames of the live stream were ignored because the task was busy: an addition to MediaPipe's interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Finds the person in a picture of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(detectImage:error:)
  #endif
  open func detect(image: MPImage) throws -> HolisticLandmarkerResult {
    try reportingTasksErrors { HolisticLandmarkerResult(try modes.image(image)) }
  }

  /// Finds the person in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func detect(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> HolisticLandmarkerResult {
    try reportingTasksErrors {
      HolisticLandmarkerResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Finds the person in a frame of a live stream. Returns at once; the delegate receives the result. While the task is
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
