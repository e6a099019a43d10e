public import Foundation
@_spi(Facades) import SwiftletVision

/// Detects poses and their landmarks in images.
///
/// - Thread safety: callable concurrently; calls on one landmarker run one at a time.
#if canImport(ObjectiveC)
  @objc(MPPPoseLandmarker) @objcMembers
#endif
open class PoseLandmarker: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: all properties except the delegate, which is set once,
  // are `Sendable` constants.

  /// The connections of the skeleton, between the 33 landmarks.
  public static let poseLandmarks: [Connection] = PoseLandmarks.connections.map { Connection($0) }

  private let modes: TaskInModes<SwiftletVision.PoseLandmarker>
  /// The delegate, which need not be `Sendable`. `nonisolated(unsafe)` is correct: the property is written once, before
  /// the task is shared; a weak reference can be read on any thread; and the delegate is only called on the task's own
  /// queue, as in MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any PoseLandmarkerLiveStreamDelegate)?

  /// Creates a landmarker with default options, for single images.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the file is missing or is not a bundle of these models.
  public convenience init(modelPath: String) throws {
    let options = PoseLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a landmarker with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the tasks' domain if options contradict each other, or the model is missing or is not a
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

  /// The number of live-stream frames that were dropped because the task was busy. This is an addition to MediaPipe's
  /// API.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Detects the poses in an image of any size; blocks until done.
  ///
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(detectImage:error:)
  #endif
  open func detect(image: MPImage) throws -> PoseLandmarkerResult {
    try reportingTasksErrors { PoseLandmarkerResult(try modes.image(image)) }
  }

  /// Detects the poses in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func detect(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> PoseLandmarkerResult {
    try reportingTasksErrors {
      PoseLandmarkerResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Detects the poses in a frame of a live stream. Returns immediately; the delegate receives the result. If the task
  /// is busy, the frame is dropped.
  ///
  /// - Parameters:
  ///   - image: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in live-stream mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectAsyncImage:timestampInMilliseconds:error:)
  #endif
  open func detectAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try reportingTasksErrors {
      try modes.send(image, at: timestampInMilliseconds)
    }
  }
}

/// The options of a pose landmarker.
#if canImport(ObjectiveC)
  @objc(MPPPoseLandmarkerOptions) @objcMembers
#endif
open class PoseLandmarkerOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// The delegate that receives the results of a live stream. Must be set in live-stream mode, and only in that mode.
  open weak var poseLandmarkerLiveStreamDelegate: (any PoseLandmarkerLiveStreamDelegate)?
  /// The maximum number of poses to detect; at least 1.
  open var numPoses = 1
  /// The minimum detection score, 0…1. Detections with a lower score are ignored.
  open var minPoseDetectionConfidence: Float = 0.5
  /// The presence score that the landmark model must exceed for a pose to be returned, 0…1.
  open var minPosePresenceConfidence: Float = 0.5
  /// In videos, the intersection over union above which two regions count as the same pose, 0…1.
  open var minTrackingConfidence: Float = 0.5
  /// A Boolean value that indicates whether to return a confidence mask of the person for every pose.
  open var shouldOutputSegmentationMasks = false
  /// A Boolean value that indicates whether to reproduce MediaPipe's incorrect regions for rotated images. This is an
  /// addition to MediaPipe's API.
  open var keepsMediaPipeRotation = false

  /// Returns independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = PoseLandmarkerOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.poseLandmarkerLiveStreamDelegate = poseLandmarkerLiveStreamDelegate
    copy.numPoses = numPoses
    copy.minPoseDetectionConfidence = minPoseDetectionConfidence
    copy.minPosePresenceConfidence = minPosePresenceConfidence
    copy.minTrackingConfidence = minTrackingConfidence
    copy.shouldOutputSegmentationMasks = shouldOutputSegmentationMasks
    copy.keepsMediaPipeRotation = keepsMediaPipeRotation
    return copy
  }

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` if there is no model, and for values out of range.
  func values() throws(TasksFailure) -> SwiftletVision.PoseLandmarkerOptions {
    let base = try baseOptions.values()
    try LandmarkOptionCheck.check(count: numPoses, presence: minPosePresenceConfidence)
    var options = SwiftletVision.PoseLandmarkerOptions(
      baseOptions: base, maxPoses: numPoses,
      minDetectionConfidence: minPoseDetectionConfidence, minPresenceConfidence: minPosePresenceConfidence,
      minTrackingConfidence: minTrackingConfidence, outputs: shouldOutputSegmentationMasks ? .segmentationMasks : [])
    options.keepsMediaPipeRotation = keepsMediaPipeRotation
    return options
  }
}

// Unchecked because its base class is: it has constants only.

/// The result of a pose landmarker.
#if canImport(ObjectiveC)
  @objc(MPPPoseLandmarkerResult) @objcMembers
#endif
open class PoseLandmarkerResult: TaskResult, @unchecked Sendable {
  /// The 33 landmarks of every pose in the image, all with visibility and presence; empty if there are no poses.
  public let landmarks: [[NormalizedLandmark]]
  /// The world landmarks, in meters, relative to the midpoint of the hips.
  public let worldLandmarks: [[Landmark]]
  /// For every pose, a mask with the confidence that a pixel belongs to the person; empty unless requested.
  public let segmentationMasks: [Mask]

  /// Creates a result with the given landmarks and masks.
  public init(
    landmarks: [[NormalizedLandmark]], worldLandmarks: [[Landmark]], segmentationMasks: [Mask],
    timestampInMilliseconds: Int
  ) {
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
    self.segmentationMasks = segmentationMasks
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: [Pose], time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: [Pose], at time: Duration) {
    self.init(
      landmarks: value.map { $0.landmarks.map { NormalizedLandmark($0) } },
      worldLandmarks: value.map { $0.worldLandmarks.map { Landmark($0) } },
      segmentationMasks: value.compactMap { $0.segmentationMask.map { Mask($0) } },
      timestampInMilliseconds: time.inMilliseconds)
  }
}

/// A delegate that receives the results of a pose landmarker in live-stream mode.
#if canImport(ObjectiveC)
  @objc(MPPPoseLandmarkerLiveStreamDelegate)
#endif
public protocol PoseLandmarkerLiveStreamDelegate: AnyObject {
  /// Receives the result or the error of one frame.
  ///
  /// The method is called on a serial queue of the task, in the order of the frames. It is not called for frames that
  /// were dropped because the task was busy.
  ///
  /// - Parameters:
  ///   - poseLandmarker: The task that processed the frame.
  ///   - result: The result; `nil` if the frame failed.
  ///   - timestampInMilliseconds: The timestamp of the frame; `Int.min` if it failed.
  ///   - error: The reason if the frame failed: an `NSError` in the tasks' domain.
  #if canImport(ObjectiveC)
    @objc(poseLandmarker:didFinishDetectionWithResult:timestampInMilliseconds:error:)
  #endif
  func poseLandmarker(
    _ poseLandmarker: PoseLandmarker, didFinishDetection result: PoseLandmarkerResult?, timestampInMilliseconds: Int,
    error: (any Error)?)
}
