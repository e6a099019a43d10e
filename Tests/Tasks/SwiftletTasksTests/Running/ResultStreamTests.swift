import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Result streams of live sessions")
struct ResultStreamTests {
  private func result(_ seconds: Int) -> FrameResult<Int> {
    FrameResult(time: .seconds(seconds), result: .success(seconds))
  }

  @Test("a frame is admitted if none is being processed and at most one result waits")
  func admission() {
    let stream = ResultStream<Int>()
    #expect(stream.admit() && stream.droppedFrameCount == 0)
    // The first frame is being processed.
    #expect(!stream.admit() && stream.droppedFrameCount == 1)
    stream.finishFrame()
    #expect(stream.admit())
    stream.finishFrame()
    // Two results are waiting.
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

  @Test("a handler receives every result with its time until the stream is closed")
  func handlers() {
    let received = Mutex<[String]>([])
    let stream = ResultStream<Int> { frame in
      received.withLock { $0.append("\((try? frame.result.get()) ?? -1) \(frame.time)") }
    }
    stream.deliver(result(1))
    stream.deliver(FrameResult(time: .seconds(2), result: .failure(TaskError(.failed, "x"))))
    #expect(received.withLock { $0 } == ["1 1.0 seconds", "-1 2.0 seconds"])
    stream.close()
    stream.deliver(result(4))
    #expect(received.withLock { $0.count } == 2)
  }

  private func times(_ results: FrameResults<Int>) async -> [Duration] {
    var times: [Duration] = []
    for await result in results { times.append(result.time) }
    return times
  }

  @Test("one of two consumers can end, and the other continues", arguments: [0, 1, 2])
  func consumers(leaving: Int) async {
    let stream = ResultStream<Int>()
    var sequences: [FrameResults<Int>?] = (0..<3).map { _ in stream.results }
    stream.deliver(result(1))
    sequences[leaving] = nil
    stream.deliver(result(2))
    stream.close()
    for (index, results) in sequences.enumerated() where index != leaving {
      guard let results else { continue }
      #expect(await times(results) == [.seconds(1), .seconds(2)])
    }
  }

  @Test("the four newest results wait for a slow consumer")
  func buffer() async {
    #expect(FrameResults<Int>.bufferedResultCount == 4)
    let stream = ResultStream<Int>()
    let results = stream.results
    for time in 1...6 { stream.deliver(result(time)) }
    stream.close()
    #expect(await times(results) == [.seconds(3), .seconds(4), .seconds(5), .seconds(6)])
    #expect(await times(stream.results).isEmpty)
  }

  @Test("a result keeps its time and the outcome of its frame")
  func fields() throws {
    let success = FrameResult(time: .seconds(3), result: .success(5))
    #expect(try success.time == .seconds(3) && success.result.get() == 5)
  }
}
