import SwiftletBase

/// Time spent per node, added up over runs and threads.
final class RunProfile: Sendable {
  private let durations: Mutex<[Duration]>

  init(nodeCount: Int) { durations = Mutex(Array(repeating: .zero, count: nodeCount)) }

  func add(_ duration: Duration, to node: Int) { durations.withLock { $0[node] += max(.zero, duration) } }

  var totals: [Duration] { durations.withLock { $0 } }
}
