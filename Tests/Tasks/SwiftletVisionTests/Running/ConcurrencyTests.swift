import Foundation
import Testing

@testable import SwiftletVision

@Suite("Tasks on several threads")
struct ConcurrencyTests {
  @Test("eight threads on one task give what they give one after the other")
  func eightThreads() throws {
    let runner = try FakeRunner.make(.image)
    let results = Record<FakePipeline.Output>()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for _ in 0..<100 {
        guard let image = try? picture(width: thread + 1), let result = try? runner.image(image) else { continue }
        results.append(result)
      }
    }
    let found = results.values
    #expect(found.map(\.timestamp).sorted() == (0..<800).map { .seconds($0) })
    for width in 1...8 { #expect(found.count { $0.width == width } == 100) }
  }

  @Test("frames of a video are worked on in the order of their times, whoever sends them")
  func videoOrder() throws {
    let seen = Record<Int>()
    let runner = try FakeRunner.make(.video) { _, time in
      seen.append(time)
      return nil
    }
    let image = try picture()
    let accepted = Record<Int>()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for step in 0..<100 {
        let time = step * 8 + thread
        if (try? runner.video(image, timestamp: .milliseconds(time))) != nil { accepted.append(time) }
      }
    }
    #expect(seen.values == seen.values.sorted())
    #expect(Set(seen.values) == Set(accepted.values))
    #expect(seen.values.last == 799)
  }

  @Test("two tasks run at once")
  func twoTasks() throws {
    // Each waits inside its pipeline for the other one to be in there too.
    let gates = [Gate(), Gate()]
    let runners = try (0..<2).map { index in
      try FakeRunner.make(.image) { _, _ in
        gates[index].open()
        guard gates[1 - index].pass() else { throw Fault("alone") }
        return nil
      }
    }
    let image = try picture()
    let results = Record<FakePipeline.Output>()
    let done = DispatchGroup()
    for runner in runners {
      // Threads of their own: a pool of one thread could not run both.
      done.enter()
      Thread.detachNewThread {
        if let result = try? runner.image(image) { results.append(result) }
        done.leave()
      }
    }
    #expect(done.wait(timeout: .now() + 120) == .success)
    #expect(results.values.count == 2)
  }
}

@Suite("Async calls")
struct AsyncCallTests {
  @Test("give the results of the blocking ones")
  func results() async throws {
    let image = try picture(width: 2)
    let still = try FakeRunner.make(.image)
    #expect(try await still.imageAsync(image).timestamp == .zero)
    #expect(try await still.imageAsync(image).timestamp == .milliseconds(1000))
    let video = try FakeRunner.make(.video)
    let region = NormalizedRect(left: 0, top: 0, right: 0.5, bottom: 1)
    #expect(
      try await video.videoAsync(image, timestamp: .milliseconds(4), regionOfInterest: region)
        == FakePipeline.Output(width: 2, regionOfInterest: region, timestamp: .milliseconds(4)))
    let late = await #expect(throws: TaskError.self) {
      try await video.videoAsync(image, timestamp: .milliseconds(4))
    }
    #expect(late?.code == .timeNotIncreasing)
  }

  @Test("do not occupy the threads of Swift's tasks", .timeLimit(.minutes(30)))
  func leavePoolAlone() async throws {
    let image = try picture()
    let arrivals = 4 * ProcessInfo.processInfo.activeProcessorCount
    let gate = Gate()
    let runners = try (0..<arrivals).map { _ in
      try FakeRunner.make(.image) { _, _ in
        guard gate.pass(seconds: 100) else { throw Fault("the gate stayed shut") }
        return nil
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for runner in runners { group.addTask { _ = try await runner.imageAsync(image) } }
      // Opens the gates only if it gets a thread while all calls wait.
      group.addTask {
        try await Task.sleep(for: .milliseconds(20))
        for _ in 0..<arrivals { gate.open() }
      }
      try await group.waitForAll()
    }
  }

  @Test("one that is cancelled before its turn throws CancellationError and leaves no trace", .timeLimit(.minutes(30)))
  func cancellation() async throws {
    let image = try picture()
    let gate = Gate()
    let hasBegun = Gate()
    let seen = Record<Int>()
    let runner = try FakeRunner.make(.video) { _, time in
      seen.append(time)
      guard time == 1 else { return nil }
      hasBegun.open()
      gate.pass()
      return nil
    }
    async let first = runner.videoAsync(image, timestamp: .milliseconds(1))
    #expect(try await hasBegun.passAsync())
    let second = Task { try await runner.videoAsync(image, timestamp: .milliseconds(50)) }
    // Cancelled while it waits, or before it even began to wait.
    second.cancel()
    gate.open()
    #expect(try await first.timestamp == .milliseconds(1))
    await #expect(throws: CancellationError.self) { try await second.value }
    // The cancelled frame's time counts for nothing.
    #expect(try await runner.videoAsync(image, timestamp: .milliseconds(2)).timestamp == .milliseconds(2))
    #expect(seen.values == [1, 2])
  }

  @Test("one that has begun is finished though it is cancelled", .timeLimit(.minutes(30)))
  func lateCancellation() async throws {
    let image = try picture()
    let gate = Gate()
    let hasBegun = Gate()
    let runner = try FakeRunner.make(.image) { _, _ in
      hasBegun.open()
      gate.pass()
      return nil
    }
    let call = Task { try await runner.imageAsync(image) }
    #expect(try await hasBegun.passAsync())
    call.cancel()
    gate.open()
    #expect(try await call.value.timestamp == .zero)
  }
}
