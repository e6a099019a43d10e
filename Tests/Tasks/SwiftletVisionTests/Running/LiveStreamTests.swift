import Foundation
import Testing

@testable import SwiftletVision

/// Not part of Dispatch's Swift interface on every platform.
@_silgen_name("dispatch_queue_get_label")
private func queueLabel(_ queue: OpaquePointer?) -> UnsafePointer<CChar>?

/// The label of the queue this is called on.
private func currentQueueLabel() -> String { queueLabel(nil).map { String(cString: $0) } ?? "" }

@Suite("Live streams", .timeLimit(.minutes(30)))
struct LiveStreamTests {
  @Test("sending returns at once; frames that come meanwhile are dropped, counted, and spend their time")
  func dropsWhileBusy() throws {
    let gate = Gate()
    let told = Gate()
    let times = Record<Int>()
    let runner = try FakeRunner.make(.liveStream) { _, _ in
      gate.pass()
      return nil
    }
    runner.liveStream.setHandler { _, time in
      let time = time.milliseconds
      times.append(time)
      told.open()
    }
    let image = try picture()
    try runner.send(image, timestamp: .milliseconds(1))
    try runner.send(image, timestamp: .milliseconds(2))
    try runner.send(image, timestamp: .milliseconds(3))
    #expect(runner.liveStream.droppedFrameCount == 2)
    // The time of a dropped frame is as good as any.
    #expect(failure { try runner.send(image, timestamp: .milliseconds(3)) }?.code == .timeNotIncreasing)
    #expect(runner.liveStream.droppedFrameCount == 2)
    gate.open()
    #expect(told.pass())
    try runner.send(image, timestamp: .milliseconds(4))
    gate.open()
    #expect(told.pass())
    #expect(times.values == [1, 4])
    #expect(runner.liveStream.droppedFrameCount == 2)
  }

  @Test("an error of one frame is told with that frame, and the task goes on")
  func oneFrameFails() throws {
    let told = Gate()
    let outcomes = Record<(Bool, Int, TaskError?)>()
    let runner = try FakeRunner.make(.liveStream) { _, time in
      if time == 2 { throw TaskError(.invalidImage, "bad frame") }
      return nil
    }
    runner.liveStream.setHandler { result, time in
      let time = time.milliseconds
      switch result {
      case .success(let output): outcomes.append((output.timestamp == .milliseconds(time), time, nil))
      case .failure(let error): outcomes.append((false, time, error))
      }
      told.open()
    }
    for time in 1...3 {
      try runner.send(try picture(), timestamp: .milliseconds(time))
      #expect(told.pass())
    }
    let found = outcomes.values
    #expect(found.map(\.0) == [true, false, true])
    #expect(found.map(\.1) == [1, 2, 3])
    #expect(found.map(\.2) == [nil, TaskError(.invalidImage, "bad frame"), nil])
  }

  @Test("results are told on a serial queue of the task's own, work is done on another")
  func queues() throws {
    let told = Gate()
    let labels = Record<String>()
    let runner = try FakeRunner.make(.liveStream) { _, _ in
      labels.append(currentQueueLabel())
      return nil
    }
    runner.liveStream.setHandler { _, _ in
      labels.append(currentQueueLabel())
      told.open()
    }
    try runner.send(try picture(), timestamp: .milliseconds(1))
    #expect(told.pass())
    let found = labels.values
    try #require(found.count == 2)
    let prefix = "com.swiftlet.vision.fake_"
    #expect(found[1].hasPrefix(prefix))
    #expect(UUID(uuidString: String(found[1].dropFirst(prefix.count))) != nil)
    #expect(found[0] != found[1])
  }

  @Test("a receiver may send the next frame")
  func sendFromReceiver() throws {
    let done = Gate()
    let times = Record<Int>()
    let runner = try FakeRunner.make(.liveStream)
    let image = try picture()
    runner.liveStream.setHandler { [weak runner] _, time in
      let time = time.milliseconds
      times.append(time)
      if time < 100 { try? runner?.send(image, timestamp: .milliseconds(time + 1)) } else { done.open() }
    }
    try runner.send(image, timestamp: .milliseconds(1))
    #expect(done.pass())
    #expect(times.values == Array(1...100))
    #expect(runner.liveStream.droppedFrameCount == 0)
  }

