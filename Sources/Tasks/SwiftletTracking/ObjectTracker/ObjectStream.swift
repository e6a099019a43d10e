import SwiftletVision

/// What is known of a stream's frames so far. It does not run models.
struct ObjectStream: Sendable {
  /// An object that the classifier is to look at.
  struct Turn: Sendable, Hashable {
    var id: Int
    /// In pixels of the upright frame.
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
  /// Rises when the stream begins again; findings of an earlier epoch are ignored.
  private(set) var epoch = 0

  init(_ options: ObjectTrackerOptions) {
    self.options = options
    memory = LabelHistory(objectLimit: options.objectLimit, lifetime: options.tracking.maxLost)
  }

  /// Forgets all objects; their IDs are not used again.
  mutating func reset() {
    tracker?.reset()
    tracks = []
    memory.removeAll()
    prominent = ProminentObject()
    lastTime = nil
    frameCount = 0
    epoch += 1
  }

  /// Begins a frame. The stream begins again when the size or orientation changes, when the time is not later than the
  /// last, and after a long pause.
  ///
  /// - Returns: whether the frame is one that is searched within the call.
  /// - Throws: `TaskError` when the image has no size that objects can be followed in.
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

  /// Follows the objects to the frame that was begun.
  ///
  /// - Parameters:
  ///   - detections: what was found in a frame; `nil` when none was searched.
  ///   - detectionTime: that frame's time, if it was an earlier one.
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

  /// The objects of the frame, best first, without the cut to one.
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

  /// The objects that are reported for the frame. Called once a frame, before ``turns(among:)``.
  mutating func chosen() -> [TrackedObject] {
    let objects = all()
    guard !options.allowsMultipleObjects else { return objects }
    return prominent.choose(from: objects, wasSearched: wasSearched).map { [$0] } ?? []
  }

  /// Which of the reported objects the classifier is to look at in this frame.
  mutating func turns(among objects: [TrackedObject]) -> [Turn] {
    guard let time = lastTime else { return [] }
    let visible = objects.filter { !$0.isPredicted }
    let ids = memory.turns(among: visible.compactMap(\.trackingID), at: time)
    return ids.compactMap { id in
      visible.first { $0.trackingID == id }.map { Turn(id: id, box: $0.uprightBox) }
    }
  }

  /// Adds the classifier's scores for an object in the frame of `time`.
  mutating func note(_ scores: [Float], of id: Int, at time: Duration, _ maker: LabelMaker) {
    memory.note(scores, of: id, at: time, maker)
  }

  /// The objects with the labels that are known so far.
  func labeled(_ objects: [TrackedObject]) -> [TrackedObject] {
    objects.map { object in
      var object = object
      if let id = object.trackingID { object.labels = memory.labels(of: id) }
      return object
    }
  }
}

/// What is known of the classes of a stream's objects, and which of them the classifier looks at next.
struct LabelHistory: Sendable {
  /// An object is looked at again after this time at the earliest.
  static let refreshInterval = Duration.milliseconds(500)
  /// How much a new look counts; the rest is what was known.
  private static let weightOfNew: Float = 0.6

  private struct Entry {
    var scores: [Float]
    var labels: [ObjectLabel]
    var looked: Duration
    var seen: Duration
  }

  /// How many objects without labels are looked at in a frame: all objects that a result may hold are looked at within
  /// three frames.
  private let firstLooks: Int
  /// What is known of an object is forgotten after this time without it, as it then cannot come back under its ID.
  private let lifetime: Duration
  private var entries: [Int: Entry] = [:]

  init(objectLimit: Int, lifetime: Duration) {
    firstLooks = (objectLimit + 2) / 3
    self.lifetime = lifetime
  }

  func labels(of id: Int) -> [ObjectLabel] { entries[id]?.labels ?? [] }

  mutating func removeAll() { entries.removeAll() }

  /// Which objects are to be classified in this frame: those without labels first, otherwise the one whose last look is
  /// longest ago.
  ///
  /// - Parameter ids: the objects that are reported and seen in this frame, the most prominent first.
  mutating func turns(among ids: [Int], at time: Duration) -> [Int] {
    for id in ids { entries[id]?.seen = time }
    entries = entries.filter { time.seconds(since: $0.value.seen) <= lifetime.inSeconds }
    let unknown = ids.filter { entries[$0] == nil }
    guard unknown.isEmpty else { return Array(unknown.prefix(firstLooks)) }
    let due = ids.filter { time.seconds(since: entries[$0]?.looked ?? time) >= Self.refreshInterval.inSeconds }
    return due.min { (entries[$0]?.looked ?? .zero, $0) < (entries[$1]?.looked ?? .zero, $1) }.map { [$0] } ?? []
  }

  /// Adds the scores of an object; labels follow from the smoothed scores.
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

/// The one object that a stream reports: the most prominent, which stays so until another one has been clearly ahead
/// for a while.
struct ProminentObject: Sendable {
  /// Another object takes over when it is this much more prominent …
  private static let lead = 1.2
  /// … in this many consecutive searched frames.
  private static let patience = 3

  private var current: Int?
  private var challenger: (id: Int, count: Int)?

  /// - Parameters:
  ///   - objects: what is seen, the most prominent first.
  ///   - wasSearched: whether the frame was searched for objects; others give no challenger a point.
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
