import SwiftletBase

/// The process's supply of track IDs: 0, 1, 2 and so on, each given out once, to any tracker on any thread.
enum TrackIdentifiers {
  private static let count = Atomic<Int>(0)

  static func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}
