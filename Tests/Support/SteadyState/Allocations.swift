import AllocationCounter

/// The allocations that calls request from the system's allocator.
package enum Allocations {
  /// Whether they are counted: on glibc, and not under a sanitizer with an allocator of its own.
  package static var areCounted: Bool { swiftlet_test_counts_allocations() }

  /// Whether calls are compiled with optimization, as for users. Without it, the standard library's generic code
  /// allocates in every loop.
  package static var areThoseOfUsers: Bool {
    #if DEBUG
      false
    #else
      areCounted
    #endif
  }

  /// Returns the number of allocations of the calling thread while `body` runs.
  package static func of(_ body: () throws -> Void) rethrows -> Int {
    let before = swiftlet_test_allocations_so_far().count
    try body()
    return Int(swiftlet_test_allocations_so_far().count - before)
  }

  /// Returns the number of allocations of a call of `body` that has run before, as the mean of ten calls.
  ///
  /// A session alternates between two frame buffers, each with the smoothers of two frames, so all are in use after the
  /// fourth call.
  package static func ofSteadyCall(_ body: () throws -> Void) rethrows -> Double {
    for _ in 0..<4 { try body() }
    return Double(try of { for _ in 0..<10 { try body() } }) / 10
  }
}
