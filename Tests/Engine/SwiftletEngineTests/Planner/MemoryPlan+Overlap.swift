import SwiftletEngine

extension MemoryPlan {
  /// Returns the first pair of requests that share bytes while both are alive, or `nil` for a valid plan.
  func firstOverlap(among requests: [MemoryRequest]) -> (Int, Int)? {
    for first in requests.indices {
      for second in requests.indices where second > first {
        let apart =
          offsets[first] + requests[first].bytes <= offsets[second]
          || offsets[second] + requests[second].bytes <= offsets[first]
        let isEmpty = requests[first].bytes == 0 || requests[second].bytes == 0
        if !apart, !isEmpty, requests[first].lifetime.overlaps(requests[second].lifetime) { return (first, second) }
      }
    }
    return nil
  }
}
