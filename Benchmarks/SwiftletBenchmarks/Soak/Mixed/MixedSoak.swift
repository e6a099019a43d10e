import Foundation
import SwiftletMeasurement
import SwiftletTestSupport
import SwiftletBase

/// A soak test in which many threads create, use, resize, stop, and release tasks and sessions for a long time. It
/// checks that the process's resource usage stays constant.
///
/// The first twentieth of the time is a warm-up that isn't measured: pools fill, every thread creates its sessions, and
/// the allocator reaches its size.
struct MixedSoak {
  /// The times of one kind of work, by tenth of the run.
  private final class Times: Sendable {
    private let tenths = Mutex([LatencyHistogram](repeating: LatencyHistogram(), count: MixedSoak.partCount))

    var histograms: [LatencyHistogram] { tenths.withLock { $0 } }
    var isEmpty: Bool { tenths.withLock { tenths in tenths.allSatisfy { $0.count == 0 } } }

    func add(_ milliseconds: Double, part: Int) { tenths.withLock { $0[part].add(milliseconds: milliseconds) } }
  }

  /// The times of all kinds of work, and the first failure.
  private final class Log: Sendable {
    let times: [Times]
    private let failureText = Mutex<String?>(nil)
    private let isStopped = Atomic<Bool>(false)

    init(kindCount: Int) { times = (0..<kindCount).map { _ in Times() } }

    var isOver: Bool { isStopped.load(ordering: .relaxed) }
    var failure: String? { failureText.withLock { $0 } }
    /// Whether every kind of work has run at least once.
    var isComplete: Bool { times.allSatisfy { !$0.isEmpty } }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Ends the soak test. Only the first failure is reported.
    func fail(_ reason: String) {
      failureText.withLock { text in if text == nil { text = reason } }
      stop()
    }
  }

  static let partCount = 10

  let duration: Duration
  let threads: Int
  private let kinds: [any SoakWork.Type]
  private let material: SoakMaterial

  /// - Parameter isIncluded: A closure that returns whether the work with the given name runs.
  init(minutes: Double, threads: Int, folder: TemporaryFolder, isIncluded: (String) -> Bool) throws {
    duration = .seconds(minutes * 60)
    self.threads = threads
    material = try SoakMaterial(folder: folder)
    kinds = SoakWorkList.kinds(material).filter { isIncluded($0.name) }
  }

  /// Whether `isIncluded` selected any work.
  var hasWork: Bool { !kinds.isEmpty }

  /// Works until the time is over, or longer if a kind of work has not run yet.
  ///
  /// - Parameter tell: A closure that is called for each tenth with the current resource usage.
  /// - Throws: `MeasurementFailure` with the first failure.
  func run(tell: (Int, ProcessUsage?) -> Void) throws -> MixedSoakResult {
    let log = Log(kindCount: kinds.count)
    let clock = ContinuousClock()
    let start = clock.now + duration / 20
    let length = duration - duration / 20
    let group = DispatchGroup()
    for index in 0..<threads {
      group.enter()
      let (kinds, material) = (kinds, material)
      let thread = Thread {
        Self.work(kinds, material, thread: index, log: log, start: start, length: length)
        group.leave()
      }
      // Deep enough for unoptimized builds.
      thread.stackSize = 1 << 22
      thread.start()
    }
    let samples = Self.watch(log, start: start, length: length, tell: tell)
    log.stop()
    // Work that waits forever would keep the soak test from ending.
    let isEnded = group.wait(timeout: .now() + 120) == .success
    if let failure = log.failure { throw MeasurementFailure(file: "mixed soak", reason: failure) }
    guard isEnded else {
      throw MeasurementFailure(file: "mixed soak", reason: "a thread did not end within two minutes")
    }
    return MixedSoakResult(
      threads: threads, seconds: length / .seconds(1), samples: samples,
      work: kinds.enumerated().map { .init(name: $1.name, tenths: log.times[$0].histograms) })
  }

  /// Runs one thread: one kind of work after the other, in a random order.
  private static func work(
    _ kinds: [any SoakWork.Type], _ material: SoakMaterial, thread: Int, log: Log, start: ContinuousClock.Instant,
    length: Duration
  ) {
    var generator = SplitMix64(state: SoakMaterial.seed &+ UInt64(thread))
    var name = ""
    do {
      var works: [(index: Int, work: any SoakWork)] = []
      for (index, kind) in kinds.enumerated() {
        name = kind.name
        works.append((index, try kind.init(material, thread: thread)))
      }
      while !log.isOver {
        // Each kind runs once per round, so that rare and slow work runs as often as the rest.
        for (index, work) in works.shuffled(using: &generator) where !log.isOver {
          name = type(of: work).name
          let begin = ContinuousClock.now
          try work.step(&generator)
          if begin >= start {
            log.times[index].add(milliseconds(since: begin), part: part(at: begin, start: start, length: length))
          }
        }
      }
    } catch {
      log.fail("thread \(thread), \(name): \(error)")
    }
  }

  /// Returns the tenth of the run at a point in time.
  private static func part(at time: ContinuousClock.Instant, start: ContinuousClock.Instant, length: Duration) -> Int {
    min(partCount - 1, max(0, Int((time - start) / length * Double(partCount))))
  }

  /// Samples the process's resource usage until the time is over or a failure occurs.
  private static func watch(
    _ log: Log, start: ContinuousClock.Instant, length: Duration, tell: (Int, ProcessUsage?) -> Void
  ) -> [ProcessUsage] {
    // Reserve memory for all samples, because growth of this array would count as growth of the process.
    let interval = min(5, max(0.05, length / .seconds(200)))
    var samples: [ProcessUsage] = []
    samples.reserveCapacity(Int(length / .seconds(interval)) + 100)
    var told = -1
    while !log.isOver {
      Thread.sleep(forTimeInterval: interval)
      let now = ContinuousClock.now
      guard now >= start else { continue }
      let usage = ProcessUsage.now()
      if let usage { samples.append(usage) }
      if now >= start + length, log.isComplete { break }
      let part = part(at: now, start: start, length: length)
      if part > told {
        tell(part, usage)
        told = part
      }
    }
    return samples
  }
}
