import Foundation
import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable @_spi(Facades) import SwiftletVision

@Suite("Still images and video sessions", .timeLimit(.minutes(30)))
struct SessionTests {
  @Test("the region reaches the pipeline for still images and frames")
  func passesParametersOn() async throws {
    let region = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 0.5, height: 0.25, rotation: 0.1)
    let (image, task) = (try makeImage(width: 3), try FakeTask())
    #expect(try task.output(for: image, region: region) == FakePipeline.Output(width: 3, region: region))
    #expect(try task.output(for: image) == FakePipeline.Output(width: 3))
    let video = task.video()
    let blocking = try { () throws in try video.output(for: image, region: region, at: .milliseconds(5)) }()
    #expect(blocking == FakePipeline.Output(width: 3, region: region, times: [5]))
    let awaited = try await video.output(for: image, region: nil, at: .milliseconds(6), priority: .userInitiated)
    #expect(awaited == FakePipeline.Output(width: 3, times: [5, 6]))
  }

  @Test("times must increase, and an invalid one fails only its frame")
  func risingTimes() throws {
    let (video, image) = (try FakeTask().video(), try makeImage())
    _ = try video.send(image, -5)
    _ = try video.send(image, 10)
    for bad in [10, 9, 0, -6, .min] {
      let error = failure { try video.send(image, bad) }
      #expect(error?.code == .timeNotIncreasing)
    }
    #expect(try video.send(image, 11).times == [-5, 10, 11])
    #expect(try video.send(image, .max).times.last == .max)
    #expect(failure { try video.send(image, .max) } != nil)
    #expect(
      failure { try video.send(image, 0) }?.message.hasPrefix("the time of the frame must be later than ") == true)
  }

  @Test("a frame can have the lowest possible time")
  func lowestTime() throws {
    let video = try FakeTask().video()
    #expect(try video.send(try makeImage(), .min).times == [.min])
    #expect(try video.send(try makeImage(), .min + 1).times == [.min, .min + 1])
  }

  @Test("a failing frame leaves the session unchanged: its time can be reused, and its memory doesn't count")
  func oneFrameFails() throws {
    let fails = Record<Bool>()
    let video = try FakeTask { _, time in
      if time == 2, fails.values.count < 2 {
        fails.append(true)
        throw fails.values.count == 1 ? TaskError(.invalidImage, "bad frame") : Fault("something else") as any Error
      }
      return nil
    }.video()
    let image = try makeImage()
    _ = try video.send(image, 1)
    #expect(failure { try video.send(image, 2) } == TaskError(.invalidImage, "bad frame"))
    #expect(failure { try video.send(image, 2) } == TaskError(.failed, "something else"))
    #expect(try video.send(image, 2).times == [1, 2])
    #expect(try video.send(image, 3).times == [1, 2, 3])
  }

  @Test("the first frame of a session may fail")
  func firstFrameFails() throws {
    let video = try FakeTask { _, time in
      if time == 1 { throw Fault("first") }
      return nil
    }.video()
    #expect(failure { try video.send(try makeImage(), 1) }?.message == "first")
    #expect(try video.send(try makeImage(), 0).times == [0])
  }

  @Test("sessions of one task are independent of each other and of still images")
  func independence() throws {
    let task = try FakeTask()
    let (one, other, image) = (task.video(), task.video(), try makeImage())
    _ = try one.send(image, 10)
    #expect(try other.send(image, 3).times == [3])
    #expect(try task.output(for: image).times == [])
    #expect(try one.send(image, 11).times == [10, 11])
  }

  @Test("sessions of a stateful task have separate models")
  func variables() throws {
    let classifier = try ImageClassifier(.bytes(SmallModels.counter)) { $0.maxResults = 1 }
    let image = try InputImage(rgb: [0, 0, 0], width: 1, height: 1)
    let (one, other) = (classifier.video(), classifier.video())
    func score(_ video: VideoSession<ImageClassifier>, _ time: Int) throws -> Float? {
      try video.classification(of: image, at: .milliseconds(time)).categories.first?.score
    }
    #expect(try (1...3).map { try score(one, $0) } == [1, 2, 3])
    #expect(try (1...2).map { try score(other, $0) } == [1, 2])
    #expect(try score(one, 4) == 4)
  }

  @Test("a pipeline that cannot be created fails the task's creation")
  func failingCreation() {
    #expect(throws: TaskError.invalidModel("no model")) {
      _ = try TaskRunner<FakePipeline>(BaseOptions(model: .bytes([])), name: "fake") { _ in
        throw TaskError.invalidModel("no model")
      }
    }
  }

  @Test("all orientations are accepted", arguments: ImageOrientation.allCases)
  func orientations(_ orientation: ImageOrientation) throws {
    let task = try FakeTask { image, _ in
      guard image.orientation == orientation else { throw Fault("\(image.orientation)") }
      return nil
    }
    let image = try makeImage(orientation: orientation)
    #expect(try task.output(for: image).width == 1)
    #expect(try task.video().send(image, 0).times == [0])
  }

  // MARK: Threads

  @Test("eight threads on one task give the same results as sequential calls")
  func eightThreads() throws {
    let task = try FakeTask()
    let results = Record<FakePipeline.Output>()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for _ in 0..<100 {
        guard let image = try? makeImage(width: thread + 1), let result = try? task.output(for: image) else { continue }
        results.append(result)
      }
    }
    for width in 1...8 { #expect(results.values.count { $0.width == width } == 100) }
  }

  @Test("frames of a video are processed in timestamp order, from any thread")
  func videoOrder() throws {
    let seen = Record<Int>()
    let video = try FakeTask { _, time in
      seen.append(time ?? -1)
      return nil
    }.video()
    let image = try makeImage()
    let accepted = Record<Int>()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for step in 0..<100 {
        let time = step * 8 + thread
        if (try? video.send(image, time)) != nil { accepted.append(time) }
      }
    }
    #expect(seen.values == seen.values.sorted())
    #expect(Set(seen.values) == Set(accepted.values))
    #expect(seen.values.last == 799)
  }

  @Test("two tasks run concurrently, and images of one task do if the options allow it", arguments: [1, 2])
  func atOnce(taskCount: Int) throws {
    // Each call waits inside its pipeline until the other one is inside too.
    let gates = [Gate(), Gate()]
    let work: FakePipeline.Work = { image, _ in
      gates[image.width - 1].open()
      guard gates[2 - image.width].pass() else { throw Fault("alone") }
      return nil
    }
    let tasks = try (0..<taskCount).map { _ in try FakeTask(concurrency: 3 - taskCount, work) }
    let results = Record<FakePipeline.Output>()
    let done = DispatchGroup()
    for width in 1...2 {
      let (task, image) = (tasks[width % taskCount], try makeImage(width: width))
      // Separate threads, because a thread pool with a single thread could not run both.
      done.enter()
      Thread.detachNewThread {
        if let result = try? task.output(for: image) { results.append(result) }
        done.leave()
      }
    }
    #expect(done.wait(timeout: .now() + 120) == .success)
    #expect(results.values.map(\.width).sorted() == [1, 2])
  }
}

