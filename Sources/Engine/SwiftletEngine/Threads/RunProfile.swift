import SwiftletBase

/// Time spent per node, added up over runs and threads.
final class RunProfile: Sendable {
  private let nanoseconds: Mutex<[UInt64]>

  init(nodeCount: Int) { nanoseconds = Mutex(Array(repeating: 0, count: nodeCount)) }

  func add(_ duration: Duration, to node: Int) {
    let (seconds, attoseconds) = duration.components
    let elapsed = UInt64(max(0, seconds)) &* 1_000_000_000 &+ UInt64(max(0, attoseconds)) / 1_000_000_000
    nanoseconds.withLock { $0[node] &+= elapsed }
  }

  var totals: [UInt64] { nanoseconds.withLock { $0 } }
}
