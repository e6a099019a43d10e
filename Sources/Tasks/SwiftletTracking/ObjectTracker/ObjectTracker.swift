public import SwiftletImage
import SwiftletBase
public import SwiftletTasks

/// Detects objects of any kind in images, tracks them through the frames of a video, and classifies them.
///
/// Two models work together: a *localizer*, which is an object detection model whose classes are ignored, and an
/// optional *classifier*, which classifies the contents of each box.
///
/// ```swift
/// var options = ObjectTrackerOptions(allowsMultipleObjects: true)
/// options.localizer = ObjectLocalizerOptions(baseOptions: BaseOptions(model: .file("localizer.tflite")))
/// options.classifier = ObjectClassifierOptions(baseOptions: BaseOptions(model: .file("birds.tflite")), maxLabelCount: 3)
/// let tracker = try ObjectTracker(options: options)
/// let video = tracker.video()
/// for (frame, time) in camera {
///   for object in try video.objects(in: frame, at: time) {
///     show(object.box, object.trackingID, object.labels.first?.text)
///   }
/// }
/// ```
///
/// - Thread safety: callable concurrently; calls on one tracker run one at a time.
public final class ObjectTracker: Sendable {
  private let detector: SharedDetector

  /// The class names of the classifier by index; empty without a classifier, and for a model without labels.
  public var labels: [String] { detector.labels }

  /// Creates an object tracker.
  ///
  /// - Throws: `TaskError` if options are out of range, if there is no localizer model, or if a model is missing,
  ///   damaged, or unsuited to its purpose; see `TaskError.modelFault`.
  public init(options: ObjectTrackerOptions) throws(TaskError) { detector = try SharedDetector(options) }

  /// Returns the objects in a still image, the most prominent first, with labels and without IDs; blocks until done.
  ///
  /// - Parameter image: An image of any size, in any orientation.
  /// - Throws: `TaskError` if the models cannot run. The next call may succeed.
  public func objects(in image: InputImage) throws(TaskError) -> [TrackedObject] {
    try detector.run { models, options in try models.objects(in: image, limit: options.objectLimit) }
  }

  /// Returns the objects in a still image without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func objects(in image: InputImage, priority: TaskPriority) async throws -> [TrackedObject] {
    try await detector.queue.value(priority: priority) { try self.objects(in: image) }
  }

  /// Opens a session for the frames of one video or camera. Sessions share the tracker's models.
  public func video() -> ObjectTrackingSession { ObjectTrackingSession(detector) }

  /// The number of runs of the classifier.
  package var classificationCount: Int { detector.classificationCount }
}

/// A session for the frames of one video or camera, in which an ``ObjectTracker`` tracks objects.
///
/// Objects have IDs that stay the same from frame to frame. An object is reported with its second search at the latest,
/// and has labels within three searches after that.
///
/// - Thread safety: callable concurrently; frames are processed one by one.
public final class ObjectTrackingSession: Sendable {
  /// The state that a frame passes on to the next frame.
  private struct State {
    var clock = FrameClock()
    var stream: ObjectStream
    /// Compares the colors of objects; `nil` to track by boxes alone.
    var appearances: AppearanceReader?
  }

  private let detector: SharedDetector
  private let state: Mutex<State>
  private let background: BackgroundSearch
  private let queue = WorkQueue("swiftlet.objectTracker.frames")

  init(_ detector: SharedDetector) {
    self.detector = detector
    let appearances = detector.options.tracking.appearanceTolerance < 1 ? AppearanceReader() : nil
    state = Mutex(State(stream: ObjectStream(detector.options), appearances: appearances))
    background = BackgroundSearch(detector, appearances)
  }