@Suite("Async calls", .timeLimit(.minutes(30)))
struct AsyncCallTests {
  @Test("don't block the threads of Swift tasks")
  func leavePoolAlone() async throws {
    let image = try makeImage()
    let arrivals = 4 * ProcessInfo.processInfo.activeProcessorCount
    let gate = Gate()
    let tasks = try (0..<arrivals).map { _ in
      try FakeTask { _, _ in
        guard gate.pass(seconds: 100) else { throw Fault("the gate stayed shut") }
        return nil
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in tasks {
        group.addTask { _ = try await task.runner.output(for: VisionInput(image), priority: .userInitiated) }
      }
      // This opens the gates only if it gets a thread while all calls wait.
      group.addTask {
        try await Task.sleep(for: .milliseconds(20))
        for _ in 0..<arrivals { gate.open() }
      }
      try await group.waitForAll()
    }
  }

  @Test("a call that is cancelled before it starts throws CancellationError and changes nothing")
  func cancellation() async throws {
    let image = try makeImage()
    let (gate, hasBegun, seen) = (Gate(), Gate(), Record<Int>())
    let video = try FakeTask { _, time in
      seen.append(time ?? -1)
      guard time == 1 else { return nil }
      hasBegun.open()
      gate.pass()
      return nil
    }.video()
    @Sendable func send(_ time: Int) async throws -> FakePipeline.Output {
      try await video.output(for: image, at: .milliseconds(time), priority: .userInitiated)
    }
    async let first = send(1)
    #expect(try await hasBegun.passAsync())
    let second = Task { try await send(50) }
    // Cancelled while it waits, or before it has started to wait.
    second.cancel()
    gate.open()
    #expect(try await first.times == [1])
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(try await send(2).times == [1, 2])
    #expect(seen.values == [1, 2])
  }

  @Test("a cancelled call whose work finishes anyway returns its output")
  func lateCancellation() async throws {
    let image = try makeImage()
    let (gate, hasBegun) = (Gate(), Gate())
    let task = try FakeTask { _, _ in
      hasBegun.open()
      gate.pass()
      return nil
    }
    let call = Task { try await task.runner.output(for: VisionInput(image), priority: .background) }
    #expect(try await hasBegun.passAsync())
    call.cancel()
    gate.open()
    #expect(try await call.value.width == 1)
  }

  @Test("the blocking and the async form can be called in an async function, and throw the same error")
  func forms() async throws {
    let task = try FakeTask { _, _ in throw TaskError(.invalidImage, "bad") }
    let image = try makeImage()
    let blocking = failure { try task.output(for: image) }
    let awaited = await #expect(throws: TaskError.self) {
      try await task.runner.output(for: VisionInput(image), priority: .high)
    }
    #expect(blocking == TaskError(.invalidImage, "bad") && awaited == blocking)
    let detector = try ObjectDetector(.bytes(SyntheticObjectModel.bytes))
    let objects = try SyntheticObjectModel.image()
    let one = try { () throws in try detector.objects(in: objects) }()
    #expect(try await detector.objects(in: objects, priority: .userInitiated) == one && one.count == 3)
  }
}
