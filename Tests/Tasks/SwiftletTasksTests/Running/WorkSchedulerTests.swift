import Foundation
import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Work on threads of its own", .timeLimit(.minutes(10)))
struct WorkSchedulerTests {
  private struct Fault: Error {}

  static let queues: [any WorkScheduler] = [
    DispatchQueue(label: "work"), OperationQueue(name: "work", width: 2),
  ]

  @Test("gives its value, or its error", arguments: [0, 1])
  func values(index: Int) async throws {
    let queue = Self.queues[index]
    #expect(try await queue.value { 5 } == 5)
    await #expect(throws: Fault.self) { try await queue.value { () throws -> Int in throw Fault() } }
  }

  @Test("is not begun for a caller that is cancelled before, whatever it would throw", arguments: [0, 1])
  func cancelledBefore(index: Int) async throws {
    let queue = Self.queues[index]
    let hasBegun = Serialized(false)
    let caller = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await queue.value { () throws -> Int in
        hasBegun.withLock { $0 = true }
        throw Fault()
      }
    }
    await #expect(throws: CancellationError.self) { try await caller.value }
    #expect(!hasBegun.withLock { $0 })
  }

  @Test("that fails once its caller is cancelled was cancelled")
  func cancelledMeanwhile() async throws {
    let (started, begin) = AsyncStream.makeStream(of: Void.self)
    let gate = DispatchSemaphore(value: 0)
    let caller = Task {
      try await DispatchQueue(label: "work").value { () throws -> Int in
        begin.yield()
        gate.wait()
        throw Fault()
      }
    }
    for await _ in started { break }
    caller.cancel()
    gate.signal()
    await #expect(throws: CancellationError.self) { try await caller.value }
  }

  @Test("runs in a queue of its name and width")
  func queue() {
    let queue = OperationQueue(name: "pictures", width: 3)
    #expect(queue.name == "pictures" && queue.maxConcurrentOperationCount == 3)
    #expect(queue.qualityOfService == .userInitiated)
  }
}
