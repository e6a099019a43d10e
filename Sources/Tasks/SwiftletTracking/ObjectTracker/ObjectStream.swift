import SwiftletVision

/// The state of a stream between frames. It does not run models.
struct ObjectStream: Sendable {
  /// An object to classify.
  struct Turn: Sendable, Hashable {
    var id: Int
    /// The box in pixels of the upright frame.
    var box: PixelRect
  }

  private let options: ObjectTrackerOptions
  private var geometry: ImageGeometry?
  private var lastTime: Duration?
  private var frameCount = 0
  private var tracker: BoxTracker?
  private var tracks: [Track] = []
  private var wasSearched = false
  private var memory: LabelHistory
  private var prominent = ProminentObject()
  /// A number that increases when the stream restarts. Results of earlier epochs are ignored.
  private(set) var epoch = 0

  init(_ options: ObjectTrackerOptions) {
    self.options = options
    memory = LabelHistory(objectLimit: options.objectLimit, lifetime: options.tracking.maxLost)
  }

  /// Removes all objects; their IDs are not reused.
  mutating func reset() {
    tracker?.reset()
    tracks = []
    memory.removeAll()
    prominent = ProminentObject()
    lastTime = nil
    frameCount = 0
    epoch += 1
  }

  /// Begins a frame. The stream restarts if the size or orientation changes, if the timestamp is not later than the
  /// last, and after a long pause.
  ///
  /// - Returns: Whether the frame is searched synchronously.
  /// - Throws: `TaskError` if the image size is not supported for tracking.
  mutating func begin(_ frame: ImageGeometry, at time: Duration) throws(TaskError) -> Bool {
    let isSame = geometry == nil || geometry == frame
    let gap = options.tracking.resetGap.inSeconds
    if !isSame || lastTime.map({ time <= $0 || time.seconds(since: $0) > gap }) ?? false { reset() }
    if tracker == nil || geometry != frame {
      tracker = try TaskError.wrapping {
        try BoxTracker(
          options: options.boxTracking, frameWidth: frame.uprightWidth, frameHeight: frame.uprightHeight)
      }
    }
    geometry = frame
    lastTime = time
    defer { frameCount += 1 }
    guard case .synchronous(let interval) = options.streamPolicy else { return false }
    return frameCount % interval == 0
  }

  /// Tracks the objects in the current frame.
  ///
  /// - Parameters:
  ///   - detections: The detections in a frame; `nil` if no frame was searched.
  ///   - detectionTime: The timestamp of the searched frame, if it is an earlier one.
  mutating func advance(_ detections: [BoxDetection]?, from detectionTime: Duration? = nil) {
    guard let time = lastTime else { return }
    wasSearched = detections != nil
    if let detections, let detectionTime, detectionTime < time {
      tracks = tracker?.update(detections: detections, from: detectionTime, at: time) ?? []
    } else if let detections {
      tracks = tracker?.update(detections: detections, at: time) ?? []
    } else {
      tracks = tracker?.predict(to: time) ?? []
    }
  }

  /// Returns all objects of the frame, the most prominent first.
  private func all() -> [TrackedObject] {
    guard let geometry else { return [] }
    return tracks.compactMap { track in
      geometry.clipped(track.box).map { box in
        TrackedObject(
          box: box, geometry: geometry, trackingID: track.id, labels: memory.labels(of: track.id), score: track.score,
          isPredicted: track.state == .coasting)
      }
    }.sorted { $0.precedes($1) }
  }

  /// Returns the objects to report for the frame: all, or only the most prominent one. Called once per frame, before
  /// ``turns(among:)``.
  mutating func chosen() -> [TrackedObject] {
    let objects = all()
    guard !options.allowsMultipleObjects else { return objects }
    return prominent.choose(from: objects, wasSearched: wasSearched).map { [$0] } ?? []
  }

  /// Returns the reported objects to classify in this frame.
  mutating func turns(among objects: [TrackedObject]) -> [Turn] {
    guard let time = lastTime else { return [] }
    let visible = objects.filter { !$0.isPredicted }
    let ids = memory.turns(among: visible.compactMap(\.trackingID), at: time)
    return ids.compactMap { id in
      visible.first { $0.trackingID == id }.map { Turn(id: id, box: $0.uprightBox) }
    }
  }

