import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Results of a stream of frames", .timeLimit(.minutes(30)))
struct StreamedResultsTests {
  typealias Frame = (MPImage, Duration)

  private func results<Frames>(
    of frames: Frames, _ mode: RunningMode = .liveStream, _ work: @escaping FakePipeline.Work = { _, _ in nil }
  ) throws -> StreamedResults<Frames, FakePipeline.Output> {
    StreamedResults(frames: frames, runner: try FakeRunner.make(mode, work), regionOfInterest: nil)
  }

  private func frame(_ milliseconds: Int) throws -> Frame { (try picture(), .milliseconds(milliseconds)) }

  /// Waits until something is so; gives up after a minute.
  private func wait(until isSo: () -> Bool) async throws -> Bool {
    for _ in 0..<60_000 where !isSo() { try await Task.sleep(for: .milliseconds(1)) }
    return isSo()
  }

  @Test("come in the order of the frames, with what goes wrong with one of them, and end with the frames")
  func order() async throws {
    let (frames, source) = AsyncStream.makeStream(of: Frame.self)
    let stream = try results(of: frames) { _, time in
      if time == 2 { throw TaskError(.invalidImage, "bad frame") }
      return nil
    }
    source.yield(try frame(1))
    var found: [LiveResult<FakePipeline.Output>] = []
    for await result in stream {
      found.append(result)
      // The fourth has the time of the third.
      if found.count < 4 { source.yield(try frame(min(found.count + 1, 3))) } else { source.finish() }
    }
    #expect(found.map(\.timestamp) == [1, 2, 3, 3].map { .milliseconds($0) })
    #expect(found.map { (try? $0.result.get())?.timestamp } == [.milliseconds(1), nil, .milliseconds(3), nil])
    let errors = found.map { failure(of: $0.result)?.code }
    #expect(errors == [nil, .invalidImage, nil, .timeNotIncreasing])
    #expect(stream.runner.liveStream.droppedFrameCount == 0)
  }

  private func failure<Value>(of result: Result<Value, TaskError>) -> TaskError? {
    if case .failure(let error) = result { error } else { nil }
  }

  @Test("may be asked for one after the other, up to the frames' end or error", arguments: [false, true])
  func stepByStep(fails: Bool) async throws {
    let (frames, source) = AsyncThrowingStream.makeStream(of: Frame.self)
    var iterator = try results(of: frames).makeAsyncIterator()
    for time in 1...2 {
      source.yield(try frame(time))
      let result = try await iterator.next()
      #expect(result?.timestamp == .milliseconds(time))
      #expect((try result?.result.get())?.timestamp == .milliseconds(time))
    }
    source.finish(throwing: fails ? Fault("no more") : nil)
    if fails {
      let error = await #expect(throws: Fault.self) { try await iterator.next() }
      #expect(error?.description == "no more")
    } else {
      #expect(try await iterator.next() == nil)
    }
  }

  @Test("of the frames that come while one is worked on, the newest is next and the others are counted")
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
      for await result in stream { times.append(result.timestamp.milliseconds) }
      return times
    }
    source.yield(try frame(1))
    #expect(try await isWorking.passAsync())
    for time in 2...5 { source.yield(try frame(time)) }
    source.finish()
    #expect(try await wait { stream.runner.liveStream.droppedFrameCount >= 3 })
    for _ in 0..<5 { gate.open() }
    #expect(await consumer.value == [1, 5])
    #expect(stream.runner.liveStream.droppedFrameCount == 3)
  }

  @Test("what the frames' own sequence throws comes after the last frame's result")
  func sourceFails() async throws {
    let (frames, source) = AsyncThrowingStream.makeStream(of: Frame.self)
    source.yield(try frame(1))
    source.finish(throwing: Fault("the camera was unplugged"))
    var times: [Int] = []
    let error = await #expect(throws: Fault.self) {
      for try await result in try results(of: frames) { times.append(result.timestamp.milliseconds) }
    }
    #expect(error?.description == "the camera was unplugged")
    #expect(times == [1])
  }

  @Test("a consumer that is cancelled while it waits for a frame gets no more, and the frames are let go")
  func cancelledWhileWaiting() async throws {
    let (hasResult, isLetGo) = (Gate(), Gate())
    let (frames, source) = AsyncStream.makeStream(of: Frame.self)
    source.onTermination = { _ in isLetGo.open() }
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
    #expect(try await isLetGo.passAsync())
  }

  @Test("a consumer that is cancelled while a frame is worked on does not get its result")
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
    // What runs the frames is as good as before.
    gate.open()
    #expect(await stream.runner.liveAsync(try picture(), timestamp: .milliseconds(2)) != nil)
  }

  @Test("leaving the loop lets the frames go")
  func leaving() async throws {
    let isLetGo = Gate()
    let (frames, source) = AsyncStream.makeStream(of: Frame.self)
    source.onTermination = { _ in isLetGo.open() }
    source.yield(try frame(1))
    for await _ in try results(of: frames) { break }
    #expect(try await isLetGo.passAsync())
  }

  @Test("a task in another mode gives errors", arguments: [RunningMode.image, .video])
  func wrongMode(mode: RunningMode) async throws {
    let (frames, source) = AsyncStream.makeStream(of: Frame.self)
    source.yield(try frame(1))
    source.finish()
    var codes: [TaskError.Code?] = []
    for await result in try results(of: frames, mode) { codes.append(failure(of: result.result)?.code) }
    #expect(codes == [.wrongMode])
  }

  @Test("every task has them, with its own results and for a part of the picture")
  func tasks() async throws {
    let detector = try ObjectDetector(model: .bytes(MadeUpObjectModel.bytes)) { $0.runningMode = .liveStream }
    let still = try ObjectDetector(model: .bytes(MadeUpObjectModel.bytes))
    let image = try MadeUpObjectModel.picture()
    let region = NormalizedRect(left: 0, top: 0, right: 0.5, bottom: 1)
    let expected = try await still.detect(image, regionOfInterest: region).detections
    let (frames, source) = AsyncStream.makeStream(of: Frame.self)
    source.yield((image, .milliseconds(40)))
    source.finish()
    for await frame in detector.stream(frames, regionOfInterest: region) {
      #expect(try frame.result.get() == ObjectDetectorResult(detections: expected, timestamp: .milliseconds(40)))
    }
    #expect(detector.droppedFrameCount == 0)
    #expect(await times(of: ImageClassifier.self, try picture()) == [.milliseconds(7)])
    #expect(await times(of: ImageEmbedder.self, try picture()) == [.milliseconds(7)])
  }

  /// What can be written for all tasks.
  private func times<Task: VisionTask>(of type: Task.Type, _ image: MPImage) async -> [Duration]? {
    let model = PassingModel(width: 1, height: 1, outputs: [.init(shape: [1, 3])])
    guard let task = try? Task(model: .bytes(model.bytes), configure: { $0.runningMode = .liveStream }) else {
      return nil
    }
    let (frames, source) = AsyncStream.makeStream(of: Frame.self)
    source.yield((image, .milliseconds(7)))
    source.finish()
    var times: [Duration] = []
    for await frame in task.stream(frames) where (try? frame.result.get()) != nil { times.append(frame.timestamp) }
    return times
  }
}
