import Foundation
import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Work on separate threads", .timeLimit(.minutes(10)))
struct WorkQueueTests {
  private struct Fault: Error {}

  static let queues = [WorkQueue("work"), WorkQueue("work", width: 2)]

  @Test("returns its value or error", arguments: [0, 1])
  func values(index: Int) async throws {
    let queue = Self.queues[index]
    #expect(try await queue.value { 5 } == 5)
    await #expect(throws: Fault.self) { try await queue.value { () throws -> Int in throw Fault() } }
  }

  @Test("doesn't start for a caller that was cancelled before", arguments: [0, 1])
  func cancelledBefore(index: Int) async throws {
    let queue = Self.queues[index]
    let hasBegun = Mutex(false)
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

  @Test("reports cancellation if it fails after its caller was cancelled")
  func cancelledMeanwhile() async throws {
    let (started, begin) = AsyncStream.makeStream(of: Void.self)
    let gate = DispatchSemaphore(value: 0)
    let caller = Task {
      try await WorkQueue("work").value { () throws -> Int in
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

  @Test("starts in order, with the concurrency of the queue", arguments: [1, 3])
  func width(width: Int) {
    let queue = WorkQueue("work", width: width)
    let state = Mutex((started: [Int](), running: 0, most: 0))
    let done = DispatchGroup()
    for index in 0..<50 {
      done.enter()
      queue.schedule {
        state.withLock { state in
          state.started.append(index)
          state.running += 1
          state.most = max(state.most, state.running)
        }
        usleep(200)
        state.withLock { $0.running -= 1 }
        done.leave()
      }
    }
    done.wait()
    let found = state.withLock { $0 }
    #expect(found.most <= width && found.running == 0 && found.started.sorted() == Array(0..<50))
    #expect(width > 1 || found.started == Array(0..<50))
  }
}
