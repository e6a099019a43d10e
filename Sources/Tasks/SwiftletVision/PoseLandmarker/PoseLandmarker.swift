public import SwiftletImage
public import SwiftletTasks

/// The options of a ``PoseLandmarker``.
public struct PoseLandmarkerOptions: Sendable, Hashable {
  /// The model bundle, and how the models run.
  public var baseOptions: BaseOptions
  /// The maximum number of poses to detect; at least 1.
  public var maxPoses: Int
  /// The minimum detection score, 0…1. Detections with a lower score are ignored.
  public var minDetectionConfidence: Float
  /// The presence score that the landmark model must exceed for a pose to be returned, 0…1.
  public var minPresenceConfidence: Float
  /// In videos, the intersection over union above which two regions count as the same pose, 0…1.
  public var minTrackingConfidence: Float
  /// The optional outputs for each pose, in addition to landmarks.
  public var outputs: PoseLandmarkerOutputs
  /// A Boolean value that indicates whether to reproduce the incorrect regions of MediaPipe 1.2.3 for rotated images.
  @_spi(Facades) public var keepsMediaPipeRotation = false
  /// The landmarks that are smoothed over the frames of a video.
  public var smoothing: LandmarkSmoothing

  /// Creates options. Parameters that you omit have their default values.
  public init(
    baseOptions: BaseOptions, maxPoses: Int = 1,
    minDetectionConfidence: Float = 0.5, minPresenceConfidence: Float = 0.5, minTrackingConfidence: Float = 0.5,
    outputs: PoseLandmarkerOutputs = [], smoothing: LandmarkSmoothing = .single
  ) {
    self.baseOptions = baseOptions
    self.maxPoses = maxPoses
    self.minDetectionConfidence = minDetectionConfidence
    self.minPresenceConfidence = minPresenceConfidence
    self.minTrackingConfidence = minTrackingConfidence
    self.outputs = outputs
    self.smoothing = smoothing
  }

  func validate() throws(TaskError) {
    guard maxPoses > 0 else {
      throw TaskError(.invalidOption, "maxPoses must be at least 1, got \(maxPoses)")
    }
    try ConfidenceOption.check(minDetectionConfidence, "minDetectionConfidence")
    try ConfidenceOption.check(minPresenceConfidence, "minPresenceConfidence")
    try ConfidenceOption.check(minTrackingConfidence, "minTrackingConfidence")
  }
}

/// The optional outputs for a pose, in addition to landmarks.
public struct PoseLandmarkerOutputs: OptionSet, Sendable, Hashable {
  /// The raw bits of the set.
  public let rawValue: Int

  /// Creates a set from raw bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A confidence mask of the person.
  public static let segmentationMasks = PoseLandmarkerOutputs(rawValue: 1)
}

/// Detects poses and their 33 landmarks. It runs MediaPipe's `pose_landmarker.task` bundles.
///
/// ```swift
/// let landmarker = try PoseLandmarker(.file("pose_landmarker.task"))
/// for pose in try landmarker.poses(in: image) { print(pose[.leftWrist]) }
/// ```
/// In videos and live sessions, poses are tracked, and the landmarks of a single pose are smoothed.
///
/// - Thread safety: callable concurrently; calls on one task run one at a time, unless `BaseOptions.maxConcurrentCalls`
///   is raised.
public final class PoseLandmarker: VisionTask {
  /// The poses of an image, best first.
  public typealias Output = [Pose]

  private let runner: TaskRunner<PoseLandmarkerPipeline>

  /// The capacity of a batch of images.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }

  /// Creates a pose landmarker.
  ///
  /// - Throws: `TaskError` if options are out of range, or a model in the bundle is missing or is of another kind.
  public init(options: PoseLandmarkerOptions) throws(TaskError) {
    try options.validate()
    runner = try TaskRunner(options.baseOptions, name: "poseLandmarker") { try PoseLandmarkerPipeline(options, $0) }
  }

