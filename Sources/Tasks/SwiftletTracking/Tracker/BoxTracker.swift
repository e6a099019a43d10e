/// Tracks objects through a video by their boxes. Each object gets an ID that it keeps while it is in view, and its box
/// is predicted for frames that were not searched for objects.
///
/// The tracker does not process images. Its input consists of the detections of any class, optionally with colors, and
/// the timestamp of the frame. Its state is a filter per object with position, size, and velocity. The frame rate can
/// be arbitrary and uneven.
///
/// ```swift
/// var tracker = try BoxTracker(frameWidth: 1280, frameHeight: 720)
/// for frame in frames {
///   for track in tracker.update(detections: detect(frame), at: frame.time) { print(track.id, track.box) }
/// }
/// ```
///
/// A timestamp that does not increase, and a gap of more than `TrackingOptions.resetGap`, mark the start of another
/// video: all tracks end. IDs are never reused by any tracker of the process.
///
/// The same input gives the same boxes on every platform, regardless of the order of a frame's detections.
///
/// - Complexity: O(n² · (n + m)) time per frame in the worst case, for n tracks and m detections. The methods with
///   `into` don't allocate memory once the tracker has seen its maximum number of objects.
/// - Thread safety: a value type; one caller at a time.
/// - Source: filter and association of ByteTrack (Zhang et al. 2022) with real times; see `docs/guide/tracking.md`.
public struct BoxTracker: Sendable {
  /// The maximum width and height of a frame, in pixels.
  public static let maxFrameSide = 1_000_000.0

  /// The options for tracking boxes.
  public let options: TrackingOptions
  /// The width of the upright frame, in pixels.
  public private(set) var frameWidth: Double
  /// The height of the upright frame, in pixels.
  public private(set) var frameHeight: Double

  /// The timestamp of the last frame.
  private var frameTime: Duration?
  /// The timestamp of the last frame that was searched for objects, to which the states of the tracks refer.
  private var searchTime: Duration?
  private var tracks: TrackPool

  /// Creates a tracker.
  ///
  /// - Parameters:
  ///   - options: The options for tracking.
  ///   - frameWidth: The width of the upright frame, in pixels.
  ///   - frameHeight: The height of the upright frame, in pixels.
  /// - Throws: `TaskError` (`invalidOption`) for an option out of its range; `TaskError` (`invalidArgument`)
  ///   for a side that is not a number in 1…`maxFrameSide`.
  public init(options: TrackingOptions = TrackingOptions(), frameWidth: Double, frameHeight: Double)
    throws(TaskError)
  {
    try options.validate()
    guard (1...Self.maxFrameSide).contains(frameWidth), (1...Self.maxFrameSide).contains(frameHeight) else {
      throw TaskError(
        .invalidArgument,
        "the frame is \(frameWidth) × \(frameHeight) pixels; both sides must be numbers in 1…\(Self.maxFrameSide); give the upright frame's size"
      )
    }
    self.options = options
    self.frameWidth = frameWidth
    self.frameHeight = frameHeight
    tracks = TrackPool(options: options)
  }

  /// Processes a frame that was searched for objects.
  ///
  /// - Parameters:
  ///   - detections: The detections of all classes, in any order, in pixels of the upright frame.
  ///   - time: The timestamp of the frame, on any clock, later than that of the previous frame. If it is not later, or
  ///     after a gap, the tracker is reset first.
  /// - Returns: The tracked objects, ordered by ID; at most `TrackingOptions.maxReportedTracks`.
  public mutating func update(detections: [BoxDetection], at time: Duration) -> [Track] {
    var result: [Track] = []
    update(detections: detections, at: time, into: &result)
    return result
  }

  /// Processes a frame that was searched for objects, without allocating memory for the result.
  ///
  /// - Parameters:
  ///   - detections: The detections in the frame.
  ///   - time: The timestamp of the frame.
  ///   - result: On return, the tracked objects. The array's memory is reused.
  public mutating func update(detections: [BoxDetection], at time: Duration, into result: inout [Track]) {
    beginFrame(at: time, mayRepeat: false)
    absorb(detections, of: time)
    report(at: time, into: &result)
  }

  /// Processes a frame that was not searched for objects: known objects are expected to continue their motion.
  ///
  /// - Parameter time: The timestamp of the frame, as for `update(detections:at:)`.
  /// - Returns: The tracked objects at their predicted positions.
  public mutating func predict(to time: Duration) -> [Track] {
    var result: [Track] = []
    predict(to: time, into: &result)
    return result
  }

