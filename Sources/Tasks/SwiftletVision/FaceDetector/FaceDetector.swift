import Foundation
import SwiftletImage

/// Finds faces, with six keypoints each, in pictures; runs BlazeFace models, short and full range.
///
/// ```swift
/// let detector = try FaceDetector(model: .file("face_detection_short_range.tflite"))
/// for face in try detector.detect(image: image).detections { print(face.boundingBox) }
/// ```
///
/// - Thread safety: callable concurrently; calls on one detector run one after the other.
public final class FaceDetector: VisionTask {
  private let runner: VisionTaskRunner<FaceDetectorPipeline>

  public var liveStream: LiveStream<FaceDetectorResult> { runner.liveStream }

  /// A detector with default options, for single pictures.
  ///
  /// - Throws: `VisionTaskError` when the model is missing or is not a face detection model.
  public convenience init(model: ModelSource) throws {
    try self.init(options: FaceDetectorOptions(baseOptions: BaseOptions(model: model)))
  }

  /// - Throws: `VisionTaskError` when options are out of range or the model is not a face detection model.
  public init(options: FaceDetectorOptions) throws {
    try options.validate()
    runner = try VisionTaskRunner(runningMode: options.runningMode, taskName: "faceDetector") {
      try FaceDetectorPipeline(options)
    }
  }

  /// Finds the faces in a picture of any size; blocks until done.
  ///
  /// - Throws: `VisionTaskError` for mirrored orientations, and unless the task runs in image mode.
  public func detect(image: MPImage) throws -> FaceDetectorResult { try runner.image(image) }

  /// Finds the faces in a picture of any size, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the picture's turn has come.
  public func detect(image: MPImage) async throws -> FaceDetectorResult { try await runner.imageAsync(image) }

  /// Finds the faces in a frame of a video; blocks until done.
  ///
  /// - Parameter timestamp: the time of the frame, later than that of the last one.
  /// - Throws: `VisionTaskError` for mirrored orientations, for a time that is not later, and
  ///   unless the task runs in video mode. The next frame may succeed.
  public func detect(videoFrame: MPImage, timestamp: Duration) throws -> FaceDetectorResult {
    try runner.video(videoFrame, timestamp: timestamp)
  }

  /// Finds the faces in a frame of a video, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the frame's turn has come.
  public func detect(videoFrame: MPImage, timestamp: Duration) async throws -> FaceDetectorResult {
    try await runner.videoAsync(videoFrame, timestamp: timestamp)
  }

  /// Has the faces in a frame of a live stream found; returns at once. The result comes through `liveResults`, unless
  /// the task is busy: then the frame is dropped and counted in `droppedFrameCount`.
  ///
  /// - Parameter timestamp: the time of the frame, later than that of the last one.
  /// - Throws: `VisionTaskError` for mirrored orientations, for a time that is not later, and
  ///   unless the task runs in live-stream mode. The next frame may succeed.
  public func detectAsync(image: MPImage, timestamp: Duration) throws {
    try runner.send(image, timestamp: timestamp)
  }
}
