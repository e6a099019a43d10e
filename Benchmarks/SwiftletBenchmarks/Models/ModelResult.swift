import SwiftletJSON
import SwiftletMeasurement

/// The measurements of one engine with one model.
struct EngineResult {
  var times: Sample
  /// The lowest median of all rounds in milliseconds, which is disturbed least by other processes.
  var bestRound: Double
  /// The cold start, including the memory of the engine's own code and tables.
  var start: FreshStart
  /// The increase in peak resident memory that the model causes in a process that has run another model, in bytes.
  var memoryBytes: Int

  init(_ runs: Alternation.Result, start: FreshStart, memoryBytes: Int) {
    times = runs.all
    bestRound = runs.rounds.min() ?? runs.all.median
    self.start = start
    self.memoryBytes = memoryBytes
  }

  var json: JSONValue {
    .object([
      "median_ms": .double(times.median), "p10_ms": .double(times.quantile(0.1)),
      "p90_ms": .double(times.quantile(0.9)),
      "best_round_ms": .double(bestRound), "runs": .int(times.count), "load_ms": .double(start.loadMilliseconds),
      "first_ms": .double(start.firstMilliseconds),
      "memory_bytes": .int(memoryBytes), "fresh_memory_bytes": .int(start.memoryBytes),
    ])
  }
}

/// The measurements of one model with one number of threads. Ratios are the peer's value divided by Swiftlet's: above
/// 1, Swiftlet is faster or smaller.
struct ModelResult {
  var name: String
  var kind: ArithmeticClass
  /// The number of operators after fusion and constant folding.
  var operatorCount: Int
  var threads: Int
  var ours: EngineResult?
  var peer: EngineResult?
  /// The ratio of each round.
  var ratioSpread: Sample?
  /// The reason why there is no peer result.
  var peerFailure: String?

  /// Whether the graph has only a few operators. Such models are measured, but excluded from means, because they don't
  /// represent real models.
  var isSingleOperator: Bool { operatorCount <= 2 || name.hasPrefix("ops/") }

  var ratio: Double? { value { $0.times.median } }
  var bestRoundRatio: Double? { value(\.bestRound) }
  var p10Ratio: Double? { value { $0.times.quantile(0.1) } }
  var startRatio: Double? { value { $0.start.total } }
  var memoryRatio: Double? { value { Double($0.memoryBytes) } }
  var freshMemoryRatio: Double? { value { Double($0.start.memoryBytes) } }

  private func value(_ part: (EngineResult) -> Double) -> Double? {
    guard let ours, let peer else { return nil }
    // Count memory that did not grow as one page, the smallest measurable unit.
    return part(peer) / max(part(ours), 1e-6)
  }

  var json: JSONValue {
    .object([
      "model": .string(name), "class": .string(kind.rawValue), "operators": .int(operatorCount),
      "threads": .int(threads),
      "swiftlet": ours.map(\.json) ?? .null, "peer": peer.map(\.json) ?? .null, "peer_error": .optional(peerFailure),
      "ratio": .optional(ratio), "round_ratio_p10": .optional(ratioSpread?.quantile(0.1)),
      "round_ratio_p90": .optional(ratioSpread?.quantile(0.9)), "p10_ratio": .optional(p10Ratio),
      "best_round_ratio": .optional(bestRoundRatio),
      "start_ratio": .optional(startRatio),
      "memory_ratio": .optional(memoryRatio), "fresh_memory_ratio": .optional(freshMemoryRatio),
    ])
  }
}
