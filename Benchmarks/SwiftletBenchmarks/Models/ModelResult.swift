import SwiftletJSON
import SwiftletMeasurement

/// The measurements of one engine with one model.
struct EngineResult {
  var times: Sample
  /// The lowest median of all rounds in milliseconds, which is disturbed least by other processes.
  var bestRound: Double
  /// The cold start, including the memory of the engine's own code and tables; `nil` if it wasn't measured.
  var start: FreshStart?
  /// The increase in peak resident memory that the model causes in a process that has run another model, in bytes.
  var memoryBytes: Int?

  init(_ runs: Alternation.Result, start: FreshStart? = nil, memoryBytes: Int? = nil) {
    times = runs.all
    bestRound = runs.rounds.min() ?? runs.all.median
    self.start = start
    self.memoryBytes = memoryBytes
  }

  var json: JSONValue {
    .object([
      "median_ms": .double(times.median), "p10_ms": .double(times.quantile(0.1)),
      "p90_ms": .double(times.quantile(0.9)), "best_round_ms": .double(bestRound), "runs": .int(times.count),
      "load_ms": .optional(start?.loadMilliseconds), "first_ms": .optional(start?.firstMilliseconds),
      "memory_bytes": .optional(memoryBytes), "fresh_memory_bytes": .optional(start?.memoryBytes),
    ])
  }
}

/// The measurements of a peer with one model. Ratios are the peer's value divided by Swiftlet's: above 1, Swiftlet is
/// faster or smaller.
struct PeerResult {
  let engine: PeerProcess.Engine
  private let ours: EngineResult?
  let theirs: EngineResult?
  /// The ratio of each round.
  let spread: Sample?
  /// The largest difference from Swiftlet's results, relative to the largest value of the same output.
  let difference: Double?
  /// The reason why there is no result.
  let failure: String?

  init(
    _ engine: PeerProcess.Engine, ours: EngineResult, theirs: EngineResult, spread: Sample, difference: Double?
  ) {
    self.engine = engine
    self.ours = ours
    self.theirs = theirs
    self.spread = spread
    self.difference = difference
    failure = nil
  }

  init(_ engine: PeerProcess.Engine, failure: String) {
    self.engine = engine
    ours = nil
    theirs = nil
    spread = nil
    difference = nil
    self.failure = failure
  }

  /// Whether the results differ by more than rounding explains. The peer may have done other work.
  var isDifferent: Bool { difference.map { $0 > 0.1 } ?? false }

  var ratio: Double? { value { $0.times.median } }
  var bestRoundRatio: Double? { value(\.bestRound) }
  var p10Ratio: Double? { value { $0.times.quantile(0.1) } }
  var startRatio: Double? { value { $0.start?.total } }
  var memoryRatio: Double? { value { $0.memoryBytes.map(Double.init) } }
  var freshMemoryRatio: Double? { value { ($0.start?.memoryBytes).map(Double.init) } }

  private func value(_ part: (EngineResult) -> Double?) -> Double? {
    guard let ours = ours.flatMap(part), let theirs = theirs.flatMap(part) else { return nil }
    // Count memory that did not grow as one page, the smallest measurable unit.
    return theirs / max(ours, 1e-6)
  }

  var json: JSONValue {
    .object([
      "name": .string(engine.name), "error": .optional(failure), "result": theirs.map(\.json) ?? .null,
      "difference": .optional(difference),
      "ratio": .optional(ratio), "round_ratio_p10": .optional(spread?.quantile(0.1)),
      "round_ratio_p90": .optional(spread?.quantile(0.9)), "p10_ratio": .optional(p10Ratio),
      "best_round_ratio": .optional(bestRoundRatio), "start_ratio": .optional(startRatio),
      "memory_ratio": .optional(memoryRatio), "fresh_memory_ratio": .optional(freshMemoryRatio),
    ])
  }
}

/// The measurements of one model with one number of threads.
struct ModelResult {
  var name: String
  var kind: ArithmeticClass
  /// The number of operators after fusion and constant folding.
  var operatorCount: Int
  var threads: Int
  /// The multiply-adds of the direct algorithms of all operators whose shapes are known before the run.
  var multiplyAdds: Int
  var ours: EngineResult?
  var peers: [PeerResult] = []
  /// The multiply-adds per millisecond that this many cores can do at most, with the arithmetic of the model's class.
  var peak: Double?

  /// Whether the graph has only a few operators. Such models are measured, but excluded from means, because they don't
  /// represent real models.
  var isSingleOperator: Bool { operatorCount <= 2 || name.hasPrefix("ops/") }

  /// The peer with the lowest median.
  var faster: PeerResult? { peers.filter { $0.ratio != nil }.min { ($0.ratio ?? 0) < ($1.ratio ?? 0) } }
  /// The speedup over the fastest peer.
  var ratio: Double? { faster?.ratio }
  /// The peer whose cold start and memory are measured.
  var first: PeerResult? { peers.first }

  /// The achieved share of the peak arithmetic, or `nil` without multiply-adds. An algorithm that saves multiplications
  /// can exceed 1.
  var shareOfPeak: Double? {
    guard let ours, let peak, multiplyAdds > 0 else { return nil }
    return Double(multiplyAdds) / (max(ours.times.quantile(0.1), 1e-9) * peak)
  }

  var json: JSONValue {
    .object([
      "model": .string(name), "class": .string(kind.rawValue), "operators": .int(operatorCount),
      "threads": .int(threads), "multiply_adds": .int(multiplyAdds), "share_of_peak": .optional(shareOfPeak),
      "swiftlet": ours.map(\.json) ?? .null,
      "peers": .object(peers.map { JSONValue.Member(key: $0.engine.rawValue, value: $0.json) }),
      "faster_peer": .optional(faster?.engine.rawValue), "ratio": .optional(ratio),
    ])
  }
}
