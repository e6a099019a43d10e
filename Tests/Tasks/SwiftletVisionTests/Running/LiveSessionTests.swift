import Foundation
import SwiftletBase
import SwiftletImage
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

extension LiveSession where SomeTask == FakeTask {
  fileprivate func send(_ milliseconds: Int) throws { try send(try makeImage(), at: .milliseconds(milliseconds)) }
}

@Suite("Live sessions", .timeLimit(.minutes(30)))
struct LiveSessionTests {
  @Test("sending returns immediately; frames that arrive meanwhile are dropped, counted, and use their time")
  func dropsWhileBusy() throws {
    let (gate, told, times) = (Gate(), Gate(), Record<Int>())
    let live = try FakeTask { _, _ in
      gate.pass()
      return nil
    }.live { frame in
      times.append(frame.time.milliseconds)
      told.open()
    }
    for time in 1...3 { try live.send(time) }
    #expect(live.droppedFrameCount == 2)
    // The timestamp of a dropped frame counts too.
    #expect(failure { try live.send(3) }?.code == .timeNotIncreasing)
    #expect(live.droppedFrameCount == 2)
    gate.open()
    #expect(told.pass())
    try live.send(4)
    gate.open()
    #expect(told.pass())
    #expect(times.values == [1, 4])
    #expect(live.droppedFrameCount == 2)
  }

  @Test("a frame's error is its result and leaves the state unchanged, and the session continues")
  func oneFrameFails() throws {
    let told = Gate()
    let results = Record<FrameResult<FakePipeline.Output>>()
    let live = try FakeTask { _, time in
      if time == 2 { throw TaskError(.invalidImage, "bad frame") }
      return nil
    }.live { frame in
      results.append(frame)
      told.open()
    }
    for time in 1...3 {
      try live.send(time)
      #expect(told.pass())
    }
    let found = results.values
    #expect(found.map(\.time.milliseconds) == [1, 2, 3])
    #expect(found.map { (try? $0.result.get())?.times } == [[1], nil, [1, 3]])
    #expect(failure { try found[1].result.get() } == TaskError(.invalidImage, "bad frame"))
  }

  @Test("a receiver may send the next frame")
  func sendFromReceiver() throws {
    final class Holder: Sendable {
      let session = Mutex<LiveSession<FakeTask>?>(nil)
    }
    let (done, times, holder) = (Gate(), Record<Int>(), Holder())
    let live = try FakeTask().live { [weak holder] frame in
      let time = frame.time.milliseconds
      times.append(time)
      if time < 100 { try? holder?.session.withLock { $0 }?.send(time + 1) } else { done.open() }
    }
    holder.session.withLock { $0 = live }
    try live.send(1)
    #expect(done.pass())
    #expect(times.values == Array(1...100))
    #expect(live.droppedFrameCount == 0)
    holder.session.withLock { $0 = nil }
  }

  @Test("a hanging receiver blocks neither senders nor the current frame, and results don't pile up")
  func slowReceiver() throws {
    let (gate, worked, times) = (Gate(), Record<Int>(), Record<Int>())
    let live = try FakeTask { _, time in
      worked.append(time ?? -1)
      return nil
    }.live { frame in
      gate.pass()
      times.append(frame.time.milliseconds)
    }
    var next = 1
    func send() throws {
      try live.send(next)
      next += 1
      Thread.sleep(forTimeInterval: 0.0001)
    }
    while worked.values.count < 2 { try send() }
    // One result is being received, and one is waiting.
    for _ in 0..<500 { try send() }
    #expect(worked.values.count == 2)
    #expect(times.values.isEmpty)
    #expect(live.droppedFrameCount == next - 1 - 2)
    for _ in 0..<10_000 { gate.open() }
    while times.values.count < 3 { try send() }
    #expect(worked.values.starts(with: times.values))
  }

