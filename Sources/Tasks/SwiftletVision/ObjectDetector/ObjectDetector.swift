import Foundation
import SwiftletSchema

/// Finds objects of the classes a model knows, with a box each.
///
/// Runs models whose boxes are already suppressed in the model (four outputs: boxes, classes, scores, count) and models
/// with raw boxes and scores that describe their anchors in metadata.
///
/// - Thread safety: callable concurrently; calls on one detector run one after the other.
public final class ObjectDetector: VisionTask {
  private let runner: VisionTaskRunner<ObjectDetectorPipeline>

  /// The names of the classes that the model knows; empty when it names none.
  package let categoryNames: [String]

  public var liveStream: LiveStream<ObjectDetectorResult> { runner.liveStream }

  /// A detector with default options, for single pictures.
  ///
  /// - Throws: `VisionTaskError` when the model is missing or is not an object detection model.
  public convenience init(model: ModelSource) throws {
    try self.init(options: ObjectDetectorOptions(baseOptions: BaseOptions(model: model)))
  }

  /// - Throws: `VisionTaskError` when options contradict each other or the model is not an object detection model.
  public init(options: ObjectDetectorOptions) throws {
    try options.validate()
    var names: [String] = []
    runner = try VisionTaskRunner(runningMode: options.runningMode, taskName: "objectDetector") {
      let pipeline = try ObjectDetectorPipeline(options)
      names = pipeline.labels?.labels ?? []
      return pipeline
    }
    categoryNames = names
  }

  /// Finds the objects in a picture of any size; blocks until done.
  ///
  /// - Throws: `VisionTaskError` for mirrored orientations, and unless the task runs in image mode.
  public func detect(image: MPImage) throws -> ObjectDetectorResult { try runner.image(image) }

  /// Finds the objects in a picture of any size, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the picture's turn has come.
  public func detect(image: MPImage) async throws -> ObjectDetectorResult { try await runner.imageAsync(image) }

  /// Finds the objects in a frame of a video; blocks until done.
  ///
  /// - Parameter timestamp: the time of the frame, later than that of the last one.
  /// - Throws: `VisionTaskError` for mirrored orientations, for a time that is not later, and
  ///   unless the task runs in video mode. The next frame may succeed.
  public func detect(videoFrame: MPImage, timestamp: Duration) throws -> ObjectDetectorResult {
    try runner.video(videoFrame, timestamp: timestamp)
  }

  /// Finds the objects in a frame of a video, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the frame's turn has come.
  public func detect(videoFrame: MPImage, timestamp: Duration) async throws -> ObjectDetectorResult {
    try await runner.videoAsync(videoFrame, timestamp: timestamp)
  }

  /// Has the objects in a frame of a live stream found; returns at once. The result comes through `liveResults`, unless
  /// the task is busy: then the frame is dropped and counted in `droppedFrameCount`.
  ///
  /// - Parameter timestamp: the time of the frame, later than that of the last one.
  /// - Throws: `VisionTaskError` for mirrored orientations, for a time that is not later, and
  ///   unless the task runs in live-stream mode. The next frame may succeed.
  public func detectAsync(image: MPImage, timestamp: Duration) throws {
    try runner.send(image, timestamp: timestamp)
  }
}
