public import SwiftletImage
public import SwiftletTasks

/// The options of a ``FaceLandmarker``.
public struct FaceLandmarkerOptions: Sendable, Hashable {
  /// The model bundle, and how the models run.
  public var baseOptions: BaseOptions
  /// The maximum number of faces to detect; at least 1.
  public var maxFaces: Int
  /// The minimum detection score, 0…1. Detections with a lower score are ignored.
  public var minDetectionConfidence: Float
  /// The presence score that the landmark model must exceed for a face to be returned, 0…1.
  public var minPresenceConfidence: Float
  /// In videos, the intersection over union above which two regions count as the same face, 0…1.
  public var minTrackingConfidence: Float
  /// The optional outputs for each face, in addition to landmarks.
  public var outputs: FaceLandmarkerOutputs
  /// The landmarks that are smoothed over the frames of a video. Blendshapes and matrices are computed from smoothed
  /// landmarks.
  public var smoothing: LandmarkSmoothing

  /// Creates options. Parameters that you omit have their default values.
  public init(
    baseOptions: BaseOptions, maxFaces: Int = 1,
    minDetectionConfidence: Float = 0.5, minPresenceConfidence: Float = 0.5, minTrackingConfidence: Float = 0.5,
    outputs: FaceLandmarkerOutputs = [], smoothing: LandmarkSmoothing = .single
  ) {
    self.baseOptions = baseOptions
    self.maxFaces = maxFaces
    self.minDetectionConfidence = minDetectionConfidence
    self.minPresenceConfidence = minPresenceConfidence
    self.minTrackingConfidence = minTrackingConfidence
    self.outputs = outputs
    self.smoothing = smoothing
  }

  func validate() throws(TaskError) {
    guard maxFaces > 0 else {
      throw TaskError(.invalidOption, "maxFaces must be at least 1, got \(maxFaces)")
    }
    try ConfidenceOption.check(minDetectionConfidence, "minDetectionConfidence")
    try ConfidenceOption.check(minPresenceConfidence, "minPresenceConfidence")
    try ConfidenceOption.check(minTrackingConfidence, "minTrackingConfidence")
  }
}

/// The optional outputs for a face, in addition to landmarks.
public struct FaceLandmarkerOutputs: OptionSet, Sendable, Hashable {
  /// The raw bits of the set.
  public let rawValue: Int

  /// Creates a set from raw bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Blendshape scores. Requires a blendshape model in the bundle.
  public static let blendshapes = FaceLandmarkerOutputs(rawValue: 1)
  /// The transformation matrix from the canonical face to the camera. Requires a canonical face in the bundle.
  public static let transformationMatrices = FaceLandmarkerOutputs(rawValue: 2)
}

/// Detects faces and their 478 landmarks, and optionally blendshapes and transformation matrices.
///
/// ```swift
/// let landmarker = try FaceLandmarker(.file("face_landmarker.task")) { $0.outputs = [.blendshapes] }
/// for face in try landmarker.faces(in: image) { print(face.landmarks[1], face.blendshapes?[.jawOpen] ?? 0) }
/// ```
/// In videos and live sessions, faces are tracked: the detector runs only if fewer faces are tracked than requested.
///
/// - Thread safety: callable concurrently; calls on one task run one at a time, unless `BaseOptions.maxConcurrentCalls`
///   is raised.
public final class FaceLandmarker: VisionTask {
  /// The faces of an image, best first.
  public typealias Output = [Face]

  private let runner: TaskRunner<FaceLandmarkerPipeline>

  /// The capacity of a batch of images.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }

  /// Creates a face landmarker.
  ///
  /// - Throws: `TaskError` if options are out of range, or a model that they require is missing from the bundle or is
  ///   of another kind.
  public init(options: FaceLandmarkerOptions) throws(TaskError) {
    try options.validate()
    runner = try TaskRunner(options.baseOptions, name: "faceLandmarker") { try FaceLandmarkerPipeline(options, $0) }
  }

