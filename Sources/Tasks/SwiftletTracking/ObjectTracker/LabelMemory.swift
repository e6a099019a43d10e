/// What is known of the classes of a stream's objects, and which of them the classifier looks at next.
struct LabelMemory: Sendable {
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