  @Test("a receiver that hangs stops neither senders nor the frame at work, and results do not pile up")
  func slowReceiver() throws {
    let gate = Gate()
    let worked = Record<Int>()
    let times = Record<Int>()
    let runner = try FakeRunner.make(.liveStream) { _, time in
      worked.append(time)
      return nil
    }
    runner.liveStream.setHandler { _, time in
      let time = time.milliseconds
      gate.pass()
      times.append(time)
    }
    let image = try picture()
    var next = 1
    func send() throws {
      try runner.send(image, timestamp: .milliseconds(next))
      next += 1
      Thread.sleep(forTimeInterval: 0.0001)
    }
    while worked.values.count < 2 { try send() }
    // One is being received, one waits.
    for _ in 0..<500 { try send() }
    #expect(worked.values.count == 2)
    #expect(times.values.isEmpty)
    #expect(runner.liveStream.droppedFrameCount == next - 1 - 2)
    for _ in 0..<10_000 { gate.open() }
    while times.values.count < 3 { try send() }
    #expect(worked.values.starts(with: times.values))
  }

  @Test("without a receiver results vanish and the stream goes on")
  func noReceiver() throws {
    let ended = Gate()
    let runner = try FakeRunner.make(.liveStream) { _, _ in FakePipeline.Token { ended.open() } }
    for time in 1...20 {
      let dropped = runner.liveStream.droppedFrameCount
      try runner.send(try picture(), timestamp: .milliseconds(time))
      if runner.liveStream.droppedFrameCount == dropped { #expect(ended.pass()) }
    }
  }

  @Test("another handler replaces the first, none silences the stream")
  func replacedHandler() throws {
    let names = Record<String>()
    let ended = Gate()
    let runner = try FakeRunner.make(.liveStream) { _, _ in FakePipeline.Token { ended.open() } }
    func send(_ time: Int) throws {
      try runner.send(try picture(), timestamp: .milliseconds(time))
      #expect(ended.pass())
    }
    runner.liveStream.setHandler { _, _ in names.append("first") }
    try send(1)
    runner.liveStream.setHandler { _, _ in names.append("second") }
    try send(2)
    runner.liveStream.setHandler(nil)
    try send(3)
    #expect(names.values == ["first", "second"])
  }

  @Test("10,000 frames at full speed: every frame is told or dropped, in order, and nothing piles up")
  func fullSpeed() throws {
    let living = Serialized((now: 0, most: 0))
    let runner = try FakeRunner.make(.liveStream) { _, _ in
      living.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      return FakePipeline.Token { living.withLock { $0.now -= 1 } }
    }
    let times = Record<Int>()
    runner.liveStream.setHandler { _, time in times.append(time.milliseconds) }
    let image = try picture()
    for time in 1...10_000 { try runner.send(image, timestamp: .milliseconds(time)) }
    while times.values.count + runner.liveStream.droppedFrameCount < 10_000 { Thread.sleep(forTimeInterval: 0.001) }
    let found = times.values
    #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
    #expect(found.count + runner.liveStream.droppedFrameCount == 10_000)
    // One at work, one received, one waiting.
    #expect(living.withLock { $0.most } <= 3)
  }

  @Test("10,000 results, one after the other: none is lost, all in order, at most three alive")
  func tenThousandResults() throws {
    let living = Serialized((now: 0, most: 0))
    let runner = try FakeRunner.make(.liveStream) { _, _ in
      living.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      return FakePipeline.Token { living.withLock { $0.now -= 1 } }
    }
    let image = try picture()
    let done = Gate()
    let times = Record<Int>()
    runner.liveStream.setHandler { [weak runner] _, time in
      let time = time.milliseconds
      times.append(time)
      if time < 10_000 { try? runner?.send(image, timestamp: .milliseconds(time + 1)) } else { done.open() }
    }
    try runner.send(image, timestamp: .milliseconds(1))
    #expect(done.pass())
    #expect(times.values == Array(1...10_000))
    #expect(runner.liveStream.droppedFrameCount == 0)
    #expect(living.withLock { $0.most } <= 3)
  }
}
