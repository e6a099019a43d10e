import Foundation
import SwiftletBase
import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletTracking

@Suite("Streams with concurrent detection", .timeLimit(.minutes(30)))
struct ConcurrentStreamTests {
  private func tracker(classifier: PassingModel? = nil) throws -> ObjectTrackingSession {
    try ObjectTracker(options: .reading(classifier: classifier) { $0.streamPolicy = .concurrent }).video()
  }

  @Test("the first frame returns nothing, and later frames return propagated detections, followed by labels")
  func results() throws {
    let tracker = try tracker(classifier: SingleImageTests.colors)
    let scene = Scene([Scene.object(90, 90)])
    var results: [[TrackedObject]] = []
    for frame in 0..<5 {
      results.append(try tracker.objects(in: scene.image(), at: .milliseconds(40 * frame)))
      tracker.waitUntilIdle()
    }
    #expect(results.map(\.count) == [0, 1, 1, 1, 1])
    #expect(Set(results.dropFirst().flatMap { $0.compactMap(\.trackingID) }).count == 1)
    #expect(results.map { $0.first?.labels.isEmpty ?? true } == [true, true, false, false, false])
    #expect(results[4][0].box.isClose(to: scene.box(0), within: 0.5))
  }

  @Test("detections before a reset are not reported after it")
  func reset() throws {
    let tracker = try tracker()
    let scene = Scene([Scene.object(90, 90)])
    _ = try tracker.objects(in: scene.image(), at: .zero)
    tracker.waitUntilIdle()
    tracker.reset()
    #expect(try tracker.objects(in: Scene([]).image(), at: .milliseconds(40)).isEmpty)
    tracker.waitUntilIdle()
    #expect(try tracker.objects(in: Scene([]).image(), at: .milliseconds(80)).isEmpty)
  }

  private final class Shared: Sendable {
    let clock = Mutex(0)
    let answers = Mutex(0)
  }

  @Test(
    "all calls from several threads return, in both policies",
    arguments: [StreamPolicy.concurrent, .synchronous(every: 1)])
  func threads(policy: StreamPolicy) async throws {
    let video = try ObjectTracker(
      options: .reading(classifier: SingleImageTests.colors) { $0.streamPolicy = policy }
    ).video()
    // The frames of all threads share one clock; a frame that is earlier than another one is rejected.
    let shared = Shared()
    let image = try Scene([Scene.object(90, 90)]).image()
    let ids = try await withThrowingTaskGroup(of: [Int?].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var ids: [Int?] = []
          for _ in 0..<10 {
            let time = shared.clock.withLock { time in
              time += 40
              return time
            }
            do {
              ids += try await video.objects(in: image, at: .milliseconds(time), priority: .high).map(\.trackingID)
            } catch let error as TaskError where error.code == .timeNotIncreasing {}
            shared.answers.withLock { $0 += 1 }
          }
          return ids
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(ids.allSatisfy { $0 != nil } && shared.answers.withLock { $0 } == 40)
    #expect(policy == .concurrent || !ids.isEmpty)
  }

  @Test("a call that is cancelled before it starts throws, and changes nothing")
  func cancellation() async throws {
    let tracker = try tracker()
    let image = try Scene([]).image()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await tracker.objects(in: image, at: .zero, priority: .high)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
