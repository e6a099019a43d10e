public import Foundation
public import class MediaPipeTasksCommon.Classifications
import SwiftletVision

/// Finds faces with their points in images.
///
/// In videos and live streams, faces are followed from frame to frame.
///
/// - Thread safety: callable concurrently; calls on one landmarker run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPFaceLandmarker) @objcMembers
#endif
open class FaceLandmarker: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: all but the delegate, which is set once, are Sendable constants.

  private let modes: TaskInModes<SwiftletVision.FaceLandmarker>
  /// Unchecked because delegates need not be `Sendable`: it is written once, before anyone else has the task, reading a
  /// weak reference is safe on every thread, and it is only called on the task's own queue, as with MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any FaceLandmarkerLiveStreamDelegate)?

  /// Creates a landmarker with default options, for single images.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is no bundle of a face landmarker's models.
  public convenience init(modelPath: String) throws {
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a landmarker with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the bundle is missing or lacks a
  ///   model that they need.
  public init(options: FaceLandmarkerOptions) throws {
    modes = try reportingTasksErrors {
      try options.runningMode.requireDelegate(options.faceLandmarkerLiveStreamDelegate)
      return TaskInModes(
        try SwiftletVision.FaceLandmarker(options: try options.values()), options.runningMode
      ) { task, image, _ in try task.faces(in: image) }
    }
    liveStreamDelegate = options.faceLandmarkerLiveStreamDelegate
    super.init()
    modes.deliver(to: self, on: options.baseOptions.delegateQueue) { landmarker, result, timestamp, error in
      landmarker.liveStreamDelegate?.faceLandmarker(
        landmarker, didFinishDetection: result.map { FaceLandmarkerResult($0.output, at: $0.time) },
        timestampInMilliseconds: timestamp,
        error: error)
    }
  }

  /// The number of frames of the live stream that were ignored because the task was busy: an addition to MediaPipe's
  /// interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Finds the faces in an image of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(detectImage:error:)
  #endif
  open func detect(image: MPImage) throws -> FaceLandmarkerResult {
    try reportingTasksErrors { FaceLandmarkerResult(try modes.image(image)) }
  }

  /// Finds the faces in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func detect(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> FaceLandmarkerResult {
    try reportingTasksErrors {
      FaceLandmarkerResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Finds the faces in a frame of a live stream. Returns at once; the delegate receives the result. While the task is
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

/// Which points the parts of a synthetic face join. Left and right are the subject's own.
extension FaceLandmarker {
  /// The outer and the inner edge of the lips.
  public static func lipsConnections() -> [Connection] { connections(FaceLandmarks.lips) }

  /// The rim of the left eye.
  public static func leftEyeConnections() -> [Connection] { connections(FaceLandmarks.leftEye) }

  /// The edges of the left eyebrow.
  public static func leftEyebrowConnections() -> [Connection] { connections(FaceLandmarks.leftEyebrow) }

  /// The edge of the left iris.
  public static func leftIrisConnections() -> [Connection] { connections(FaceLandmarks.leftIris) }

  /// The rim of the right eye.
  public static func rightEyeConnections() -> [Connection] { connections(FaceLandmarks.rightEye) }

  /// The edges of the right eyebrow.
  public static func rightEyebrowConnections() -> [Connection] { connections(FaceLandmarks.rightEyebrow) }

  /// The edge of the right iris.
  public static func rightIrisConnections() -> [Connection] { connections(FaceLandmarks.rightIris) }

  /// The outline of the face.
  public static func faceOvalConnections() -> [Connection] { connections(FaceLandmarks.faceOval) }

  /// All of the above.
  public static func contoursConnections() -> [Connection] { connections(FaceLandmarks.contours) }

  /// The sides of the triangles of a mesh over the face.
  public static func tesselationConnections() -> [Connection] { connections(FaceLandmarks.tesselation) }

  /// The lips, the contours and the mesh, one after the other.
  public static func faceConnections() -> [Connection] {
    connections(FaceLandmarks.lips + FaceLandmarks.contours + FaceLandmarks.tesselation)
  }

  private static func connections(_ values: [LandmarkConnection]) -> [Connection] { values.map { Connection($0) } }
}

/// How faces and their points are looked for.
#if canImport(ObjectiveC)
  @objc(MPPFaceLandmarkerOptions) @objcMembers
#endif
open class FaceLandmarkerOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var faceLandmarkerLiveStreamDelegate: (any FaceLandmarkerLiveStreamDelegate)?
  /// The most faces that are looked for; 1 or more. The points of more than one are not smoothed.
  open var numFaces = 1
  /// Faces that the detector is less sure of are not looked at; 0…1.
  open var minFaceDetectionConfidence: Float = 0.5
  /// Only places where the model sees a face with more than this confidence count; 0…1.
  open var minFacePresenceConfidence: Float = 0.5
  /// In videos, faces whose regions overlap by more are taken to be one; intersection over union, 0…1.
  open var minTrackingConfidence: Float = 0.5
  /// Whether every face has its blendshapes; the bundle has to hold their model.
  open var outputFaceBlendshapes = false
  /// Whether every face has the matrix that says where it is in space; the bundle has to hold a canonical face.
  open var outputFacialTransformationMatrixes = false

  /// Independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = FaceLandmarkerOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.faceLandmarkerLiveStreamDelegate = faceLandmarkerLiveStreamDelegate
    copy.numFaces = numFaces
    copy.minFaceDetectionConfidence = minFaceDetectionConfidence
    copy.minFacePresenceConfidence = minFacePresenceConfidence
    copy.minTrackingConfidence = minTrackingConfidence
    copy.outputFaceBlendshapes = outputFaceBlendshapes
    copy.outputFacialTransformationMatrixes = outputFacialTransformationMatrixes
    return copy
  }

  /// - Throws: `TasksFailure` when there is no model, and with MediaPipe's texts for what it refuses.
  func values() throws(TasksFailure) -> SwiftletVision.FaceLandmarkerOptions {
    let base = try baseOptions.values()
    try LandmarkOptionCheck.check(count: numFaces, presence: minFacePresenceConfidence)
    var outputs: FaceLandmarkerOutputs = []
    if outputFaceBlendshapes { outputs.insert(.blendshapes) }
    if outputFacialTransformationMatrixes { outputs.insert(.transformationMatrices) }
    return .init(
      baseOptions: base, maxFaces: numFaces,
      minDetectionConfidence: minFaceDetectionConfidence, minPresenceConfidence: minFacePresenceConfidence,
      minTrackingConfidence: minTrackingConfidence, outputs: outputs)
  }
}

