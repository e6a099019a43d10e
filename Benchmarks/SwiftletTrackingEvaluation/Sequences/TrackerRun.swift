package import SwiftletTracking

/// What the tracker makes of a sequence.
package struct TrackerRun: Sendable {
  /// The boxes it reports in each frame.
  package private(set) var output: [[IdentifiedBox]] = []
  /// Seconds that each update took, the fastest of all repetitions.
  package private(set) var costs: [Double] = []

  /// Runs a tracker over a sequence from its first frame to its last.
  ///
  /// - Parameter repetitions: how often, to find what an update costs; the output is that of the first time.
  /// - Throws: `TaskError` for options, or a frame size, that the tracker refuses.
  package init(_ sequence: TrackingSequence, options: TrackingOptions, repetitions: Int = 1) throws(TaskError) {
    guard let first = sequence.frames.first else { return }
    var tracks: [Track] = []
    for repetition in 0..<max(1, repetitions) {
      var tracker = try BoxTracker(options: options, frameWidth: first.width, frameHeight: first.height)
      for (index, frame) in sequence.frames.enumerated() {
        if frame.width != tracker.frameWidth || frame.height != tracker.frameHeight {
          tracker.resize(frameWidth: frame.width, frameHeight: frame.height)
        }
        let start = ContinuousClock.now
        tracker.update(detections: frame.detections, at: .seconds(frame.time), into: &tracks)
        let cost = (ContinuousClock.now - start) / .seconds(1)
        if repetition == 0 {
          output.append(tracks.map { IdentifiedBox(identity: $0.id, box: $0.box) })
          costs.append(cost)
        } else {
          costs[index] = min(costs[index], cost)
        }
      }
    }
  }
}
