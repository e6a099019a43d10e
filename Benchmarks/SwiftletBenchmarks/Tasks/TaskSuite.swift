import SwiftletImageCodecs
import SwiftletMeasurement
import SwiftletTestSupport
import SwiftletTracking
import SwiftletVision

/// Measures tasks from a decoded image, a text, or samples to the result, alone or alternating with MediaPipe.
final class TaskSuite {
  private let options: BenchmarkOptions
  private let files: TaskModelFiles
  private let peaks: MachinePeaks
  private var peer: PeerProcess?

  init(_ options: BenchmarkOptions, peaks: MachinePeaks) throws {
    self.options = options
    self.peaks = peaks
    files = try TaskModelFiles()
    peer = try options.python.map { try PeerProcess(.mediaPipe, python: $0) }
  }

  var peerVersion: String? { peer?.version }

  /// Measures one task.
  ///
  /// - Throws: `MeasurementFailure` if Swiftlet cannot run the task. A failure of the peer is part of the result.
  func measure(_ item: TaskCase) throws -> TaskResult {
    let contender: TaskContender
    do {
      contender = try self.contender(item)
    } catch {
      throw MeasurementFailure(file: item.name, reason: "\(error)")
    }
    let alternation = Alternation(seconds: options.seconds)
    do {
      if let python = options.python {
        let peer = try peer ?? PeerProcess(.mediaPipe, python: python)
        self.peer = peer
        _ = try peer.load(
          task: item.task, model: try files.path(item.model), picture: item.subject,
          scoreThreshold: MeasuredTask.scoreThreshold, maxResults: MeasuredTask.maxResults)
        let both = try alternation.measure([contender, peer])
        return TaskResult(item, ours: both[0].all, models: try contender.models(peaks), peer: both[1].all)
      }
    } catch let error as PeerFailure {
      peer = nil
      return TaskResult(
        item, ours: try alternation.measure([contender])[0].all, models: try contender.models(peaks),
        peerFailure: error.description)
    }
    return TaskResult(
      item, ours: try alternation.measure([contender])[0].all, models: try contender.models(peaks))
  }

  private func contender(_ item: TaskCase) throws -> TaskContender {
    let base = BaseOptions(
      model: .file(try files.path(item.model)), threads: item.threads, numerics: options.numerics,
      precision: options.precision)
    if case .calls(let task, let subject) = item.work { return TaskContender(try task.make(base, subject.told)) }
    let image = InputImage(try ImageDecoder.decode(path: item.subject).image)
    switch item.work {
    case .images(let task):
      let forms = try task.make(base)
      return TaskContender { try forms.image(image) }
    case .tracking(let task):
      let video = try task.make(base).video()
      var frame = 0
      return TaskContender {
        try video(image, .milliseconds(33 * frame))
        frame += 1
      }
    case .stream, .calls:
      let stream = try StreamOfFrames(localizer: base)
      return TaskContender { try stream.send(image) }
    }
  }
}

/// A Swiftlet task on one image, text, or audio clip.
private final class TaskContender: Contender {
  private let once: () throws -> Void

  init(_ once: @escaping () throws -> Void) { self.once = once }

  /// Returns what the models take of more calls.
  func models(_ peaks: MachinePeaks) throws -> TaskModelWork? { try TaskModelWork(peaks: peaks, once) }

  func run(warmup: Int, count: Int) throws -> [Double] {
    for _ in 0..<warmup { try once() }
    let times = try (0..<count).map { _ in
      let start = ContinuousClock.now
      try once()
      return milliseconds(since: start)
    }
    ProcessorTime.waitUntilIdle()
    return times
  }
}
