import Dispatch
import SwiftletBase
import SwiftletVision

/// Searches frames in the background, one at a time. Of the waiting frames, only the newest is kept.
final class BackgroundSearch: Sendable {
  /// A frame to search, and the objects in it to classify.
  struct Job: Sendable {
    var image: InputImage
    var time: Duration
    var epoch: Int
    var turns: [ObjectStream.Turn]
  }

  /// The result of the search of a frame.
  struct Finding: Sendable {
    var detections: [BoxDetection]
    var scores: [(id: Int, scores: [Float])]
    var time: Duration
    var epoch: Int
  }

  private struct State {
    var isRunning = false
    var waiting: Job?
    var outcome: Result<Finding, any Error>?
  }

  private let detector: SharedDetector
  private let appearances: Mutex<AppearanceReader?>
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "swiftlet.objectTracker.search", qos: .userInitiated)

  /// Creates a search.
  ///
  /// - Parameter appearances: Compares the colors of objects; `nil` to track by boxes alone.
  init(_ detector: SharedDetector, _ appearances: AppearanceReader?) {
    self.detector = detector
    self.appearances = Mutex(appearances)
  }

  /// Returns the newest result since the last call, if there is one.
  ///
  /// - Throws: The error of the models.
  func takeFinding() throws -> Finding? {
    let outcome = state.withLock { state in
      defer { state.outcome = nil }
      return state.outcome
    }
    return try outcome?.get()
  }

  /// Searches a frame after the current search, unless a newer frame arrives before that. Returns immediately.
  func search(_ job: Job) {
    let starts = state.withLock { state in
      guard state.isRunning else {
        state.isRunning = true
        return true
      }
      state.waiting = job
      return false
    }
    if starts { queue.async { self.run(job) } }
  }

  /// Waits until no search is running or waiting.
  func waitUntilIdle() {
    while state.withLock({ $0.isRunning }) { queue.sync {} }
  }

  private func run(_ job: Job) {
    let outcome = Result<Finding, any Error> {
      try detector.run { models, _ in
        try appearances.withLock { appearances in try Self.find(job, models, &appearances) }
      }
    }
    let next = state.withLock { state in
      state.outcome = outcome
      defer { state.waiting = nil }
      state.isRunning = state.waiting != nil
      return state.waiting
    }
    if let next { queue.async { self.run(next) } }
  }

  private static func find(_ job: Job, _ models: ObjectModels, _ appearances: inout AppearanceReader?) throws -> Finding
  {
    var detections = try models.detections(in: job.image)
    try appearances?.look(at: &detections, in: job.image)
    let scores = try job.turns.compactMap { turn in
      try models.scores(of: turn.box, in: job.image).map { (id: turn.id, scores: $0) }
    }
    return Finding(detections: detections, scores: scores, time: job.time, epoch: job.epoch)
  }
}
