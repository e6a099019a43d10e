public import SwiftletImage
public import SwiftletTasks

/// The options of a ``FaceDetector``.
public struct FaceDetectorOptions: Sendable, Hashable {
  /// The model, and how it runs.
  public var baseOptions: BaseOptions
  /// The minimum score of a face, 0…1. Faces with a lower score are not returned.
  public var minDetectionConfidence: Float
  /// The intersection over union above which two detections count as the same face, 0…1.
  public var minSuppressionThreshold: Float

  /// Creates options. Parameters that you omit have their default values.
  public init(
    baseOptions: BaseOptions, minDetectionConfidence: Float = 0.5,
    minSuppressionThreshold: Float = 0.3
  ) {
    self.baseOptions = baseOptions
    self.minDetectionConfidence = minDetectionConfidence
    self.minSuppressionThreshold = minSuppressionThreshold
  }

  func validate() throws(TaskError) {
    try ConfidenceOption.check(minDetectionConfidence, "minDetectionConfidence")
    try ConfidenceOption.check(minSuppressionThreshold, "minSuppressionThreshold")
  }
}

/// Detects faces in images, with six keypoints each. It runs short-range and full-range BlazeFace models.
///
/// ```swift
/// let detector = try FaceDetector(.file("face_detection_short_range.tflite")) { $0.minDetectionConfidence = 0.6 }
/// for face in try detector.faces(in: image) { print(face.box, face.score) }
/// ```
/// - Thread safety: callable concurrently; calls on one task run one at a time, unless `BaseOptions.maxConcurrentCalls`
///   is raised.
public final class FaceDetector: RegionTask {
  /// The faces of an image, best first.
  public typealias Output = [FaceDetection]

  private let runner: TaskRunner<FaceDetectorPipeline>

  /// The capacity of a batch of images.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }

  /// Creates a face detector.
  ///
  /// - Throws: `TaskError` if options are out of range, or the model is missing or is not a face detection model.
  public init(options: FaceDetectorOptions) throws(TaskError) {
    try options.validate()
    runner = try TaskRunner(options.baseOptions, name: "faceDetector") { try FaceDetectorPipeline(options, $0) }
  }

  /// Creates a face detector with default options, unless `configure` changes them.
  ///
  /// - Throws: The same errors as ``init(options:)``.
  public convenience init(
    _ model: ModelSource, configure: (inout FaceDetectorOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = FaceDetectorOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  // MARK: Images

  /// Returns the faces in an image, or in a part of it; blocks until done.
  ///
  /// - Parameters:
  ///   - image: An image of any size, in any orientation.
  ///   - region: The part, in coordinates of the stored image; `nil` for the whole image. It may be rotated. The
  ///     results are in coordinates of the whole image.
  /// - Throws: `TaskError`, such as `invalidRegion` for a region without an area. The next call may succeed.
  public func faces(in image: InputImage, region: NormalizedRect? = nil) throws(TaskError) -> [FaceDetection] {
    try runner.output(for: VisionInput(image, region: region))
  }

  /// Returns the faces in an image, or in a part of it, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func faces(in image: InputImage, region: NormalizedRect? = nil, priority: TaskPriority) async throws
    -> [FaceDetection]
  {
    try await runner.output(for: VisionInput(image, region: region), priority: priority)
  }

  /// Returns the faces in many images, in order; see ``Batch``.
  public func faces(inContentsOf images: some Sequence<InputImage> & Sendable) -> Batch<InputImage, [FaceDetection]> {
    runner.batch(BatchSources(images)) { VisionInput($0) }
  }

  /// Returns the faces in many images, in order; `load` creates each image; see ``Batch``.
  public func faces<Sources: Sequence & Sendable>(
    inContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, [FaceDetection]> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  /// Returns the faces in many images, in order; `load` creates each image from an element of an asynchronous sequence;
  /// see ``Batch``.
  public func faces<Sources: AsyncSequence & Sendable>(
    inContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, [FaceDetection]> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  // MARK: Videos and cameras

  /// Opens a session for the frames of one video.
  public func video() -> VideoSession<FaceDetector> { VideoSession(runner.session()) }
}

extension VideoSession where SomeTask == FaceDetector {
  /// Returns the faces in the next frame of the video, or in a part of it; blocks until done.
  ///
  /// - Parameters:
  ///   - frame: The frame, in any orientation.
  ///   - region: The part, in coordinates of the stored image; `nil` for the whole image.
  ///   - time: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: `TaskError`, such as `timeNotIncreasing`. The session is then unchanged.
  public func faces(in frame: InputImage, region: NormalizedRect? = nil, at time: Duration) throws(TaskError)
    -> [FaceDetection]
  {
    try output(for: frame, region: region, at: time)
  }

  /// Returns the faces in the next frame of the video, or in a part of it, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func faces(
    in frame: InputImage, region: NormalizedRect? = nil, at time: Duration, priority: TaskPriority
  ) async throws -> [FaceDetection] {
    try await output(for: frame, region: region, at: time, priority: priority)
  }
}

/// A face in an image.
public struct FaceDetection: Sendable, Hashable {
  /// The score of the face, 0…1.
  public var score: Float
  /// The box of the face, in whole pixels of the stored image.
  public var box: PixelRect
  /// The six keypoints in the order of ``FaceKeypoint``, as fractions of the stored image's size; not clamped.
  public var keypoints: [NormalizedPoint]

  /// Creates a face.
  public init(score: Float, box: PixelRect, keypoints: [NormalizedPoint] = []) {
    self.score = score
    self.box = box
    self.keypoints = keypoints
  }

  /// The position of a keypoint; `nil` if the model has no such keypoint.
  public subscript(keypoint: FaceKeypoint) -> NormalizedPoint? {
    keypoints.indices.contains(keypoint.rawValue) ? keypoints[keypoint.rawValue] : nil
  }
}

/// The keypoints of a ``FaceDetection``, from the viewer's perspective.
public enum FaceKeypoint: Int, Sendable, Hashable, CaseIterable {
  /// The eye on the left side of the image.
  case leftEye = 0
  /// The eye on the right side of the image.
  case rightEye
  /// The tip of the nose.
  case noseTip
  /// The center of the mouth.
  case mouth
  /// The ear on the left side of the image, at the tragion.
  case leftEarTragion
  /// The ear on the right side of the image, at the tragion.
  case rightEarTragion
}
