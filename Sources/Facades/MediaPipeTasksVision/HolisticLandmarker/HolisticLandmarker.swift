public import Foundation
public import class MediaPipeTasksCommon.Classifications
import SwiftletVision

/// Finds a person in images: body, hands and face.
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

  /// Creates a landmarker with default options, for single images.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is no bundle of these models.
  public convenience init(modelPath: String) throws {
    let options = HolisticLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a landmarker with these options; changing them later changes nothing.
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

  /// The number of frames of the live stream that were ignored because the task was busy: an addition to MediaPipe's
  /// interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Finds the person in an image of any size; blocks until done.
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

/// How a person is looked for.
#if canImport(ObjectiveC)
  @objc(MPPHolisticLandmarkerOptions) @objcMembers
#endif
open class HolisticLandmarkerOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var holisticLandmarkerLiveStreamDelegate: (any HolisticLandmarkerLiveStreamDelegate)?
  /// Faces that the detector is less sure of are not looked at; 0…1.
  open var minFaceDetectionConfidence: Float = 0.5
  /// Faces that overlap by more are taken to be one; intersection over union, 0…1.
  open var minFaceSuppressionThreshold: Float = 0.3
  /// Only places where the model sees a face with more than this confidence count; 0…1.
  open var minFacePresenceConfidence: Float = 0.5
  /// Bodies that the detector is less sure of are not looked at; 0…1.
  open var minPoseDetectionConfidence: Float = 0.5
  /// Bodies that overlap by more are taken to be one; intersection over union, 0…1.
  open var minPoseSuppressionThreshold: Float = 0.3
  /// Only places where the model sees a body with more than this confidence count; 0…1.
  open var minPosePresenceConfidence: Float = 0.5
  /// Only places where the model sees a hand with more than this confidence count; 0…1.
  open var minHandLandmarksConfidence: Float = 0.5
  /// Whether the face has its blendshapes; the bundle has to hold their model.
  open var outputFaceBlendshapes = false
  /// Whether there is a mask that says which pixels are the person's.
  open var outputPoseSegmentationMasks = false
  /// Whether single images are taken for frames of a video, a second apart, as in MediaPipe: an addition to
  /// MediaPipe's interface. Otherwise they have nothing to do with each other.
  open var keepsStateBetweenImages = false

  /// Independent options with the same values and the same delegate.
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

  /// - Throws: `TasksFailure` when there is no model.
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

/// The person in an image.
#if canImport(ObjectiveC)
  @objc(MPPHolisticLandmarkerResult) @objcMembers
#endif
open class HolisticLandmarkerResult: TaskResult, @unchecked Sendable {
  /// 478 landmarks of the face in the image; empty when it is not seen.
  public let faceLandmarks: [NormalizedLandmark]
  /// The blendshapes of the face; `nil` when it is not seen, and unless asked for.
  public let faceBlendshapes: Classifications?
  /// 33 landmarks of the body in the image, all with visibility and presence; empty when there is nobody.
  public let poseLandmarks: [NormalizedLandmark]
  /// The same landmarks in world coordinates, in meters, from the middle of the hips.
  public let poseWorldLandmarks: [Landmark]
  /// The confidence of the model that a pixel belongs to the person; `nil` when there is nobody, and unless asked for.
  public let poseSegmentationMask: Mask?
  /// 21 points of the person's own left hand in the image; empty when it is not seen.
  public let leftHandLandmarks: [NormalizedLandmark]
  /// The same landmarks in world coordinates, in meters, from the middle of the hips.
  public let leftHandWorldLandmarks: [Landmark]
  /// 21 points of the person's own right hand in the image; empty when it is not seen.
  public let rightHandLandmarks: [NormalizedLandmark]
  /// The same landmarks in world coordinates, in meters, from the middle of the hips.
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

/// Receives the results of a holistic landmarker in live-stream mode.
#if canImport(ObjectiveC)
  @objc(MPPHolisticLandmarkerLiveStreamDelegate)
#endif
public protocol HolisticLandmarkerLiveStreamDelegate: AnyObject {
  /// Called with the result or the error of one frame.
  ///
  /// Called on a serial queue of the task's own, in the order of the frames. There is no call for frames that were
  /// dropped because the task was busy.
  ///
  /// - Parameters:
  ///   - holisticLandmarker: the task that was sent the frame.
  ///   - result: what was found; `nil` when the frame failed.
  ///   - timestampInMilliseconds: the time the frame was sent with; the least integer when it failed.
  ///   - error: why the frame failed: an `NSError` of the tasks' domain.
  #if canImport(ObjectiveC)
    @objc(holisticLandmarker:didFinishDetectionWithResult:timestampInMilliseconds:error:)
  #endif
  func holisticLandmarker(
    _ holisticLandmarker: HolisticLandmarker, didFinishDetection result: HolisticLandmarkerResult?,
    timestampInMilliseconds: Int,
    error: (any Error)?)
}
