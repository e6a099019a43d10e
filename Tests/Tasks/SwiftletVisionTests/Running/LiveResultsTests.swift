import Foundation
import Testing

@testable import SwiftletVision

@Suite("Sequences of live results", .timeLimit(.minutes(30)))
struct LiveResultsTests {
  /// A task with a pipeline that does nothing.
  private final class FakeTask: VisionTask {
    struct Options: VisionTaskOptions {
      var baseOptions: BaseOptions
      var runningMode = RunningMode.image

      init(baseOptions: BaseOptions) { self.baseOptions = baseOptions }
    }

    let runner: FakeRunner

    init(options: Options) throws(TaskError) {
      runner = try FakeRunner(runningMode: options.runningMode, taskName: "fake") { FakePipeline { _, _ in nil } }
    }

    init(_ mode: RunningMode, _ work: @escaping FakePipeline.Work = { _, _ in nil }) throws {
      runner = try FakeRunner.make(mode, work)
    }

    func send(_ time: Int) throws { try send(try picture(), at: .milliseconds(time)) }
  }

  @Test("hold every result in order and end with the task")
  func orderAndEnd() async throws {
    var task: FakeTask? = try FakeTask(.liveStream) { _, time in
      if time == 3 { throw TaskError(.invalidImage, "bad frame") }
      return nil
    }
    let results = try #require(task).liveResults
    var iterator = results.makeAsyncIterator()
    for time in 1...5 {
      try task?.send(time)
      let next = try #require(await iterator.next())
      #expect(next.timestamp == .milliseconds(time))
      if time == 3 {
        #expect(throws: TaskError(.invalidImage, "bad frame")) { try next.result.get() }
      } else {
        #expect(try next.result.get().timestamp == .milliseconds(time))
      }
    }
    task = nil
    #expect(await iterator.next() == nil)
  }

  @Test("every consumer gets all results from when it came")
  func severalConsumers() async throws {
    let task = try FakeTask(.liveStream)
    var early = task.liveResults.makeAsyncIterator()
    try task.send(1)
    #expect(await early.next()?.timestamp == .milliseconds(1))
    var late = task.liveResults.makeAsyncIterator()
    try task.send(2)
    #expect(await early.next()?.timestamp == .milliseconds(2))
    #expect(await late.next()?.timestamp == .milliseconds(2))
  }

  @Test("keep the newest results for a slow consumer")
  func newestForSlowConsumer() async throws {
    let task = try FakeTask(.liveStream)
    var slow = task.liveResults.makeAsyncIterator()
    var quick = task.liveResults.makeAsyncIterator()
    for time in 1...10 {
      try task.send(time)
      #expect(await quick.next()?.timestamp == .milliseconds(time))
    }
    // The slow one is told before the quick one each time, so all ten are there.
    for time in 7...10 { #expect(await slow.next()?.timestamp == .milliseconds(time)) }
    #expect(LiveResults<FakePipeline.Output>.bufferedResultCount == 4)
    #expect(task.droppedFrameCount == 0)
  }

  @Test("are empty in the other modes", arguments: [RunningMode.image, .video])
  func otherModes(_ mode: RunningMode) async throws {
    let task = try FakeTask(mode)
    var iterator = task.liveResults.makeAsyncIterator()
    #expect(await iterator.next() == nil)
  }

  @Test("a consumer that is cancelled stops, and is forgotten")
  func cancelledConsumer() async throws {
    let ended = Gate()
    let task = try FakeTask(.liveStream) { _, _ in FakePipeline.Token { ended.open() } }
    let results = task.liveResults
    let consumer = Task {
      var count = 0
      for await _ in results { count += 1 }
      return count
    }
    consumer.cancel()
    #expect(await consumer.value == 0)
    try task.send(1)
    // Nobody holds the result.
    #expect(try await ended.passAsync())
  }

  @Test("a handler and sequences are told side by side")
  func handlerToo() async throws {
    let task = try FakeTask(.liveStream)
    let told = Record<Int>()
    task.setLiveHandler { _, time in told.append(time.milliseconds) }
    var iterator = task.liveResults.makeAsyncIterator()
    try task.send(8)
    #expect(await iterator.next()?.timestamp == .milliseconds(8))
    #expect(told.values == [8])
  }
}
