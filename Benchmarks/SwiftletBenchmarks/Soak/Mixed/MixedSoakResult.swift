import Foundation
import SwiftletJSON
import SwiftletMeasurement

/// What the mixed soak found: what the process had in the first tenth of the time against the last.
struct MixedSoakResult {
  /// One kind of work.
  struct Work {
    var name: String
    /// How long it took, by tenths of the run.
    var tenths: [LatencyHistogram]

    var count: Int { tenths.reduce(0) { $0 + $1.count } }
  }

  var threads: Int
  var seconds: Double
  /// In the order of time; empty on systems that do not tell.
  var samples: [ProcessUsage]
  var work: [Work]

  /// Below this, first and last tenth are a few seconds each: that says nothing.
  static let shortestJudged = 120.0
  var isJudged: Bool { seconds >= Self.shortestJudged }

  /// What may be different at the end.
  ///
  /// Memory: the allocator keeps free memory in arenas, and which thread uses which is chance. A leak of 100 bytes in
  /// each of the million pieces of work that half an hour has would be 100 MB. Descriptors: files that are open at the
  /// moment of a look, of which each thread has one at most for a moment. Threads: those of the system's pool, which
  /// come and go with the load. p90: on a busy machine a piece of work waits for its turn many times longer than it
  /// works, so that one kind alone wanders; what the library does to itself by growing lists or locks that are held
  /// longer shows in all kinds that share them, and in `all kinds`, which may only move half as far.
  private enum Allowed {
    static let memory = SteadyStateMetric.Tolerance(share: 0.05, amount: 8)
    static let descriptors = SteadyStateMetric.Tolerance(share: 0, amount: 4)
    static let threads = SteadyStateMetric.Tolerance(share: 0.1, amount: 4)
    static let oneKind = SteadyStateMetric.Tolerance(share: 0.5, amount: 1)
    static let allKinds = SteadyStateMetric.Tolerance(share: 0.25, amount: 0)
  }

  /// Memory in megabytes, descriptors and threads; then p90 in milliseconds of each kind of work and of all.
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

  /// What is not flat, by name; empty for a run that is too short to tell.
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