  @Test("without a receiver, results are dropped and the session continues")
  func noReceiver() throws {
    let ended = Gate()
    let live = try FakeTask { _, _ in FakePipeline.Token { ended.open() } }.live()
    for time in 1...20 {
      let dropped = live.droppedFrameCount
      try live.send(time)
      if live.droppedFrameCount == dropped { #expect(ended.pass()) }
    }
  }

  @Test("10,000 frames at full speed: every frame is reported or dropped, in order, without backlog")
  func fullSpeed() throws {
    final class Living: Sendable {
      let count = Mutex((now: 0, most: 0))
    }
    let (living, times) = (Living(), Record<Int>())
    let live = try FakeTask { _, _ in
      living.count.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      return FakePipeline.Token { living.count.withLock { $0.now -= 1 } }
    }.live { times.append($0.time.milliseconds) }
    let image = try makeImage()
    for time in 1...10_000 { try live.send(image, at: .milliseconds(time)) }
    while times.values.count + live.droppedFrameCount < 10_000 { Thread.sleep(forTimeInterval: 0.001) }
    let found = times.values
    #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
    #expect(found.count + live.droppedFrameCount == 10_000)
    // One frame being processed, one result being received, and one waiting.
    #expect(living.count.withLock { $0.most } <= 3)
  }

  // MARK: Sequences of results

  @Test("sequences contain every result in order, and end with the session")
  func orderAndEnd() async throws {
    var live: LiveSession<FakeTask>? = try FakeTask { _, time in
      if time == 3 { throw TaskError(.invalidImage, "bad frame") }
      return nil
    }.live()
    var iterator = try #require(live).results.makeAsyncIterator()
    for time in 1...5 {
      try live?.send(time)
      let next = try #require(await iterator.next())
      #expect(next.time == .milliseconds(time))
      if time == 3 {
        #expect(throws: TaskError(.invalidImage, "bad frame")) { try next.result.get() }
      } else {
        #expect(try next.result.get().times.last == time)
      }
    }
    live = nil
    #expect(await iterator.next() == nil)
  }

  @Test("every consumer gets all results since it started, in addition to the handler")
  func severalConsumers() async throws {
    let told = Record<Int>()
    let live = try FakeTask().live { told.append($0.time.milliseconds) }
    var early = live.results.makeAsyncIterator()
    try live.send(1)
    #expect(await early.next()?.time == .milliseconds(1))
    var late = live.results.makeAsyncIterator()
    try live.send(2)
    #expect(await early.next()?.time == .milliseconds(2))
    #expect(await late.next()?.time == .milliseconds(2))
    #expect(told.values == [1, 2])
  }

  @Test("sequences buffer the newest results for a slow consumer")
  func newestForSlowConsumer() async throws {
    let live = try FakeTask().live()
    var slow = live.results.makeAsyncIterator()
    var quick = live.results.makeAsyncIterator()
    for time in 1...10 {
      try live.send(time)
      #expect(await quick.next()?.time == .milliseconds(time))
    }
    // The slow stream receives each result before the quick one, so it received all ten.
    for time in 7...10 { #expect(await slow.next()?.time == .milliseconds(time)) }
    #expect(FrameResults<FakePipeline.Output>.bufferedResultCount == 4)
    #expect(live.droppedFrameCount == 0)
  }

  @Test("a cancelled consumer stops and is removed")
  func cancelledConsumer() async throws {
    let ended = Gate()
    let live = try FakeTask { _, _ in FakePipeline.Token { ended.open() } }.live()
    let results = live.results
    let consumer = Task {
      var count = 0
      for await _ in results { count += 1 }
      return count
    }
    consumer.cancel()
    #expect(await consumer.value == 0)
    try live.send(1)
    // The result has been released.
    #expect(try await ended.passAsync())
  }

  @Test("a region of a frame can be sent to a task that supports regions")
  func region() async throws {
    let model = PassingModel(width: 2, height: 1, outputs: [.init(shape: [1, 6])])
    let live = try ImageEmbedder(.bytes(model.bytes)).live()
    var iterator = live.results.makeAsyncIterator()
    let image = try InputImage(rgb: (0..<12).map { UInt8($0) }, width: 4, height: 1)
    try live.send(image, region: NormalizedRect(left: 0.5, top: 0, right: 1, bottom: 1), at: .zero)
    #expect(try await iterator.next()?.result.get().values.floats == [6, 7, 8, 9, 10, 11])
    try live.send(image, region: NormalizedRect(left: 1, top: 0, right: 1, bottom: 1), at: .seconds(1))
    let wrong = await iterator.next()
    #expect(failure { try wrong?.result.get() }?.code == .invalidRegion)
  }
}

@Suite("End of a live session", .timeLimit(.minutes(30)))
struct LiveSessionLifetimeTests {
  /// An object that holds a session, and releases it from any thread.
  private final class Holder: Sendable {
    private let session = Mutex<LiveSession<FakeTask>?>(nil)

    func hold(_ live: LiveSession<FakeTask>) { session.withLock { $0 = live } }

    func release() {
      let last = session.withLock { session in
        defer { session = nil }
        return session
      }
      withExtendedLifetime(last) {}
    }

    func send(_ time: Int) throws { try session.withLock { $0 }?.send(time) }
  }

  @Test("a result that waits for its receiver is discarded")
  func pendingResult() throws {
    let (gate, isTold, secondEnds, worked, times) = (Gate(), Gate(), Gate(), Gate(), Record<Int>())
    let holder = Holder()
    holder.hold(
      try FakeTask { _, time in
        defer { worked.open() }
        return FakePipeline.Token { if time == 2 { secondEnds.open() } }
      }.live { frame in
        times.append(frame.time.milliseconds)
        isTold.open()
        gate.pass()
      })
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

  @Test("the current frame ends silently, and releases the pipeline")
  func frameAtWork() throws {
    let (gate, hasBegun, pipelineEnds, times) = (Gate(), Gate(), Gate(), Record<Int>())
    let holder = Holder()
    holder.hold(
      try FakeTask(own: FakePipeline.Token { pipelineEnds.open() }) { _, _ in
        hasBegun.open()
        gate.pass()
        return nil
      }.live { times.append($0.time.milliseconds) })
    try holder.send(1)
    #expect(hasBegun.pass())
    holder.release()
    gate.open()
    #expect(pipelineEnds.pass())
    #expect(times.values.isEmpty)
  }

  @Test("its receiver may release the session")
  func releasedByReceiver() throws {
    let (pipelineEnds, times, holder) = (Gate(), Record<Int>(), Holder())
    holder.hold(
      try FakeTask(own: FakePipeline.Token { pipelineEnds.open() }).live { frame in
        times.append(frame.time.milliseconds)
        holder.release()
      })
    try holder.send(1)
    #expect(pipelineEnds.pass())
    #expect(times.values == [1])
  }

  @Test("its pipeline may release the session")
  func releasedByPipeline() throws {
    let (pipelineEnds, isSent, times, holder) = (Gate(), Gate(), Record<Int>(), Holder())
    holder.hold(
      try FakeTask(own: FakePipeline.Token { pipelineEnds.open() }) { [weak holder] _, _ in
        // The sender holds the session until the call returns.
        isSent.pass()
        holder?.release()
        return nil
      }.live { times.append($0.time.milliseconds) })
    try holder.send(1)
    isSent.open()
    #expect(pipelineEnds.pass())
    #expect(times.values.isEmpty)
  }

  @Test("a hundred sessions that end at any moment leak nothing")
  func anyMoment() throws {
    let ends = Gate()
    for round in 0..<100 {
      let holder = Holder()
      holder.hold(
        try FakeTask(own: FakePipeline.Token { ends.open() }) { _, _ in
          for _ in 0..<(round % 7) * 5 { sched_yield() }
          return nil
        }.live { frame in if frame.time == .milliseconds(round % 5) { holder.release() } })
      for time in 0..<5 {
        try holder.send(time)
        for _ in 0..<(round % 3) * 5 { sched_yield() }
      }
      holder.release()
    }
    for _ in 0..<100 { #expect(ends.pass()) }
  }
}
