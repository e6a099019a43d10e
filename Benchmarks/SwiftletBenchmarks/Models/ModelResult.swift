import SwiftletJSON
import SwiftletMeasurement

/// What one engine did with one model.
struct EngineResult {
  var times: Sample
  /// The lowest of the medians of all rounds, in milliseconds: other work on the machine disturbs it least.
  var bestRound: Double
  /// With the engine's own code and tables in its memory.
  var start: FreshStart
  /// What the model adds to the peak of resident memory of a process that has run another one, in bytes.
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

/// One model with one number of threads. Ratios are the peer's value over ours: above 1 we are faster, or smaller.
struct ModelResult {
  var name: String
  var kind: ArithmeticClass
  /// After everything that is fused or computed at load is gone.
  var operatorCount: Int
  var threads: Int
  var ours: EngineResult?
  var peer: EngineResult?
  /// The ratio of each round by itself.
  var ratioSpread: Sample?
  /// Why there is no peer.
  var peerFailure: String?

  /// A graph of a few operators is measured like any other, but says nothing about models and is left out of means.
  var isSingleOperator: Bool { operatorCount <= 2 || name.hasPrefix("ops/") }

  var ratio: Double? { value { $0.times.median } }
  var bestRoundRatio: Double? { value(\.bestRound) }
  var p10Ratio: Double? { value { $0.times.quantile(0.1) } }
  var startRatio: Double? { value { $0.start.total } }
  var memoryRatio: Double? { value { Double($0.memoryBytes) } }
  var freshMemoryRatio: Double? { value { Double($0.start.memoryBytes) } }

  private func value(_ part: (EngineResult) -> Double) -> Double? {
    guard let ours, let peer else { return nil }
    // Memory that did not grow at all counts as one page, the least that can be told.
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