  /// Processes a frame that was not searched for objects, without allocating memory for the result.
  ///
  /// - Parameters:
  ///   - time: The timestamp of the frame.
  ///   - result: On return, the tracked objects. The array's memory is reused.
  public mutating func predict(to time: Duration, into result: inout [Track]) {
    beginFrame(at: time, mayRepeat: false)
    tracks.forgetMatches()
    report(at: time, into: &result)
  }

  /// Processes detections that arrive late: they were found in an earlier frame, and their objects are moved to the
  /// present frame with their velocities.
  ///
  /// Objects are matched at the earlier time, to which the states of all tracks still refer. The delay therefore loses
  /// only the knowledge of what has happened since.
  ///
  /// - Parameters:
  ///   - detections: The detections in pixels of the earlier frame, which must have the size of the present frame.
  ///     After `reset()` or `resize`, discard the results of searches that were in progress.
  ///   - detectionTime: The timestamp of the earlier frame. Detections are ignored if they are from the future, from
  ///     more than `TrackingOptions.resetGap` ago, or from a frame that is not later than the last processed one.
  ///   - time: The timestamp of the present frame; it may already have been passed to `predict(to:)`.
  /// - Returns: The tracked objects at their predicted positions in the present frame.
  public mutating func update(detections: [BoxDetection], from detectionTime: Duration, at time: Duration)
    -> [Track]
  {
    var result: [Track] = []
    update(detections: detections, from: detectionTime, at: time, into: &result)
    return result
  }

  /// Processes detections that arrive late, without allocating memory for the result.
  ///
  /// - Parameters:
  ///   - detections: The detections in the frame at `detectionTime`.
  ///   - detectionTime: The timestamp of the frame that was searched.
  ///   - time: The timestamp of the newest frame.
  ///   - result: On return, the tracked objects. The array's memory is reused.
  public mutating func update(
    detections: [BoxDetection], from detectionTime: Duration, at time: Duration, into result: inout [Track]
  ) {
    beginFrame(at: time, mayRepeat: true)
    let isOfUse =
      detectionTime <= time && !time.seconds(since: detectionTime).isLonger(than: options.resetGap)
      && searchTime.map { detectionTime > $0 } ?? true
    if isOfUse {
      absorb(detections, of: detectionTime)
    } else {
      tracks.forgetMatches()
    }
    report(at: time, into: &result)
  }

  /// Changes the size or orientation of the frames that follow: all tracks end, and their IDs are not reused.
  ///
  /// - Parameters:
  ///   - frameWidth: The width of the upright frame, in pixels, clamped to 1…`maxFrameSide`; NaN counts as 1.
  ///   - frameHeight: The height of the upright frame, in pixels, clamped likewise.
  public mutating func resize(frameWidth: Double, frameHeight: Double) {
    func held(_ side: Double) -> Double { side >= 1 ? min(side, Self.maxFrameSide) : 1 }
    self.frameWidth = held(frameWidth)
    self.frameHeight = held(frameHeight)
    reset()
  }

  /// Removes all objects and the last timestamp, for the start of another video. IDs are not reused.
  public mutating func reset() {
    tracks.removeAll()
    frameTime = nil
    searchTime = nil
  }

  /// Advances the clock, and resets the tracker if the timestamp doesn't follow the last one.
  private mutating func beginFrame(at time: Duration, mayRepeat: Bool) {
    if let last = frameTime,
      !(time > last || mayRepeat && time == last) || time.seconds(since: last).isLonger(than: options.resetGap)
    {
      reset()
    }
    frameTime = time
  }

  private mutating func absorb(_ detections: [BoxDetection], of time: Duration) {
    if let last = searchTime, time.seconds(since: last).isLonger(than: options.resetGap) {
      tracks.removeAll()
      searchTime = nil
    }
    tracks.update(
      detections, time: time, elapsed: searchTime.map { time.seconds(since: $0) }, frameWidth: frameWidth,
      frameHeight: frameHeight)
    searchTime = time
  }

  private mutating func report(at time: Duration, into result: inout [Track]) {
    tracks.report(
      time: time, elapsed: searchTime.map { time.seconds(since: $0) } ?? 0, frameWidth: frameWidth,
      frameHeight: frameHeight, into: &result)
  }
}
