import Foundation
import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletTracking

@Suite("A stream that is searched beside the calls", .timeLimit(.minutes(30)))
struct ConcurrentStreamTests {
  private func tracker(classifier: PassingModel? = nil) throws -> ObjectTracker {
    try ObjectTracker(options: .reading(.stream, classifier: classifier) { $0.streamPolicy = .concurrent })
  }

  @Test("the first frame gives nothing, a later one what was found, brought forward, and labels follow")
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
    #expect(BoundingBox(results[4][0].frame).isClose(to: scene.box(0), within: 0.5))
  }

  @Test("what was found before a reset is not reported after it")
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

  @Test(
    "calls from several threads are all answered, in both policies",
    arguments: [StreamPolicy.concurrent, .synchronous(every: 1)])
  func threads(policy: StreamPolicy) async throws {
    let tracker = try ObjectTracker(
      options: .reading(.stream, classifier: SingleImageTests.colors) { $0.streamPolicy = policy })
    let image = try Scene([Scene.object(90, 90)]).image()
    let ids = try await withThrowingTaskGroup(of: [Int?].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var ids: [Int?] = []
          for _ in 0..<10 { ids += try await tracker.objects(in: image).map(\.trackingID) }
          return ids
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(ids.allSatisfy { $0 != nil })
    if policy != .concurrent { #expect(ids.count == 40) }
  }

  @Test("a call that is cancelled before its turn throws, and changes nothing")
  func cancellation() async throws {
    let tracker = try tracker()
    let image = try Scene([]).image()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await tracker.objects(in: image, at: .zero)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