  /// Returns the objects in the next frame, the most prominent first; blocks until done.
  ///
  /// - Parameters:
  ///   - frame: A frame of any size, in any orientation. If the size or orientation changes, or after a pause of more
  ///     than `TrackingOptions.resetGap`, all objects get new IDs.
  ///   - time: The timestamp of the frame, on any clock, later than that of the previous frame.
  /// - Throws: `TaskError`, such as `timeNotIncreasing`. The session is then unchanged.
  public func objects(in frame: InputImage, at time: Duration) throws(TaskError) -> [TrackedObject] {
    try TaskError.wrapping {
      try state.withLock { state in
        var next = state
        try next.clock.accept(time)
        let isSearched = try next.stream.begin(ImageGeometry(frame), at: time)
        let objects =
          detector.options.streamPolicy == .concurrent
          ? try searchInBackground(frame, at: time, &next) : try search(frame, at: time, isSearched, &next)
        state = next
        return objects
      }
    }
  }

  /// Returns the objects in the next frame without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func objects(in frame: InputImage, at time: Duration, priority: TaskPriority) async throws -> [TrackedObject] {
    try await queue.value(priority: priority) { try self.objects(in: frame, at: time) }
  }

  /// Removes all objects, and the timestamp of the last frame. The next objects get new IDs.
  public func reset() {
    state.withLock { state in
      state.stream.reset()
      state.clock = FrameClock()
    }
  }

  /// Waits until no frame is being searched in the background.
  package func waitUntilIdle() { background.waitUntilIdle() }

  private func search(
    _ image: InputImage, at time: Duration, _ isSearched: Bool, _ state: inout State
  ) throws -> [TrackedObject] {
    try detector.run { models, _ in
      if isSearched {
        var detections = try models.detections(in: image)
        try state.appearances?.look(at: &detections, in: image)
        state.stream.advance(detections)
      } else {
        state.stream.advance(nil)
      }
      let objects = state.stream.chosen()
      guard let labelMaker = models.labelMaker else { return objects }
      for turn in state.stream.turns(among: objects) {
        guard let scores = try models.scores(of: turn.box, in: image) else { continue }
        state.stream.note(scores, of: turn.id, at: time, labelMaker)
      }
      return state.stream.labeled(objects)
    }
  }

  private func searchInBackground(
    _ image: InputImage, at time: Duration, _ state: inout State
  ) throws -> [TrackedObject] {
    let finding = try background.takeFinding().flatMap { $0.epoch == state.stream.epoch ? $0 : nil }
    state.stream.advance(finding?.detections, from: finding?.time)
    if let labelMaker = detector.labelMaker {
      for (id, scores) in finding?.scores ?? [] { state.stream.note(scores, of: id, at: time, labelMaker) }
    }
    let objects = state.stream.chosen()
    let turns = detector.labelMaker != nil ? state.stream.turns(among: objects) : []
    background.search(.init(image: image, time: time, epoch: state.stream.epoch, turns: turns))
    return state.stream.labeled(objects)
  }
}

/// The models of a tracker, shared by its still images and all its sessions.
///
/// - Thread safety: callable concurrently; one caller at a time runs the models.
final class SharedDetector: Sendable {
  let options: ObjectTrackerOptions
  let labels: [String]
  /// The conversion of scores to labels; `nil` without a classifier. It is separate from the models, which may be busy.
  let labelMaker: LabelMaker?
  /// The queue for still images that are processed without blocking the caller's thread.
  let queue = WorkQueue("swiftlet.objectTracker")
  private let models: Mutex<Held>

  /// Unchecked `Sendable` because the models are only used while the lock is held.
  private struct Held: @unchecked Sendable {
    let models: ObjectModels
  }

  init(_ options: ObjectTrackerOptions) throws(TaskError) {
    let loaded = try TaskError.wrapping { try CallContext.within(options.timeout) { try ObjectModels(options) } }
    (labels, labelMaker) = (loaded.labels, loaded.labelMaker)
    self.options = options
    models = Mutex(Held(models: loaded))
  }

  var classificationCount: Int { models.withLock { $0.models.classificationCount } }

  /// Runs `body` with the models, under the deadline from the options.
  func run<Value: Sendable>(
    _ body: (ObjectModels, ObjectTrackerOptions) throws -> Value
  ) throws(TaskError) -> Value {
    try TaskError.wrapping {
      try models.withLock { held in try CallContext.within(options.timeout) { try body(held.models, options) } }
    }
  }
}
