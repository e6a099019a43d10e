public import Foundation
public import class MediaPipeTasksCommon.Classifications
import SwiftletVision

/// Detects the landmarks of a person in images: body, hands, and face.
///
/// - Thread safety: callable concurrently; calls on one landmarker run one at a time.
#if canImport(ObjectiveC)
  @objc(MPPHolisticLandmarker) @objcMembers
#endif
open class HolisticLandmarker: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: all properties except the delegate, which is set once,
  // are `Sendable` constants.

  private let modes: TaskInModes<SwiftletVision.HolisticLandmarker>
  /// The delegate, which need not be `Sendable`. `nonisolated(unsafe)` is correct: the property is written once, before
  /// the task is shared; a weak reference can be read on any thread; and the delegate is only called on the task's own
  /// queue, as in MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any HolisticLandmarkerLiveStreamDelegate)?

  /// Creates a landmarker with default options, for single images.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the file is missing or is not a bundle of these models.
  public convenience init(modelPath: String) throws {
    let options = HolisticLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a landmarker with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the tasks' domain if options contradict each other, or the model is missing or is not a
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

  /// The number of live-stream frames that were dropped because the task was busy. This is an addition to MediaPipe's
  /// API.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Detects the person in an image of any size; blocks until done.
  ///
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(detectImage:error:)
  #endif
  open func detect(image: MPImage) throws -> HolisticLandmarkerResult {
    try reportingTasksErrors { HolisticLandmarkerResult(try modes.image(image)) }
  }

  /// Detects the person in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func detect(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> HolisticLandmarkerResult {
    try reportingTasksErrors {
      HolisticLandmarkerResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Detects the person in a frame of a live stream. Returns immediately; the delegate receives the result. If the task
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

/// The options of a holistic landmarker.
#if canImport(ObjectiveC)
  @objc(MPPHolisticLandmarkerOptions) @objcMembers
#endif
open class HolisticLandmarkerOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// The delegate that receives the results of a live stream. Must be set in live-stream mode, and only in that mode.
  open weak var holisticLandmarkerLiveStreamDelegate: (any HolisticLandmarkerLiveStreamDelegate)?
  /// The minimum score of a face detection, 0…1. Detections with a lower score are ignored.
  open var minFaceDetectionConfidence: Float = 0.5
  /// The intersection over union above which two detections count as the same face, 0…1.
  open var minFaceSuppressionThreshold: Float = 0.3
  /// The presence score that the face landmark model must exceed for a face to be returned, 0…1.
  open var minFacePresenceConfidence: Float = 0.5
  /// The minimum score of a body detection, 0…1. Detections with a lower score are ignored.
  open var minPoseDetectionConfidence: Float = 0.5
  /// The intersection over union above which two detections count as the same body, 0…1.
  open var minPoseSuppressionThreshold: Float = 0.3
  /// The presence score that the pose landmark model must exceed for a body to be returned, 0…1.
  open var minPosePresenceConfidence: Float = 0.5
  /// The presence score that the hand landmark model must exceed for a hand to be returned, 0…1.
  open var minHandLandmarksConfidence: Float = 0.5
  /// A Boolean value that indicates whether to return blendshapes. Requires a blendshape model in the bundle.
  open var outputFaceBlendshapes = false
  /// A Boolean value that indicates whether to return a confidence mask of the person.
  open var outputPoseSegmentationMasks = false
  /// A Boolean value that indicates whether single images are processed as frames of a video, one second apart, as in
  /// MediaPipe. If not, they are independent of each other. This is an addition to MediaPipe's API.
  open var keepsStateBetweenImages = false

  /// Returns independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = HolisticLandmarkerOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.holisticLandmarkerLiveStreamDelegate = holisticLandmarkerLiveStreamDelegate
    copy.minFaceDetectionConfidence = minFaceDetectionConfidence
    copy.minFaceSuppressionThreshold = minFaceSuppressionThreshold
    copy.minFacePresenceConfidence = minFacePresenceConfidence
    copy.minPoseDetectionConfidence = minPoseDetectionConfidence
    copy.minPoseSuppressionThreshold = minPoseSuppressionThreshold
    copy.minPosePresenceConfidence = minPosePresenceConfidence
    copy.minHandLandmarksConfidence = minHandLandmarksConfidence
    copy.outputFaceBlendshapes = outputFaceBlendshapes
    copy.outputPoseSegmentationMasks = outputPoseSegmentationMasks
    copy.keepsStateBetweenImages = keepsStateBetweenImages
    return copy
  }

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` if there is no model.
  func values() throws(TasksFailure) -> SwiftletVision.HolisticLandmarkerOptions {
    var outputs: HolisticLandmarkerOutputs = []
    if outputFaceBlendshapes { outputs.insert(.blendshapes) }
    if outputPoseSegmentationMasks { outputs.insert(.segmentationMask) }
    return .init(
      baseOptions: try baseOptions.values(),
      minFaceDetectionConfidence: minFaceDetectionConfidence,
      minFaceSuppressionThreshold: minFaceSuppressionThreshold, minFacePresenceConfidence: minFacePresenceConfidence,
      minPoseDetectionConfidence: minPoseDetectionConfidence,
      minPoseSuppressionThreshold: minPoseSuppressionThreshold, minPosePresenceConfidence: minPosePresenceConfidence,
      minHandLandmarksConfidence: minHandLandmarksConfidence, outputs: outputs)
  }
}

// Unchecked because its base class is: it has constants only.

/// The result of a holistic landmarker.
#if canImport(ObjectiveC)
  @objc(MPPHolisticLandmarkerResult) @objcMembers
#endif
open class HolisticLandmarkerResult: TaskResult, @unchecked Sendable {
  /// The 478 landmarks of the face in the image; empty if the face is not detected.
  public let faceLandmarks: [NormalizedLandmark]
  /// The blendshapes of the face; `nil` if the face is not detected, and unless requested.
  public let faceBlendshapes: Classifications?
  /// The 33 landmarks of the body in the image, all with visibility and presence; empty if no person is detected.
  public let poseLandmarks: [NormalizedLandmark]
  /// The world landmarks of the body, in meters, relative to the midpoint of the hips.
  public let poseWorldLandmarks: [Landmark]
  /// A mask with the confidence that a pixel belongs to the person; `nil` if no person is detected, and unless
  /// requested.
  public let poseSegmentationMask: Mask?
  /// The 21 landmarks of the person's own left hand in the image; empty if it is not detected.
  public let leftHandLandmarks: [NormalizedLandmark]
  /// The world landmarks of the left hand, in meters, relative to the midpoint of the hips.
  public let leftHandWorldLandmarks: [Landmark]
  /// The 21 landmarks of the person's own right hand in the image; empty if it is not detected.
  public let rightHandLandmarks: [NormalizedLandmark]
  /// The world landmarks of the right hand, in meters, relative to the midpoint of the hips.
  public let rightHandWorldLandmarks: [Landmark]

  convenience init(_ timed: (output: Person?, time: Duration)) { self.init(timed.output, at: timed.time) }

  init(_ value: Person?, at time: Duration) {
    faceLandmarks = value?.face?.landmarks.map { NormalizedLandmark($0) } ?? []
    faceBlendshapes = value?.face?.blendshapes.map { Classifications(blendshapes: $0) }
    poseLandmarks = value?.pose.landmarks.map { NormalizedLandmark($0) } ?? []
    poseWorldLandmarks = value?.pose.worldLandmarks.map { Landmark($0) } ?? []
    poseSegmentationMask = value?.pose.segmentationMask.map { Mask($0) }
    leftHandLandmarks = value?.leftHand?.landmarks.map { NormalizedLandmark($0) } ?? []
    leftHandWorldLandmarks = value?.leftHand?.worldLandmarks.map { Landmark($0) } ?? []
    rightHandLandmarks = value?.rightHand?.landmarks.map { NormalizedLandmark($0) } ?? []
    rightHandWorldLandmarks = value?.rightHand?.worldLandmarks.map { Landmark($0) } ?? []
    super.init(timestampInMilliseconds: time.inMilliseconds)
  }
}

/// A delegate that receives the results of a holistic landmarker in live-stream mode.
#if canImport(ObjectiveC)
  @objc(MPPHolisticLandmarkerLiveStreamDelegate)
#endif
public protocol HolisticLandmarkerLiveStreamDelegate: AnyObject {
  /// Receives the result or the error of one frame.
  ///
  /// The method is called on a serial queue of the task, in the order of the frames. It is not called for frames that
  /// were dropped because the task was busy.
  ///
  /// - Parameters:
  ///   - holisticLandmarker: The task that processed the frame.
  ///   - result: The result; `nil` if the frame failed.
  ///   - timestampInMilliseconds: The timestamp of the frame; `Int.min` if it failed.
  ///   - error: The reason if the frame failed: an `NSError` in the tasks' domain.
  #if canImport(ObjectiveC)
    @objc(holisticLandmarker:didFinishDetectionWithResult:timestampInMilliseconds:error:)
  #endif
  func holisticLandmarker(
    _ holisticLandmarker: HolisticLandmarker, didFinishDetection result: HolisticLandmarkerResult?,
    timestampInMilliseconds: Int,
    error: (any Error)?)
}
