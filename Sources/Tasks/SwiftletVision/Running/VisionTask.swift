public import SwiftletImage

/// What all vision tasks are: made from options, given pictures, and asked for results.
///
/// A task of its own has a verb for ``result(for:regionOfInterest:at:)-8mrti``, such as `detect`.
///
/// ```swift
/// let detector = try ObjectDetector(model: .file("objects.tflite")) { $0.scoreThreshold = 0.5 }
/// for object in try detector.detect(image).detections { print(object.boundingBox) }
/// ```
/// A task in live-stream mode delivers its results to the sequences that ``liveResults`` makes:
///
/// ```swift
/// let results = detector.liveResults
/// Task {
///   for await frame in results { show(try? frame.result.get(), at: frame.timestamp) }
/// }
/// try detector.send(frame, at: time)   // for every frame of the camera
/// ```
/// Frames from an `AsyncSequence` give a sequence of results: ``stream(_:regionOfInterest:)``. So do pictures that have
/// nothing to do with each other, none of which is dropped: `results(contentsOf:regionOfInterest:load:)`.
///
/// - Thread safety: callable concurrently; the frames of one task are worked on one after the other, those of two tasks
///   at once. Single pictures may be worked on at once where `BaseOptions.maxConcurrentCalls` says so.
public protocol VisionTask: AnyObject, Sendable {
  /// How the task is run.
  associatedtype Options: VisionTaskOptions
  /// What the task finds out about a picture.
  associatedtype Output: Sendable

  /// What runs the task.
  var runner: VisionTaskRunner<Output> { get }

  /// - Throws: `TaskError` when options are out of range or contradict each other, or the model is missing or is
  ///   not one of the task's.
  init(options: Options) throws(TaskError)
}

/// What the options of all vision tasks have in common.
public protocol VisionTaskOptions: Sendable, Hashable {
  /// The model and how it is run.
  var baseOptions: BaseOptions { get set }
  /// How pictures come to the task.
  var runningMode: RunningMode { get set }

  /// Default options for a model.
  init(baseOptions: BaseOptions)
}

extension VisionTask {
  /// A task with default options, for single pictures, unless `configure` says otherwise.
  ///
  /// - Throws: `TaskError`, as ``init(options:)``.
  public init(model: ModelSource, configure: (inout Options) -> Void = { _ in }) throws(TaskError) {
    var options = Options(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  // MARK: Pictures and videos

  /// What the task finds out about a picture of any size, or a part of it; blocks until done.
  ///
  /// - Parameters:
  ///   - image: a picture in any orientation but the mirrored ones.
  ///   - regionOfInterest: the part, in coordinates of the stored picture; `nil` for all of it. It may be turned.
  ///   - time: `nil` in image mode; in video mode the time of the frame, later than that of the last one.
  /// - Throws: `TaskError` for a call of another mode, a mirrored picture, a time that is not later, and a region
  ///   without an area. The next call may succeed.
  public func result(
    for image: MPImage, regionOfInterest: NormalizedRect? = nil, at time: Duration? = nil
  ) throws(TaskError) -> Output {
    guard let time else { return try runner.image(image, regionOfInterest: regionOfInterest) }
    return try runner.video(image, timestamp: time, regionOfInterest: regionOfInterest)
  }

  /// What the task finds out about a picture of any size, or a part of it, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the picture's turn has come.
  public func result(
    for image: MPImage, regionOfInterest: NormalizedRect? = nil, at time: Duration? = nil
  ) async throws -> Output {
    guard let time else { return try await runner.imageAsync(image, regionOfInterest: regionOfInterest) }
    return try await runner.videoAsync(image, timestamp: time, regionOfInterest: regionOfInterest)
  }

  /// What the task can make use of a picture, or of a region in it.
  package func detail(of region: NormalizedRect? = nil) -> PictureDetail { runner.detail.within(region) }

  /// How many images of a batch the task takes.
  package var batchCapacity: BatchCapacity { runner.batchCapacity }

  // MARK: Live streams

  /// Hands a frame of a live stream over; returns at once. The result comes through ``liveResults``, unless the task is
  /// busy: then the frame is dropped and counted in ``droppedFrameCount``.
  ///
  /// - Parameters:
  ///   - frame: a picture in any orientation but the mirrored ones.
  ///   - regionOfInterest: the part, in coordinates of the stored picture; `nil` for all of it. A region without an
  ///     area gives an error as the frame's result.
  ///   - time: the time of the frame, later than that of the last one.
  /// - Throws: `TaskError` for a mirrored picture, for a time that is not later, and unless the task runs in
  ///   live-stream mode. The next frame may succeed.
  public func send(
    _ frame: MPImage, regionOfInterest: NormalizedRect? = nil, at time: Duration
  ) throws(TaskError) {
    try runner.send(frame, timestamp: time, regionOfInterest: regionOfInterest)
  }

  /// A new sequence of the results of frames that finish after this call. Empty unless the task runs in live-stream
  /// mode.
  ///
  /// Take it before the first frame is sent. Code that iterates over it should not hold the task, because the sequence
  /// ends when the task is released.
  public var liveResults: LiveResults<Output> { runner.liveStream.results }

  /// How many frames of the live stream were ignored because the task was busy.
  public var droppedFrameCount: Int { runner.liveStream.droppedFrameCount }

  /// Calls `handler` with every result of the live stream, one after the other, on the task's own queue. `nil` ends
  /// that.
  ///
  /// `handler` is not called any more once the task is gone.
  package func setLiveHandler(_ handler: LiveStream<Output>.Handler?) { runner.liveStream.setHandler(handler) }
}
