public import Foundation
public import class MediaPipeTasksCommon.Classifications
import SwiftletVision

/// Detects faces and their landmarks in images.
///
/// In videos and live streams, faces are tracked from frame to frame.
///
/// - Thread safety: callable concurrently; calls on one landmarker run one at a time.
#if canImport(ObjectiveC)
  @objc(MPPFaceLandmarker) @objcMembers
#endif
open class FaceLandmarker: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: all properties except the delegate, which is set once,
  // are `Sendable` constants.

  private let modes: TaskInModes<SwiftletVision.FaceLandmarker>
  /// The delegate, which need not be `Sendable`. `nonisolated(unsafe)` is correct: the property is written once, before
  /// the task is shared; a weak reference can be read on any thread; and the delegate is only called on the task's own
  /// queue, as in MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any FaceLandmarkerLiveStreamDelegate)?

  /// Creates a landmarker with default options, for single images.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the file is missing or is not a bundle of face landmarker models.
  public convenience init(modelPath: String) throws {
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a landmarker with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the tasks' domain if options contradict each other, or the bundle is missing or lacks a
  ///   required model.
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

  /// The number of live-stream frames that were dropped because the task was busy. This is an addition to MediaPipe's
  /// API.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Detects the faces in an image of any size; blocks until done.
  ///
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(detectImage:error:)
  #endif
  open func detect(image: MPImage) throws -> FaceLandmarkerResult {
    try reportingTasksErrors { FaceLandmarkerResult(try modes.image(image)) }
  }

  /// Detects the faces in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func detect(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> FaceLandmarkerResult {
    try reportingTasksErrors {
      FaceLandmarkerResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Detects the faces in a frame of a live stream. Returns immediately; the delegate receives the result. If the task
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

/// The connections of each part of a face. Left and right are the subject's own.
extension FaceLandmarker {
  /// Returns the connections of the outer and the inner edge of the lips.
  public static func lipsConnections() -> [Connection] { connections(FaceLandmarks.lips) }

  /// Returns the connections of the rim of the left eye.
  public static func leftEyeConnections() -> [Connection] { connections(FaceLandmarks.leftEye) }

  /// Returns the connections of the edges of the left eyebrow.
  public static func leftEyebrowConnections() -> [Connection] { connections(FaceLandmarks.leftEyebrow) }

  /// Returns the connections of the edge of the left iris.
  public static func leftIrisConnections() -> [Connection] { connections(FaceLandmarks.leftIris) }

  /// Returns the connections of the rim of the right eye.
  public static func rightEyeConnections() -> [Connection] { connections(FaceLandmarks.rightEye) }

  /// Returns the connections of the edges of the right eyebrow.
  public static func rightEyebrowConnections() -> [Connection] { connections(FaceLandmarks.rightEyebrow) }

  /// Returns the connections of the edge of the right iris.
  public static func rightIrisConnections() -> [Connection] { connections(FaceLandmarks.rightIris) }

  /// Returns the connections of the outline of the face.
  public static func faceOvalConnections() -> [Connection] { connections(FaceLandmarks.faceOval) }

  /// Returns the connections of all of the parts above.
  public static func contoursConnections() -> [Connection] { connections(FaceLandmarks.contours) }

  /// Returns the connections of the face mesh: the sides of its triangles.
  public static func tesselationConnections() -> [Connection] { connections(FaceLandmarks.tesselation) }

  /// Returns the connections of the lips, the contours, and the mesh, in this order.
  public static func faceConnections() -> [Connection] {
    connections(FaceLandmarks.lips + FaceLandmarks.contours + FaceLandmarks.tesselation)
  }

  private static func connections(_ values: [LandmarkConnection]) -> [Connection] { values.map { Connection($0) } }
}

/// The options of a face landmarker.
#if canImport(ObjectiveC)
  @objc(MPPFaceLandmarkerOptions) @objcMembers
#endif
open class FaceLandmarkerOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// The delegate that receives the results of a live stream. Must be set in live-stream mode, and only in that mode.
  open weak var faceLandmarkerLiveStreamDelegate: (any FaceLandmarkerLiveStreamDelegate)?
  /// The maximum number of faces to detect; at least 1. Landmarks are smoothed only if it is 1.
  open var numFaces = 1
  /// The minimum detection score, 0…1. Detections with a lower score are ignored.
  open var minFaceDetectionConfidence: Float = 0.5
  /// The presence score that the landmark model must exceed for a face to be returned, 0…1.
  open var minFacePresenceConfidence: Float = 0.5
  /// In videos, the intersection over union above which two regions count as the same face, 0…1.
  open var minTrackingConfidence: Float = 0.5
  /// A Boolean value that indicates whether to return blendshapes. Requires a blendshape model in the bundle.
  open var outputFaceBlendshapes = false
  /// A Boolean value that indicates whether to return transformation matrices. Requires a canonical face in the bundle.
  open var outputFacialTransformationMatrixes = false

  /// Returns independent options with the same values and the same delegate.
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

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` if there is no model, and with MediaPipe's texts for invalid values.
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

/// The result of a face landmarker.
#if canImport(ObjectiveC)
  @objc(MPPFaceLandmarkerResult) @objcMembers
#endif
open class FaceLandmarkerResult: TaskResult, @unchecked Sendable {
  /// The 478 landmarks of every face, best face first; empty if there are no faces.
  public let faceLandmarks: [[NormalizedLandmark]]
  /// The blendshapes of every face, 52 scores each; empty unless requested.
  public let faceBlendshapes: [Classifications]
  /// The transformation matrix of every face; empty unless requested. A face whose landmarks determine no position in
  /// space is omitted.
  public let facialTransformationMatrixes: [TransformMatrix]

  /// Creates a result with the given faces.
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

/// A delegate that receives the results of a face landmarker in live-stream mode.
#if canImport(ObjectiveC)
  @objc(MPPFaceLandmarkerLiveStreamDelegate)
#endif
public protocol FaceLandmarkerLiveStreamDelegate: AnyObject {
  /// Receives the result or the error of one frame.
  ///
  /// The method is called on a serial queue of the task, in the order of the frames. It is not called for frames that
  /// were dropped because the task was busy.
  ///
  /// - Parameters:
  ///   - faceLandmarker: The task that processed the frame.
  ///   - result: The result; `nil` if the frame failed.
  ///   - timestampInMilliseconds: The timestamp of the frame; `Int.min` if it failed.
  ///   - error: The reason if the frame failed: an `NSError` in the tasks' domain.
  #if canImport(ObjectiveC)
    @objc(faceLandmarker:didFinishDetectionWithResult:timestampInMilliseconds:error:)
  #endif
  func faceLandmarker(
    _ faceLandmarker: FaceLandmarker, didFinishDetection result: FaceLandmarkerResult?, timestampInMilliseconds: Int,
    error: (any Error)?)
}
