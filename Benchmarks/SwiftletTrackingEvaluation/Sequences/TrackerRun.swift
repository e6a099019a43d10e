package import SwiftletTracking

/// The output of the tracker for a sequence.
package struct TrackerRun: Sendable {
  /// The reported boxes of each frame.
  package private(set) var output: [[IdentifiedBox]] = []
  /// The duration of each update in seconds, as the minimum over all repetitions.
  package private(set) var costs: [Double] = []

  /// Runs a tracker on a sequence from its first frame to its last.
  ///
  /// - Parameter repetitions: The number of repetitions for measuring updates; the output is that of the first
  ///   repetition.
  /// - Throws: `TaskError` for options or a frame size that the tracker rejects.
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
