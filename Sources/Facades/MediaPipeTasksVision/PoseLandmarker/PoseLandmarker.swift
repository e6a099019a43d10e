public import Foundation
@_spi(Facades) import SwiftletVision

/// Finds bodies and the points of their postures in images.
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

  /// Creates a landmarker with default options, for single images.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is no bundle of these models.
  public convenience init(modelPath: String) throws {
    let options = PoseLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a landmarker with these options; changing them later changes nothing.
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

  /// The number of frames of the live stream that were ignored because the task was busy: an addition to MediaPipe's
  /// interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Finds the bodies in an image of any size; blocks until done.
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

/// How bodies are looked for.
#if canImport(ObjectiveC)
  @objc(MPPPoseLandmarkerOptions) @objcMembers
#endif
open class PoseLandmarkerOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var poseLandmarkerLiveStreamDelegate: (any PoseLandmarkerLiveStreamDelegate)?
  /// The most bodies that are looked for; 1 or more.
  open var numPoses = 1
  /// Bodies that the detector is less sure of are not looked at; 0…1.
  open var minPoseDetectionConfidence: Float = 0.5
  /// Only places where the model sees a body with more than this confidence count; 0…1.
  open var minPosePresenceConfidence: Float = 0.5
  /// In videos, bodies whose regions overlap by more are taken to be one; intersection over union, 0…1.
  open var minTrackingConfidence: Float = 0.5
  /// Whether every pose has a mask that says which pixels are the person's.
  open var shouldOutputSegmentationMasks = false
  /// Whether bodies in turned images are looked for where MediaPipe looks for them, which is the wrong place: an
  /// addition to MediaPipe's interface.
  open var keepsMediaPipeRotation = false

  /// Independent options with the same values and the same delegate.
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

  /// - Throws: `TasksFailure` when there is no model, and for values out of range.
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

/// The bodies in an image.
#if canImport(ObjectiveC)
  @objc(MPPPoseLandmarkerResult) @objcMembers
#endif
open class PoseLandmarkerResult: TaskResult, @unchecked Sendable {
  /// 33 points in the image for every body, all with visibility and presence; empty when there is none.
  public let landmarks: [[NormalizedLandmark]]
  /// The same landmarks in world coordinates, in meters, from the middle of the hips.
  public let worldLandmarks: [[Landmark]]
  /// For every body how sure the model is that a pixel is the person's; empty unless asked for.
  public let segmentationMasks: [Mask]

  /// Creates a result of these points and masks.
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

/// Receives the results of a pose landmarker in live-stream mode.
#if canImport(ObjectiveC)
  @objc(MPPPoseLandmarkerLiveStreamDelegate)
#endif
public protocol PoseLandmarkerLiveStreamDelegate: AnyObject {
  /// Called with the result or the error of one frame.
  ///
  /// Called on a serial queue of the task's own, in the order of the frames. There is no call for frames that were
  /// dropped because the task was busy.
  ///
  /// - Parameters:
  ///   - poseLandmarker: the task that was sent the frame.
  ///   - result: what was found; `nil` when the frame failed.
  ///   - timestampInMilliseconds: the time the frame was sent with; the least integer when it failed.
  ///   - error: why the frame failed: an `NSError` of the tasks' domain.
  #if canImport(ObjectiveC)
    @objc(poseLandmarker:didFinishDetectionWithResult:timestampInMilliseconds:error:)
  #endif
  func poseLandmarker(
    _ poseLandmarker: PoseLandmarker, didFinishDetection result: PoseLandmarkerResult?, timestampInMilliseconds: Int,
    error: (any Error)?)
}
