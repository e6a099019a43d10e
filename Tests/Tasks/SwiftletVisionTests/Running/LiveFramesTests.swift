import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Results of a sequence of frames", .timeLimit(.minutes(30)))
struct LiveFramesTests {
  typealias Frame = (InputImage, Duration)

  private func results<Frames>(
    of frames: Frames, _ work: @escaping FakePipeline.Work = { _, _ in nil }
  ) throws -> LiveFrames<Frames, FakeTask> { try FakeTask(work).live(frames) }

  private func frame(_ milliseconds: Int) throws -> Frame { (try makeImage(), .milliseconds(milliseconds)) }

  /// Waits until a condition holds; gives up after a minute.
  private func wait(until isSo: () -> Bool) async throws -> Bool {
    for _ in 0..<60_000 where !isSo() { try await Task.sleep(for: .milliseconds(1)) }
    return isSo()
  }

  private func error<Value>(of result: Result<Value, TaskError>) -> TaskError? {
    if case .failure(let error) = result { error } else { nil }
  }

  @Test("are in frame order, include the error of a frame, and end with the frames")
  func order() async throws {
    let (frames, source) = AsyncStream.makeStream(of: Frame.self)
    let stream = try results(of: frames) { _, time in
      if time == 2 { throw TaskError(.invalidImage, "bad frame") }
      return nil
    }
    source.yield(try frame(1))
    var found: [FrameResult<FakePipeline.Output>] = []
    for await result in stream {
      found.append(result)
      // The fourth frame has the timestamp of the third.
      if found.count < 4 { source.yield(try frame(min(found.count + 1, 3))) } else { source.finish() }
    }
    #expect(found.map(\.time.milliseconds) == [1, 2, 3, 3])
    #expect(found.map { (try? $0.result.get())?.times } == [[1], nil, [1, 3], nil])
    #expect(found.map { error(of: $0.result)?.code } == [nil, .invalidImage, nil, .timeNotIncreasing])
    #expect(stream.droppedFrameCount == 0)
  }

  @Test("can be requested one by one, until the frames end or fail", arguments: [false, true])
  func stepByStep(fails: Bool) async throws {
    let (frames, source) = AsyncThrowingStream.makeStream(of: Frame.self)
    var iterator = try results(of: frames).makeAsyncIterator()
    for time in 1...2 {
      source.yield(try frame(time))
      let result = try await iterator.next()
      #expect(result?.time == .milliseconds(time))
      #expect((try result?.result.get())?.times.last == time)
    }
    source.finish(throwing: fails ? Fault("no more") : nil)
    if fails {
      let error = await #expect(throws: Fault.self) { try await iterator.next() }
      #expect(error?.description == "no more")
    } else {
      #expect(try await iterator.next() == nil)
    }
  }

  @Test("the newest frame that arrives during processing is next, and the others are counted as dropped")
  func newestWins() async throws {
    let (gate, isWorking) = (Gate(), Gate())
    let (frames, source) = AsyncStream.makeStream(of: Frame.self)
    let stream = try results(of: frames) { _, _ in
      isWorking.open()
      gate.pass()
      return nil
    }
    let consumer = Task {
      var times: [Int] = []
      for await result in stream { times.append(result.time.milliseconds) }
      return times
    }
    source.yield(try frame(1))
    #expect(try await isWorking.passAsync())
    for time in 2...5 { source.yield(try frame(time)) }
    source.finish()
    #expect(try await wait { stream.droppedFrameCount >= 3 })
    for _ in 0..<5 { gate.open() }
    #expect(await consumer.value == [1, 5])
    #expect(stream.droppedFrameCount == 3)
  }

  @Test("an error of the frame sequence comes after the last frame's result")
  func sourceFails() async throws {
    let (frames, source) = AsyncThrowingStream.makeStream(of: Frame.self)
    source.yield(try frame(1))
    source.finish(throwing: Fault("the camera was unplugged"))
    var times: [Int] = []
    let error = await #expect(throws: Fault.self) {
      for try await result in try results(of: frames) { times.append(result.time.milliseconds) }
    }
    #expect(error?.description == "the camera was unplugged")
    #expect(times == [1])
  }

  @Test("a consumer that is cancelled while waiting for a frame gets no more results, and the frames are released")
  func cancelledWhileWaiting() async throws {
    let (hasResult, isReleased) = (Gate(), Gate())
    let (frames, source) = AsyncStream.makeStream(of: Frame.self)
    source.onTermination = { _ in isReleased.open() }
    let stream = try results(of: frames)
    source.yield(try frame(1))
    let consumer = Task {
      var count = 0
      for await _ in stream {
        count += 1
        hasResult.open()
      }
      return count
    }
    #expect(try await hasResult.passAsync())
    consumer.cancel()
    #expect(await consumer.value == 1)
    #expect(try await isReleased.passAsync())
  }

  @Test("a consumer that is cancelled while a frame is processed does not get its result")
  func cancelledAtWork() async throws {
    let (gate, isWorking) = (Gate(), Gate())
    let (frames, source) = AsyncStream.makeStream(of: Frame.self)
    let stream = try results(of: frames) { _, _ in
      isWorking.open()
      gate.pass()
      return nil
    }
    source.yield(try frame(1))
    let consumer = Task {
      var count = 0
      for await _ in stream { count += 1 }
      return count
    }
    #expect(try await isWorking.passAsync())
    consumer.cancel()
    gate.open()
    #expect(await consumer.value == 0)
  }

  @Test("leaving the loop releases the frames")
  func leaving() async throws {
    let isReleased = Gate()
    let (frames, source) = AsyncStream.makeStream(of: Frame.self)
    source.onTermination = { _ in isReleased.open() }
    source.yield(try frame(1))
    for await _ in try results(of: frames) { break }
    #expect(try await isReleased.passAsync())
  }

  @Test("are available for a region of the image")
  func region() async throws {
    let detector = try ObjectDetector(.bytes(SyntheticObjectModel.bytes))
    let image = try SyntheticObjectModel.image()
    let region = NormalizedRect(left: 0, top: 0, right: 0.5, bottom: 1)
    let expected = try await detector.objects(in: image, region: region, priority: .userInitiated)
    let (frames, source) = AsyncStream.makeStream(of: Frame.self)
    source.yield((image, .milliseconds(40)))
    source.finish()
    let stream = detector.live(frames, region: region)
    for await frame in stream {
      #expect(frame.time == .milliseconds(40))
      #expect(try frame.result.get() == expected)
    }
    #expect(stream.droppedFrameCount == 0)
  }
}
