import SwiftletTasks

/// Notices that a stream's detector is made anew for every frame, which loses all tracking.
enum StreamDetectorCensus {
  private struct State {
    var births: [ContinuousClock.Instant] = []
    var hasWarned = false
    var handler: (@Sendable (String) -> Void)?
  }

  /// Up to this many detectors within ``period`` cause no warning.
  private static let usual = 3
  private static let period = Duration.seconds(1)
  private static let state = Serialized(State())

  static var warningHandler: (@Sendable (String) -> Void)? {
    get { state.withLock { $0.handler } }
    set {
      state.withLock { state in
        state.handler = newValue
        state.hasWarned = false
      }
    }
  }

  /// Counts a new detector, and warns once when there are too many.
  static func count() {
    let handler = state.withLock { state -> (@Sendable (String) -> Void)? in
      let now = ContinuousClock.now
      state.births = state.births.filter { now - $0 < period } + [now]
      guard state.births.count > usual, !state.hasWarned, let handler = state.handler else { return nil }
      state.hasWarned = true
      return handler
    }
    handler?(
      "more than \(usual) stream detectors were made within a second; make one and keep it, or objects get new IDs with every detector"
    )
  }
}