  /// Creates a pose landmarker with default options, unless `configure` changes them.
  ///
  /// - Throws: The same errors as ``init(options:)``.
  public convenience init(
    _ model: ModelSource, configure: (inout PoseLandmarkerOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = PoseLandmarkerOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  // MARK: Images

  /// Returns the poses in an image; blocks until done.
  ///
  /// - Parameter image: An image of any size, in any orientation.
  /// - Throws: `TaskError` if the model cannot run. The next call may succeed.
  public func poses(in image: InputImage) throws(TaskError) -> [Pose] {
    try runner.output(for: VisionInput(image))
  }

  /// Returns the poses in an image, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func poses(in image: InputImage, priority: TaskPriority) async throws -> [Pose] {
    try await runner.output(for: VisionInput(image), priority: priority)
  }

  /// Returns the poses in many images, in order; see ``Batch``.
  public func poses(inContentsOf images: some Sequence<InputImage> & Sendable) -> Batch<InputImage, [Pose]> {
    runner.batch(BatchSources(images)) { VisionInput($0) }
  }

  /// Returns the poses in many images, in order; `load` creates each image; see ``Batch``.
  public func poses<Sources: Sequence & Sendable>(
    inContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, [Pose]> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  /// Returns the poses in many images, in order; `load` creates each image from an element of an asynchronous sequence;
  /// see ``Batch``.
  public func poses<Sources: AsyncSequence & Sendable>(
    inContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, [Pose]> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  // MARK: Videos and cameras

  /// Opens a session for the frames of one video.
  public func video() -> VideoSession<PoseLandmarker> { VideoSession(runner.session()) }
}

extension VideoSession where SomeTask == PoseLandmarker {
  /// Returns the poses in the next frame of the video; blocks until done.
  ///
  /// - Parameters:
  ///   - frame: The frame, in any orientation.
  ///   - time: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: `TaskError`, such as `timeNotIncreasing`. The session is then unchanged.
  public func poses(in frame: InputImage, at time: Duration) throws(TaskError) -> [Pose] {
    try output(for: frame, at: time)
  }

  /// Returns the poses in the next frame of the video, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func poses(
    in frame: InputImage, at time: Duration, priority: TaskPriority
  ) async throws -> [Pose] {
    try await output(for: frame, at: time, priority: priority)
  }
}

/// The pose of a person.
public struct Pose: Sendable, Equatable {
  /// The 33 landmarks in the stored image, in the order of ``PoseLandmarks/Point``, all with visibility and presence.
  /// Depth is relative to the midpoint of the hips.
  public var landmarks: [NormalizedLandmark]
  /// The world landmarks, in meters, relative to the midpoint of the hips, with the same visibility and presence.
  public var worldLandmarks: [Landmark]
  /// A mask with the confidence that a pixel belongs to the person, 0…1, in the size and orientation of the stored
  /// image; `nil` unless requested.
  public var segmentationMask: ConfidenceMask?

  /// Creates a pose.
  public init(landmarks: [NormalizedLandmark], worldLandmarks: [Landmark], segmentationMask: ConfidenceMask? = nil) {
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
    self.segmentationMask = segmentationMask
  }

  /// The position of a landmark in the stored image; `nil` if the pose has fewer landmarks.
  public subscript(point: PoseLandmarks.Point) -> NormalizedLandmark? {
    landmarks.indices.contains(point.rawValue) ? landmarks[point.rawValue] : nil
  }
}

extension Pose {
  /// The approximate size of a pose in a result, without its mask, in bytes.
  static let byteCount = 33 * (MemoryLayout<NormalizedLandmark>.stride + MemoryLayout<Landmark>.stride) + 256

  /// Transforms the pose to that of the mirror image.
  mutating func mirror() {
    landmarks.mirror()
    worldLandmarks.mirror()
    segmentationMask = segmentationMask?.mirrored
  }
}
