import Foundation
import SwiftletBase

/// Finds objects of any kind in pictures, follows them through the frames of a camera or a video, and says what they
/// are.
///
/// Two models work together: a *localizer*, an object detection model of which only boxes and scores are used, and an
/// optional *classifier*, which looks at what is inside each box.
///
/// ```swift
/// var options = ObjectTrackerOptions(allowsMultipleObjects: true)
/// options.localizer = ObjectLocalizerOptions(baseOptions: BaseOptions(model: .file("localizer.tflite")))
/// options.classifier = ObjectClassifierOptions(baseOptions: BaseOptions(model: .file("birds.tflite")), maxLabelCount: 3)
/// let tracker = try ObjectTracker(options: options)
/// for (frame, time) in camera {
///   for object in try tracker.objects(in: frame, at: time) {
///     show(object.frame, object.trackingID, object.labels.first?.text)
///   }
/// }
/// ```
///
/// - Thread safety: callable concurrently; calls on one tracker run one after the other, in the order in which they
///   come.
public final class ObjectTracker: Sendable {
  private let options: ObjectTrackerOptions
  private let models: Serialized<ObjectModels>
  private let stream: Serialized<ObjectStream>
  private let background: BackgroundSearch
  /// All calls go through it, because a lock alone does not keep their order.
  private let queue: DispatchQueue
  private let start = ContinuousClock.now
  /// How the classifier's scores become labels; `nil` without a classifier. Apart from the models, which may be busy.
  private let labelMaker: LabelMaker?

  /// The names of the classifier's classes, by index; empty without a classifier, and for one that knows no names.
  public let labels: [String]

  /// - Throws: `ObjectTrackerError` when options are out of range, no model says where objects are, or a model is
  ///   missing, damaged or not what it was given for.
  public init(options: ObjectTrackerOptions) throws(ObjectTrackerError) {
    let loaded = try CallContext.within(options.timeout) { () throws(ObjectTrackerError) in try ObjectModels(options) }
    self.options = options
    labels = loaded.labels
    labelMaker = loaded.labelMaker
    models = Serialized(loaded)
    stream = Serialized(ObjectStream(options))
    let label = "com.swiftlet.objecttracker." + UUID().uuidString
    queue = DispatchQueue(label: label, qos: .userInitiated)
    background = BackgroundSearch(models, timeout: options.timeout, label: label + ".search")
  }

  /// The objects in a picture, the most prominent first; blocks until they are known.
  ///
  /// In a stream, results are complete after some frames: boxes come with the second search at the latest, labels
  /// within three searches after that.
  ///
  /// - Parameters:
  ///   - image: a picture of any size, in any of the eight orientations.
  ///   - frameTime: the time of a stream's frame, on any clock; `nil` for the moment of the call. A time that is not
  ///     later than the last, a pause of more than `TrackingOptions.resetGap`, and another size or orientation begin
  ///     the stream anew: all objects then get new IDs.
  /// - Returns: empty when nothing was found.
  /// - Throws: `ObjectTrackerError` when the models cannot run. Only this frame fails.
  public func objects(in image: MPImage, at frameTime: Duration? = nil) throws(ObjectTrackerError) -> [TrackedObject] {
    let time = frameTime ?? now
    return try ObjectTrackerError.wrapping { try queue.sync { try processInTime(image, at: time) } }
  }

  /// The objects in a picture, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the picture's turn has come.
  public func objects(in image: MPImage, at frameTime: Duration? = nil) async throws -> [TrackedObject] {
    let time = frameTime ?? now
    return try await queue.value {
      try ObjectTrackerError.wrapping { try self.processInTime(image, at: time) }
    }
  }

  /// Forgets all objects of the stream, so that they get new IDs. Calls made before are finished first.
  public func reset() { queue.sync { stream.withLock { $0.reset() } } }

  /// How often the classifier ran.
  package var classificationCount: Int { models.withLock { $0.classificationCount } }

  /// Waits until no frame is being searched in the background.
  package func waitUntilIdle() { background.waitUntilIdle() }

  // MARK: Frames

  private var now: Duration { start.duration(to: .now) }

  private func processInTime(_ image: MPImage, at time: Duration) throws -> [TrackedObject] {
    try CallContext.within(options.timeout) { try process(image, at: time) }
  }

  private func process(_ image: MPImage, at time: Duration) throws -> [TrackedObject] {
    guard options.mode == .stream else {
      return try models.withLock { try $0.objects(in: image, limit: options.objectLimit) }
    }
    return try stream.withLock { stream in
      let isSearched = try stream.begin(PictureGeometry(image), at: time)
      return options.streamPolicy == .concurrent
        ? try searchBeside(image, at: time, &stream)
        : try models.withLock { try search(image, at: time, isSearched: isSearched, &stream, $0) }
    }
  }

  private func search(
    _ image: MPImage, at time: Duration, isSearched: Bool, _ stream: inout ObjectStream, _ models: ObjectModels
  ) throws -> [TrackedObject] {
    stream.advance(isSearched ? try models.detections(in: image) : nil)
    let objects = stream.chosen()
    guard let labelMaker else { return objects }
    for turn in stream.turns(among: objects) {
      guard let scores = try models.scores(of: turn.box, in: image) else { continue }
      stream.note(scores, of: turn.id, at: time, labelMaker)
    }
    return stream.labelled(objects)
  }

  private func searchBeside(_ image: MPImage, at time: Duration, _ stream: inout ObjectStream) throws -> [TrackedObject]
  {
    let finding = try background.takeFinding().flatMap { $0.epoch == stream.epoch ? $0 : nil }
    stream.advance(finding?.detections, from: finding?.time)
    if let labelMaker {
      for (id, scores) in finding?.scores ?? [] { stream.note(scores, of: id, at: time, labelMaker) }
    }
    let objects = stream.chosen()
    background.search(
      .init(image: image, time: time, epoch: stream.epoch, turns: labelMaker != nil ? stream.turns(among: objects) : [])
    )
    return stream.labelled(objects)
  }
}
