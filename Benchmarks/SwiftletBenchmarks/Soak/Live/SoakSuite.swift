import Foundation
import SwiftletImageCodecs
import SwiftletMeasurement
import SwiftletTestSupport
import SwiftletVision

/// Sends thousands of frames through the live stream of every task, and calls tasks without a live stream as often.
/// Checks that results arrive in order and that memory doesn't grow.
struct SoakSuite {
  /// A task with a model and its input.
  struct Case {
    enum Work {
      /// Frames of several sizes in a live stream.
      case live(MeasuredTask)
      /// A stream of tracked objects.
      case objects
      /// Blocks of an audio stream.
      case sound
      /// A task without a live stream.
      case calls(MeasuredCall)
    }

    var work: Work
    var model: String
    var threads: Int

    var taskName: String {
      switch work {
      case .live(let task): task.name
      case .objects: "stream"
      case .sound: "stream-of-sound"
      case .calls(let task): task.name
      }
    }
    var name: String { "live \(taskName) \(model)" }
  }

  private let options: BenchmarkOptions
  private let files: TaskModelFiles

  init(_ options: BenchmarkOptions) throws {
    self.options = options
    files = try TaskModelFiles()
  }

  static func all(threads: [Int]) -> [Case] {
    guard TestData.isAvailable else { return [] }
    let works =
      MeasuredTask.all.map { (Case.Work.live($0), $0.models[0]) }
      + [(.objects, StreamOfFrames.model), (.sound, StreamOfSound.model)]
      + MeasuredCall.all.map { (.calls($0), $0.models[0]) }
    return threads.flatMap { threads in works.map { Case(work: $0.0, model: $0.1, threads: threads) } }
  }

  /// Runs one case.
  ///
  /// - Throws: `MeasurementFailure` if a frame fails, is lost, or its result arrives out of order.
  func measure(_ item: Case) throws -> SoakResult {
    do {
      let base = BaseOptions(
        model: .file(try files.path(item.model)), threads: item.threads, numerics: options.numerics,
        precision: options.precision)
      switch item.work {
      case .live(let task): return try soak(item, try task.make(base), try Self.images(task.imageFiles))
      case .objects:
        let (stream, images) = (try StreamOfFrames(localizer: base), try Self.images([StreamOfFrames.imageFiles[0]]))
        return try soak(item) { try stream.send(images[0]) }
      case .sound: return try soak(item, try StreamOfSound(base))
      case .calls(let task):
        let calls = try task.subjects.map { try task.make(base, $0.told) }
        var count = 0
        return try soak(item) {
          try calls[count % calls.count]()
          count += 1
        }
      }
    } catch let error as MeasurementFailure {
      throw error
    } catch {
      throw MeasurementFailure(file: item.name, reason: "\(error)")
    }
  }

  private static func images(_ imageFiles: [String]) throws -> [InputImage] {
    try imageFiles.map { InputImage(try ImageDecoder.decode(path: TestData.path("images/" + $0)).image) }
  }

  /// Runs calls that return their result directly, so that nothing is dropped.
  private func soak(_ item: Case, _ call: () throws -> Void) throws -> SoakResult {
    let start = ContinuousClock.now
    for _ in 0..<options.frames / 10 { try call() }
    let memory = ProcessMemory()
    for _ in options.frames / 10..<options.frames { try call() }
    return SoakResult(
      task: item.taskName, model: item.model, threads: item.threads, framesSent: options.frames, framesDropped: 0,
      resultCount: options.frames, memoryGrowth: memory.growth, seconds: milliseconds(since: start) / 1000)
  }

  /// Runs an audio stream, in which every window has a result. The stream's backlog is limited, so blocks wait for
  /// earlier ones.
  private func soak(_ item: Case, _ stream: StreamOfSound) throws -> SoakResult {
    let log = SoakLog()
    stream.onWindow { result in
      switch result {
      case .success(let time): log.add(Int(time / .milliseconds(1)))
      case .failure(let error): log.fail("\(error)")
      }
    }
    let start = ContinuousClock.now
    var memory = ProcessMemory()
    for block in 0..<options.frames {
      if block == options.frames / 10 { memory = ProcessMemory() }
      try stream.send()
      // Up to ten blocks wait at a time.
      if block % 10 == 9 || block == options.frames - 1 { try log.wait(for: { stream.windowCount }, name: item.name) }
    }
    return SoakResult(
      task: item.taskName, model: item.model, threads: item.threads, framesSent: options.frames, framesDropped: 0,
      resultCount: log.count, memoryGrowth: memory.growth, seconds: milliseconds(since: start) / 1000)
  }

  private func soak(
    _ item: Case, _ task: MeasuredForms, _ images: [InputImage]
  ) throws -> SoakResult {
    let log = SoakLog()
    let live = task.live { time, error in
      if let error { log.fail("frame at \(time): \(error)") } else { log.add(Int(time / .milliseconds(1))) }
    }
    var sent = 0
    func sendOne() throws {
      try live.send(images[sent % images.count], .milliseconds(sent))
      sent += 1
    }
    func run(to count: Int) throws {
      while sent < count {
        try sendOne()
        // Occasionally send more frames at once than the task can process; the surplus is dropped.
        if sent % 10 == 0 { while sent < count, sent % 10 < 3 { try sendOne() } }
        try log.wait(for: { sent - live.droppedFrameCount() }, name: item.name)
      }
    }
    let start = ContinuousClock.now
    try run(to: options.frames / 10)
    let memory = ProcessMemory()
    try run(to: options.frames)
    let growth = memory.growth
    return SoakResult(
      task: item.taskName, model: item.model, threads: item.threads, framesSent: sent,
      framesDropped: live.droppedFrameCount(),
      resultCount: log.count, memoryGrowth: growth, seconds: milliseconds(since: start) / 1000)
  }
}
