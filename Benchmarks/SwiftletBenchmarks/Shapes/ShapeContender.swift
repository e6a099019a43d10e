import SwiftletMeasurement

/// A model whose long runs on one thread are measured in CPU time.
///
/// While other processes run, no run that is longer than a time slice of the scheduler is undisturbed, so its fastest
/// runs would say nothing about the code.
final class ShapeContender: Contender {
  private let model: MeasuredModel
  private let threads: Int

  /// The time in milliseconds from which the CPU time counts. It is shorter than a time slice, and much longer than
  /// reading the CPU time takes.
  private static let longRun = 1.0

  init(_ model: MeasuredModel, threads: Int) {
    self.model = model
    self.threads = threads
  }

  func run(warmup: Int, count: Int) throws -> [Double] {
    for _ in 0..<warmup { _ = try model.run() }
    var isLong = threads == 1 && model.first > Self.longRun
    let times = try (0..<count).map { _ in
      let start = isLong ? ProcessorTime.spent() : 0
      let time = try model.run()
      defer { isLong = threads == 1 && time > Self.longRun }
      return isLong ? min(time, ProcessorTime.spent() - start) : time
    }
    ProcessorTime.waitUntilIdle()
    return times
  }
}