// Unchecked because its base class is: it has constants only.

/// The faces in an image.
#if canImport(ObjectiveC)
  @objc(MPPFaceLandmarkerResult) @objcMembers
#endif
open class FaceLandmarkerResult: TaskResult, @unchecked Sendable {
  /// 478 points for every face, best first; empty when there is none.
  public let faceLandmarks: [[NormalizedLandmark]]
  /// The blendshapes of every face, 52 scores each; empty when it was not asked for.
  public let faceBlendshapes: [Classifications]
  /// The transformation matrix of every face; empty when it was not asked for. A face whose points are none in space is
  /// left out.
  public let facialTransformationMatrixes: [TransformMatrix]

  /// Creates a result of these faces.
  public init(
    faceLandmarks: [[NormalizedLandmark]], faceBlendshapes: [Classifications],
    facialTransformationMatrixes: [TransformMatrix], timestampInMilliseconds: Int
  ) {
    self.faceLandmarks = faceLandmarks
    self.faceBlendshapes = faceBlendshapes
    self.facialTransformationMatrixes = facialTransformationMatrixes
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: [Face], time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: [Face], at time: Duration) {
    self.init(
      faceLandmarks: value.map { $0.landmarks.map { NormalizedLandmark($0) } },
      faceBlendshapes: value.compactMap(\.blendshapes).map { scores in
        Classifications(blendshapes: scores)
      },
      facialTransformationMatrixes: value.compactMap(\.transformationMatrix).map { TransformMatrix($0) },
      timestampInMilliseconds: time.inMilliseconds)
  }
}

/// Receives the results of a face landmarker in live-stream mode.
#if canImport(ObjectiveC)
  @objc(MPPFaceLandmarkerLiveStreamDelegate)
#endif
public protocol FaceLandmarkerLiveStreamDelegate: AnyObject {
  /// Called with the result or the error of one frame.
  ///
  /// Called on a serial queue of the task's own, in the order of the frames. There is no call for frames that were
  /// dropped because the task was busy.
  ///
  /// - Parameters:
  ///   - faceLandmarker: the task that was sent the frame.
  ///   - result: what was found; `nil` when the frame failed.
  ///   - timestampInMilliseconds: the time the frame was sent with; the least integer when it failed.
  ///   - error: why the frame failed: an `NSError` of the tasks' domain.
  #if canImport(ObjectiveC)
    @objc(faceLandmarker:didFinishDetectionWithResult:timestampInMilliseconds:error:)
  #endif
  func faceLandmarker(
    _ faceLandmarker: FaceLandmarker, didFinishDetection result: FaceLandmarkerResult?, timestampInMilliseconds: Int,
    error: (any Error)?)
}