  /// Creates a face landmarker with default options, unless `configure` changes them.
  ///
  /// - Throws: The same errors as ``init(options:)``.
  public convenience init(
    _ model: ModelSource, configure: (inout FaceLandmarkerOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = FaceLandmarkerOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  // MARK: Images

  /// Returns the faces in an image; blocks until done.
  ///
  /// - Parameter image: An image of any size, in any orientation.
  /// - Throws: `TaskError` if the model cannot run. The next call may succeed.
  public func faces(in image: InputImage) throws(TaskError) -> [Face] {
    try runner.output(for: VisionInput(image))
  }

  /// Returns the faces in an image, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func faces(in image: InputImage, priority: TaskPriority) async throws -> [Face] {
    try await runner.output(for: VisionInput(image), priority: priority)
  }

  /// Returns the faces in many images, in order; see ``Batch``.
  public func faces(inContentsOf images: some Sequence<InputImage> & Sendable) -> Batch<InputImage, [Face]> {
    runner.batch(BatchSources(images)) { VisionInput($0) }
  }

  /// Returns the faces in many images, in order; `load` creates each image; see ``Batch``.
  public func faces<Sources: Sequence & Sendable>(
    inContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, [Face]> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  /// Returns the faces in many images, in order; `load` creates each image from an element of an asynchronous sequence;
  /// see ``Batch``.
  public func faces<Sources: AsyncSequence & Sendable>(
    inContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, [Face]> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  // MARK: Videos and cameras

  /// Opens a session for the frames of one video.
  public func video() -> VideoSession<FaceLandmarker> { VideoSession(runner.session()) }
}

extension VideoSession where SomeTask == FaceLandmarker {
  /// Returns the faces in the next frame of the video; blocks until done.
  ///
  /// - Parameters:
  ///   - frame: The frame, in any orientation.
  ///   - time: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: `TaskError`, such as `timeNotIncreasing`. The session is then unchanged.
  public func faces(in frame: InputImage, at time: Duration) throws(TaskError) -> [Face] {
    try output(for: frame, at: time)
  }

  /// Returns the faces in the next frame of the video, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func faces(
    in frame: InputImage, at time: Duration, priority: TaskPriority
  ) async throws -> [Face] {
    try await output(for: frame, at: time, priority: priority)
  }
}

/// A face in an image: its landmarks, and optionally its blendshapes and transformation matrix.
public struct Face: Sendable, Hashable {
  /// The 478 landmarks in the stored image: 468 of the face mesh and five of each iris (``FaceLandmarks``).
  public var landmarks: [NormalizedLandmark]
  /// The blendshape scores; `nil` unless requested.
  public var blendshapes: FaceBlendshapes?
  /// The transformation matrix from the canonical face to the camera; `nil` unless requested, and if the landmarks
  /// determine no position in space. It is a reflection for images with a mirrored orientation.
  public var transformationMatrix: TransformationMatrix?

  /// Creates a face.
  public init(
    landmarks: [NormalizedLandmark], blendshapes: FaceBlendshapes? = nil,
    transformationMatrix: TransformationMatrix? = nil
  ) {
    self.landmarks = landmarks
    self.blendshapes = blendshapes
    self.transformationMatrix = transformationMatrix
  }
}

/// The scores of all blendshapes of a face.
public struct FaceBlendshapes: Sendable, Hashable {
  /// The scores, 0…1, in the order of ``FaceBlendshape``.
  public var scores: [Float]

  /// Creates blendshapes from a score for each ``FaceBlendshape``.
  ///
  /// - Returns: `nil` unless there is a score for each case.
  public init?(scores: [Float]) {
    guard scores.count == FaceBlendshape.allCases.count else { return nil }
    self.scores = scores
  }

  /// The score of a blendshape, 0…1.
  public subscript(blendshape: FaceBlendshape) -> Float { scores[blendshape.rawValue] }
}

extension Face {
  /// The approximate size of a face in a result, with its blendshapes and matrix, in bytes.
  static let byteCount = FaceLandmarks.count * MemoryLayout<NormalizedLandmark>.stride + 52 * 128

  /// Transforms the face to that of the mirror image.
  mutating func mirror() {
    landmarks.mirror()
    transformationMatrix = transformationMatrix?.mirrored
  }
}
