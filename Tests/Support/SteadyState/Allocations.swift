import AllocationCounter

/// What calls ask the system's allocator for.
package enum Allocations {
  /// Whether they are counted here: on glibc, and not under a sanitizer that brings an allocator of its own.
  package static var areCounted: Bool { swiftlet_test_counts_allocations() }

  /// Whether calls are compiled as they are for users. Without optimization the standard library's generic code allocates
  /// by itself, in every loop.
  package static var areThoseOfUsers: Bool {
    #if DEBUG
      false
    #else
      areCounted
    #endif
  }

  /// The allocations of the calling thread while `body` runs.
  package static func of(_ body: () throws -> Void) rethrows -> Int {
    let before = swiftlet_test_allocations_so_far().count
    try body()
    return Int(swiftlet_test_allocations_so_far().count - before)
  }

  /// The allocations of a call of `body` that has run before, as the mean of ten.
  ///
  /// Frames of a session alternate between two memories, each with the smoothers of two frames, so all are in use after
  /// the fourth call.
  package static func ofSteadyCall(_ body: () throws -> Void) rethrows -> Double {
    for _ in 0..<4 { try body() }
    return Double(try of { for _ in 0..<10 { try body() } }) / 10
  }
}
