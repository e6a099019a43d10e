import Foundation
import SwiftletImageCodecs
import SwiftletMeasurement
import SwiftletTestSupport
import SwiftletVision

/// Sends thousands of frames through the live stream of every task, and sees whether results come in order and memory
/// stays what it was.
struct SoakSuite {
  /// A task with a model, and frames of several sizes.
  struct Case {
    /// `nil` for a stream of followed objects.
    var task: MeasuredTask?
    var model: String
    var pictures: [String]
    var threads: Int

    var taskName: String { task?.name ?? "stream" }
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
    return threads.flatMap { threads in
      MeasuredTask.all.map { task in
        Case(task: task, model: task.models[0], pictures: task.pictures, threads: threads)
      } + [Case(task: nil, model: StreamOfFrames.model, pictures: [StreamOfFrames.pictures[0]], threads: threads)]
    }
  }

  /// - Throws: `MeasurementFailure` when a frame fails, is lost, or its result comes out of order.
  func measure(_ item: Case) throws -> SoakResult {
    do {
      let frames = try item.pictures.map { MPImage(try ImageDecoder.decode(path: TestData.path("images/" + $0)).image) }
      let base = BaseOptions(
        model: .file(try files.path(item.model)), threads: item.threads, numerics: options.numerics,
        precision: options.precision)
      guard let task = item.task else { return try soak(item, StreamOfFrames(localizer: base), frames) }
      return try soak(item, try task.make(base, .liveStream), frames)
    } catch let error as MeasurementFailure {
      throw error
    } catch {
      throw MeasurementFailure(file: item.name, reason: "\(error)")
    }
  }

  /// Every frame of such a stream is answered within its call, so none is dropped.
  private func soak(_ item: Case, _ stream: StreamOfFrames, _ images: [MPImage]) throws -> SoakResult {
    let start = ContinuousClock.now
    for frame in 0..<options.frames / 10 { try stream.send(images[frame % images.count]) }
    let memory = ProcessMemory()
    for frame in options.frames / 10..<options.frames { try stream.send(images[frame % images.count]) }
    return SoakResult(
      task: item.taskName, model: item.model, threads: item.threads, framesSent: options.frames, framesDropped: 0,
      resultCount: options.frames, memoryGrowth: memory.growth, seconds: milliseconds(since: start) / 1000)
  }

  private func soak(
    _ item: Case, _ task: some VisionTask, _ images: [MPImage]
  ) throws -> SoakResult {
    let log = SoakLog()
    task.setLiveHandler { result, timestamp in
      switch result {
      case .success: log.add(Int(timestamp / .milliseconds(1)))
      case .failure(let error): log.fail("frame at \(timestamp): \(error)")
      }
    }
    var sent = 0
    func sendOne() throws {
      try task.send(images[sent % images.count], at: .milliseconds(sent))
      sent += 1
    }
    func run(to count: Int) throws {
      while sent < count {
        try sendOne()
        // Now and then more at once than the task can work on: those are dropped.
        if sent % 10 == 0 { while sent < count, sent % 10 < 3 { try sendOne() } }
        try log.wait(for: { sent - task.droppedFrameCount }, name: item.name)
      }
    }
    let start = ContinuousClock.now
    try run(to: options.frames / 10)
    let memory = ProcessMemory()
    try run(to: options.frames)
    let growth = memory.growth
    return SoakResult(
      task: item.taskName, model: item.model, threads: item.threads, framesSent: sent,
      framesDropped: task.droppedFrameCount,
      resultCount: log.count, memoryGrowth: growth, seconds: milliseconds(since: start) / 1000)
  }
}
