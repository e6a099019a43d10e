import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("State of live streams")
struct LiveStreamStateTests {
  private func result(_ seconds: Int) -> LiveResult<Int> {
    LiveResult(timestamp: .seconds(seconds), result: .success(seconds))
  }

  @Test("a frame is admitted when none is at work and at most one result waits")
  func admission() {
    let stream = LiveStream<Int>(isOpen: true)
    #expect(stream.admit() && stream.droppedFrameCount == 0)
    // The first is at work.
    #expect(!stream.admit() && stream.droppedFrameCount == 1)
    stream.finishFrame()
    #expect(stream.admit())
    stream.finishFrame()
    // Two results wait.
    #expect(!stream.admit() && stream.droppedFrameCount == 2)
    stream.deliver(result(0))
    #expect(stream.admit())
    stream.finishFrame()
    #expect(!stream.admit() && stream.droppedFrameCount == 3)
    stream.deliver(result(1))
    stream.deliver(result(2))
    #expect(stream.admit() && !stream.admit() && stream.droppedFrameCount == 4)
    stream.countDroppedFrame()
    #expect(stream.droppedFrameCount == 5)
  }

  @Test("a handler gets every result and its time, until another one takes its place")
  func handlers() {
    let stream = LiveStream<Int>(isOpen: true)
    let told = Serialized<[String]>([])
    @Sendable func handler(_ name: String) -> LiveStream<Int>.Handler {
      { result, time in told.withLock { $0.append("\(name) \((try? result.get()) ?? -1) \(time)") } }
    }
    stream.setHandler(handler("a"))
    stream.deliver(result(1))
    stream.setHandler(handler("b"))
    stream.deliver(LiveResult(timestamp: .seconds(2), result: .failure(TaskError(.failed, "x"))))
    stream.setHandler(nil)
    stream.deliver(result(3))
    #expect(told.withLock { $0 } == ["a 1 1.0 seconds", "b -1 2.0 seconds"])
    stream.setHandler(handler("c"))
    stream.close()
    stream.deliver(result(4))
    // What is closed stays so.
    stream.setHandler(handler("d"))
    stream.deliver(result(5))
    #expect(told.withLock { $0.count } == 2)
    let closed = LiveStream<Int>(isOpen: false)
    closed.setHandler(handler("e"))
    closed.deliver(result(6))
    #expect(told.withLock { $0.count } == 2)
  }

  private func times(_ results: LiveResults<Int>) async -> [Duration] {
    var times: [Duration] = []
    for await result in results { times.append(result.timestamp) }
    return times
  }

  @Test("of two consumers one may go, and the other goes on", arguments: [0, 1, 2])
  func consumers(leaving: Int) async {
    let stream = LiveStream<Int>(isOpen: true)
    var sequences: [LiveResults<Int>?] = (0..<3).map { _ in stream.results }
    stream.deliver(result(1))
    sequences[leaving] = nil
    stream.deliver(result(2))
    stream.close()
    for (index, results) in sequences.enumerated() where index != leaving {
      guard let results else { continue }
      #expect(await times(results) == [.seconds(1), .seconds(2)])
    }
  }

  @Test("four results wait for a slow consumer, the newest ones")
  func buffer() async {
    #expect(LiveResults<Int>.bufferedResultCount == 4)
    let stream = LiveStream<Int>(isOpen: true)
    let results = stream.results
    for time in 1...6 { stream.deliver(result(time)) }
    stream.close()
    #expect(await times(results) == [.seconds(3), .seconds(4), .seconds(5), .seconds(6)])
    #expect(await times(stream.results).isEmpty)
    #expect(await times(LiveStream<Int>(isOpen: false).results).isEmpty)
  }

  @Test("a result keeps its time and what became of its frame")
  func fields() throws {
    let success = LiveResult(timestamp: .seconds(3), result: .success(5))
    #expect(try success.timestamp == .seconds(3) && success.result.get() == 5)
  }
}
