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
