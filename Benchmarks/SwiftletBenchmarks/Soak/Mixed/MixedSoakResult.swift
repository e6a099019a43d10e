import Foundation
import SwiftletJSON
import SwiftletMeasurement

/// The result of the mixed soak test: the resource usage in the first tenth of the time compared with the last.
struct MixedSoakResult {
  /// The results of one kind of work.
  struct Work {
    var name: String
    /// The duration, by tenths of the run.
    var tenths: [LatencyHistogram]

    var count: Int { tenths.reduce(0) { $0 + $1.count } }
  }

  var threads: Int
  var seconds: Double
  /// The samples in chronological order; empty on systems that don't report resource usage.
  var samples: [ProcessUsage]
  var work: [Work]

  /// The minimum duration in seconds. In a shorter run, the first and last tenth are only a few seconds each, which is
  /// too short to judge.
  static let shortestJudged = 120.0
  var isJudged: Bool { seconds >= Self.shortestJudged }

  /// The tolerated differences at the end.
  ///
  /// - Memory: The allocator keeps free memory in arenas, and the assignment of threads to arenas is random. A leak of
  ///   100 bytes in each of the million pieces of work in half an hour would be 100 MB.
  /// - Descriptors: Files that are open at the moment of the sample; each thread has at most one, for a moment.
  /// - Threads: The threads of the system's pool, which come and go with the load.
  /// - p90: On a busy machine, a piece of work waits many times longer than it runs, so a single kind fluctuates.
  ///   Growing lists or longer lock times in the library would affect all kinds that share them, and `all kinds`, which
  ///   may only change half as much.
  private enum Allowed {
    static let memory = SteadyStateMetric.Tolerance(share: 0.05, amount: 8)
    static let descriptors = SteadyStateMetric.Tolerance(share: 0, amount: 4)
    static let threads = SteadyStateMetric.Tolerance(share: 0.1, amount: 4)
    static let oneKind = SteadyStateMetric.Tolerance(share: 0.5, amount: 1)
    static let allKinds = SteadyStateMetric.Tolerance(share: 0.25, amount: 0)
  }

  /// Memory in megabytes, descriptors, and threads; and p90 in milliseconds for each kind of work and for all kinds.
  var figures: (process: [SteadyStateMetric], latencies: [SteadyStateMetric]) {
    let process = [
      SteadyStateMetric(
        "resident memory, MB", samples.map { Double($0.residentBytes) / 1e6 }, tolerance: Allowed.memory),
      SteadyStateMetric("descriptors", samples.map { Double($0.descriptors) }, tolerance: Allowed.descriptors),
      SteadyStateMetric("threads", samples.map { Double($0.threads) }, tolerance: Allowed.threads),
    ].compactMap(\.self)
    var latencies: [SteadyStateMetric] = []
    for item in work {
      guard let first = item.tenths.first?.quantile(0.9), let last = item.tenths.last?.quantile(0.9) else { continue }
      latencies.append(SteadyStateMetric(item.name, first: first, last: last, tolerance: Allowed.oneKind))
    }
    if let first = geometricMean(latencies.map(\.first)), let last = geometricMean(latencies.map(\.last)) {
      latencies.append(
        SteadyStateMetric("all kinds (geometric mean)", first: first, last: last, tolerance: Allowed.allKinds))
    }
    return (process, latencies)
  }

  /// The names of metrics that increased; empty for a run that is too short to judge.
  var risen: [String] {
    guard isJudged else { return [] }
    return (figures.process + figures.latencies).filter { !$0.isFlat }.map(\.name)
  }

  var table: String {
    let count = work.reduce(0) { $0 + $1.count }
    var text =
      "\n\(threads) threads, \(count) pieces of work in \(String(format: "%.1f", seconds / 60)) minutes, \(samples.count) looks at the process\n\n"
    text += Self.line("", "first tenth", "last tenth", "at most", "")
    for figure in figures.process { text += Self.line(figure) }
    text += "\n" + Self.line("p90 in ms of", "", "", "", "done")
    for figure in figures.latencies {
      text += Self.line(figure, count: work.first { $0.name == figure.name }?.count)
    }
    for item in work where item.tenths.first?.count == 0 || item.tenths.last?.count == 0 {
      text += Self.line(item.name, "-", "-", "-", "\(item.count)")
    }
    if !isJudged {
      return text
        + "\nnot judged: first and last tenth say something from \(Int(Self.shortestJudged / 60)) minutes on\n"
    }
    return text + (risen.isEmpty ? "\nflat\n" : "\nnot flat: \(risen.joined(separator: "; "))\n")
  }

  private static func line(_ figure: SteadyStateMetric, count: Int? = nil) -> String {
    line(
      figure.name, String(format: "%.1f", figure.first), String(format: "%.1f", figure.last),
      String(format: "%.1f", figure.limit),
      count.map { "\($0)" } ?? "")
  }

  private static func line(_ name: String, _ cells: String...) -> String {
    let columns = cells.map { String(repeating: " ", count: max(1, 13 - $0.count)) + $0 }.joined()
    var text = TextColumn.pad(name, 30) + columns
    while text.last == " " { text.removeLast() }
    return text + "\n"
  }

  var json: JSONValue {
    func object(_ figure: SteadyStateMetric) -> JSONValue {
      .object([
        "name": .string(figure.name), "first_tenth": .double(figure.first), "last_tenth": .double(figure.last),
        "at_most": .double(figure.limit),
        "is_flat": .bool(figure.isFlat),
      ])
    }
    return .object([
      "threads": .int(threads), "seconds": .double(seconds), "is_judged": .bool(isJudged), "not_flat": .strings(risen),
      "process": .array(figures.process.map(object)), "p90_ms": .array(figures.latencies.map(object)),
      "work": .array(work.map { .object(["name": .string($0.name), "count": .int($0.count)]) }),
    ])
  }
}