  /// Records the classifier's scores for an object in the frame at `time`.
  mutating func note(_ scores: [Float], of id: Int, at time: Duration, _ maker: LabelMaker) {
    memory.note(scores, of: id, at: time, maker)
  }

  /// Returns the objects with the labels that are known so far.
  func labeled(_ objects: [TrackedObject]) -> [TrackedObject] {
    objects.map { object in
      var object = object
      if let id = object.trackingID { object.labels = memory.labels(of: id) }
      return object
    }
  }
}

/// The class scores of a stream's objects, and the order in which objects are classified.
struct LabelHistory: Sendable {
  /// The minimum time before an object is classified again.
  static let refreshInterval = Duration.milliseconds(500)
  /// The weight of new scores when they are blended with the previous ones.
  private static let weightOfNew: Float = 0.6

  private struct Entry {
    var scores: [Float]
    var labels: [ObjectLabel]
    var looked: Duration
    var seen: Duration
  }

  /// The maximum number of unlabeled objects to classify per frame. All objects of a result are thus classified within
  /// three frames.
  private let firstLooks: Int
  /// The time after which the history of an unseen object is removed, because it can then no longer return with its ID.
  private let lifetime: Duration
  private var entries: [Int: Entry] = [:]

  init(objectLimit: Int, lifetime: Duration) {
    firstLooks = (objectLimit + 2) / 3
    self.lifetime = lifetime
  }

  func labels(of id: Int) -> [ObjectLabel] { entries[id]?.labels ?? [] }

  mutating func removeAll() { entries.removeAll() }

  /// Returns the objects to classify in this frame: unlabeled ones first, otherwise the one whose last classification
  /// is the oldest.
  ///
  /// - Parameter ids: The reported objects that are visible in this frame, the most prominent first.
  mutating func turns(among ids: [Int], at time: Duration) -> [Int] {
    for id in ids { entries[id]?.seen = time }
    entries = entries.filter { time.seconds(since: $0.value.seen) <= lifetime.inSeconds }
    let unknown = ids.filter { entries[$0] == nil }
    guard unknown.isEmpty else { return Array(unknown.prefix(firstLooks)) }
    let due = ids.filter { time.seconds(since: entries[$0]?.looked ?? time) >= Self.refreshInterval.inSeconds }
    return due.min { (entries[$0]?.looked ?? .zero, $0) < (entries[$1]?.looked ?? .zero, $1) }.map { [$0] } ?? []
  }

  /// Records the scores of an object, and updates its labels from the smoothed scores.
  mutating func note(_ scores: [Float], of id: Int, at time: Duration, _ maker: LabelMaker) {
    var smoothed = scores
    if let known = entries[id]?.scores, known.count == scores.count {
      for index in smoothed.indices {
        smoothed[index] = Self.weightOfNew * scores[index] + (1 - Self.weightOfNew) * known[index]
      }
    }
    entries[id] = Entry(
      scores: smoothed, labels: maker.labels(from: smoothed), looked: time, seen: max(time, entries[id]?.seen ?? time))
  }
}

/// Chooses the one object that a stream reports: the most prominent one. Another object replaces it only after it has
/// been clearly more prominent for several frames.
struct ProminentObject: Sendable {
  /// The ratio of prominence from which another object is a challenger …
  private static let lead = 1.2
  /// … and the number of consecutive searched frames after which the challenger takes over.
  private static let patience = 3

  private var current: Int?
  private var challenger: (id: Int, count: Int)?

  /// Chooses an object.
  ///
  /// - Parameters:
  ///   - objects: The visible objects, the most prominent first.
  ///   - wasSearched: Whether the frame was searched for objects. Other frames don't count for a challenger.
  mutating func choose(from objects: [TrackedObject], wasSearched: Bool) -> TrackedObject? {
    guard let first = objects.first else { return nil }
    guard let holder = objects.first(where: { $0.trackingID == current }) else {
      // The current object is gone, or there was none yet.
      current = first.trackingID
      challenger = nil
      return first
    }
    guard first.trackingID != current, let id = first.trackingID, first.prominence >= Self.lead * holder.prominence
    else {
      challenger = nil
      return holder
    }
    guard wasSearched else { return holder }
    let count = challenger?.id == id ? (challenger?.count ?? 0) + 1 : 1
    guard count >= Self.patience else {
      challenger = (id, count)
      return holder
    }
    current = id
    challenger = nil
    return first
  }
}
