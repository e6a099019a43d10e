/// Follows objects through a video by their boxes: gives each an ID that it keeps while it is in view, and says where
/// it is in frames that were not searched for objects.
///
/// The tracker does not look at images. Its input is what a detector found, of any class, optionally with its
/// colors, and the time of the frame; its memory is a filter per object with position, size and velocity. Frames may
/// come at any rate, also an uneven one.
///
/// ```swift
/// var tracker = try BoxTracker(frameWidth: 1280, frameHeight: 720)
/// for frame in frames {
///   for track in tracker.update(detections: detect(frame), at: frame.time) { print(track.id, track.box) }
/// }
/// ```
///
/// A time that does not increase, and a gap of more than `TrackingOptions.resetGap`, means another video: all tracks
/// die. IDs are never used again, by no tracker of the process.
///
/// The same input gives the same boxes on every platform, in whatever order the detections of a frame come.
///
/// - Complexity: with n tracks and m detections O(n² · (n + m)) time a frame at worst; the forms with `into` allocate
///   nothing once the tracker has seen as many objects as it sees.
/// - Thread safety: a value; one caller at a time.
/// - Source: filter and association of ByteTrack (Zhang et al. 2022) with real times; see `docs/guide/tracking.md`.
public struct BoxTracker: Sendable {
  /// The longest side of a frame, in pixels.
  public static let maxFrameSide = 1_000_000.0

  /// The options for tracking boxes.
  public let options: TrackingOptions
  /// In pixels, as `frameHeight`.
  public private(set) var frameWidth: Double
  /// The height of the frames, in the unit of the boxes.
  public private(set) var frameHeight: Double

  /// The time of the last frame.
  private var frameTime: Duration?
  /// The time of the last frame that was searched for objects, which is the time the tracks' states stand at.
  private var searchTime: Duration?
  private var tracks: TrackPool

  /// - Parameters:
  ///   - options: when tracks begin and end.
  ///   - frameWidth: of the upright frame, in pixels, as `frameHeight`.
  ///   - frameHeight: in pixels.
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
  ///   - detections: of all classes, in any order, in pixels of the upright frame.
  ///   - time: of the frame, on any clock, later than that of the frame before. One that is not later, or that leaves a
  ///     gap, resets the tracker first.
  /// - Returns: the objects that are followed, by rising ID; at most `TrackingOptions.maxReportedTracks`.
  public mutating func update(detections: [BoxDetection], at time: Duration) -> [Track] {
    var result: [Track] = []
    update(detections: detections, at: time, into: &result)
    return result
  }

  /// Processes a frame that was searched for objects, without new memory for the result.
  ///
  /// - Parameters:
  ///   - detections: what was found in the frame.
  ///   - time: the time of the frame.
  ///   - result: becomes what the other form returns; its memory is used again.
  public mutating func update(detections: [BoxDetection], at time: Duration, into result: inout [Track]) {
    beginFrame(at: time, mayRepeat: false)
    absorb(detections, of: time)
    report(at: time, into: &result)
  }

  /// Processes a frame that is not searched for objects: known objects are expected to keep moving as they did.
  ///
  /// - Parameter time: as for `update(detections:at:)`.
  /// - Returns: the objects that are followed, at the places where they are expected.
  public mutating func predict(to time: Duration) -> [Track] {
    var result: [Track] = []
    predict(to: time, into: &result)
    return result
  }

  /// Processes a frame that is not searched for objects, without new memory for the result.
  ///
  /// - Parameters:
  ///   - time: the time of the frame.
  ///   - result: becomes what the other form returns; its memory is used again.
  public mutating func predict(to time: Duration, into result: inout [Track]) {
    beginFrame(at: time, mayRepeat: false)
    tracks.forgetMatches()
    report(at: time, into: &result)
  }

  /// Processes detections that arrive late: found in an earlier frame, their objects are moved to the present frame
  /// with their velocities.
  ///
  /// Objects are matched at the earlier time, at which the states of all tracks still stand, so that nothing is lost by
  /// the delay but the knowledge of what happened since.
  ///
  /// - Parameters:
  ///   - detections: in pixels of the earlier frame, which must have the size of the present one. `reset()` and
  ///     `resize` do not know of searches that are under way; what those find must be thrown away.
  ///   - detectionTime: of the earlier frame. Detections of the future, of more than
  ///     `TrackingOptions.resetGap` ago, and of a frame not after the last one whose detections were taken in, are
  ///     passed over.
  ///   - time: of the present frame; it may be one that `predict(to:)` has already seen.
  /// - Returns: the objects that are followed, at the places where they are expected in the present frame.
  public mutating func update(detections: [BoxDetection], from detectionTime: Duration, at time: Duration)
    -> [Track]
  {
    var result: [Track] = []
    update(detections: detections, from: detectionTime, at: time, into: &result)
    return result
  }

  /// Processes detections that arrive late, without new memory for the result.
  ///
  /// - Parameters:
  ///   - detections: what was found in the frame of `detectionTime`.
  ///   - detectionTime: the time of the frame that was searched.
  ///   - time: the time of the newest frame.
  ///   - result: becomes what the other form returns; its memory is used again.
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

  /// Changes the size or orientation of the frames that follow: all tracks end, IDs continue.
  ///
  /// - Parameters:
  ///   - frameWidth: of the upright frame, in pixels, as `frameHeight`; held to 1…`maxFrameSide`, where what is not a
  ///     number counts as 1.
  ///   - frameHeight: in pixels.
  public mutating func resize(frameWidth: Double, frameHeight: Double) {
    func held(_ side: Double) -> Double { side >= 1 ? min(side, Self.maxFrameSide) : 1 }
    self.frameWidth = held(frameWidth)
    self.frameHeight = held(frameHeight)
    reset()
  }

  /// Forgets all objects and the time, as for another video; IDs continue.
  public mutating func reset() {
    tracks.removeAll()
    frameTime = nil
    searchTime = nil
  }

  /// Sets the clock on; resets when the time is not that of a next frame.
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
