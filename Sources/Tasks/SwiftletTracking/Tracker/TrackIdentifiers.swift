import Synchronization

/// The process's supply of track IDs: 0, 1, 2 and so on, each handed out once, to whichever tracker and thread asks.
enum TrackIdentifiers {
  private static let count = Atomic<Int>(0)

  static func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}
