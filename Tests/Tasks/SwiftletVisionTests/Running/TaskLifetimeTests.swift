import Foundation
import Testing

@testable import SwiftletVision

@Suite("The end of a live stream's task", .timeLimit(.minutes(30)))
struct TaskLifetimeTests {
  /// Holds a task, and lets go of it from any thread.
  private final class Holder: Sendable {
    private let runner: Serialized<FakeRunner?>
    init(_ runner: FakeRunner) { self.runner = Serialized(runner) }

    func release() {
      let last = runner.withLock { runner in
        defer { runner = nil }
        return runner
      }
      withExtendedLifetime(last) {}
    }

    func send(_ time: Int) throws {
      let image = try picture()
      try runner.withLock { $0 }?.send(image, timestamp: .milliseconds(time))
    }

    func setHandler(_ handler: LiveStream<FakePipeline.Output>.Handler?) {
      runner.withLock { $0 }?.liveStream.setHandler(handler)
    }
  }

  @Test("a result that waits for its receiver is not told any more")
  func pendingResult() throws {
    let gate = Gate()
    let isTold = Gate()
    let secondEnds = Gate()
    let times = Record<Int>()
    let worked = Gate()
    let holder = Holder(
      try FakeRunner.make(.liveStream) { _, time in
        defer { worked.open() }
        return FakePipeline.Token { if time == 2 { secondEnds.open() } }
      })
    holder.setHandler { _, time in
      let time = time.milliseconds
      times.append(time)
      isTold.open()
      gate.pass()
    }
    try holder.send(1)
    #expect(isTold.pass())
    #expect(worked.pass())
    try holder.send(2)
    #expect(worked.pass())
    // Until its result waits behind the first one's.
    Thread.sleep(forTimeInterval: 0.02)
    holder.release()
    gate.open()
    #expect(secondEnds.pass())
    #expect(times.values == [1])
  }

  @Test("a frame at work ends quietly, and takes the pipeline with it")
  func frameAtWork() throws {
    let gate = Gate()
    let hasBegun = Gate()
    let pipelineEnds = Gate()
    let times = Record<Int>()
    let holder = Holder(
      try FakeRunner.make(.liveStream, own: FakePipeline.Token { pipelineEnds.open() }) { _, _ in
        hasBegun.open()
        gate.pass()
        return nil
      })
    holder.setHandler { _, time in times.append(time.milliseconds) }
    try holder.send(1)
    #expect(hasBegun.pass())
    holder.release()
    gate.open()
    #expect(pipelineEnds.pass())
    #expect(times.values.isEmpty)
  }

  @Test("its receiver may let go of the task")
  func releasedByReceiver() throws {
    let pipelineEnds = Gate()
    let times = Record<Int>()
    let holder = Holder(try FakeRunner.make(.liveStream, own: FakePipeline.Token { pipelineEnds.open() }))
    holder.setHandler { _, time in
      let time = time.milliseconds
      times.append(time)
      holder.release()
    }
    try holder.send(1)
    #expect(pipelineEnds.pass())
    #expect(times.values == [1])
  }

  @Test("its pipeline may let go of the task")
  func releasedByPipeline() throws {
    let pipelineEnds = Gate()
    let times = Record<Int>()
    let isSent = Gate()
    let release = Serialized<(@Sendable () -> Void)?>(nil)
    let holder = Holder(
      try FakeRunner.make(.liveStream, own: FakePipeline.Token { pipelineEnds.open() }) { _, _ in
        // Whoever sends holds the task until the call returns.
        isSent.pass()
        release.withLock { $0 }?()
        return nil
      })
    release.withLock { $0 = { holder.release() } }
    holder.setHandler { _, time in times.append(time.milliseconds) }
    try holder.send(1)
    isSent.open()
    #expect(pipelineEnds.pass())
    #expect(times.values.isEmpty)
    release.withLock { $0 = nil }
  }

  @Test("a hundred tasks that go at any moment leave nothing behind")
  func anyMoment() throws {
    let ends = Gate()
    for round in 0..<100 {
      let holder = Holder(
        try FakeRunner.make(.liveStream, own: FakePipeline.Token { ends.open() }) { _, _ in
          for _ in 0..<(round % 7) * 5 { sched_yield() }
          return nil
        })
      holder.setHandler { _, time in if time == .milliseconds(round % 5) { holder.release() } }
      for time in 0..<5 {
        try holder.send(time)
        for _ in 0..<(round % 3) * 5 { sched_yield() }
      }
      holder.release()
    }
    for _ in 0..<100 { #expect(ends.pass()) }
  }
}
