import Foundation
import SwiftletJSON
import SwiftletMeasurement

/// The measurements of a task on one image with one number of threads. Times are in milliseconds.
struct TaskResult {
  let item: TaskCase
  let ours: Sample
  let peer: Sample?
  let peerFailure: String?
  /// What the models of a call take, or `nil` if they run on other threads.
  let models: TaskModelWork?

  init(
    _ item: TaskCase, ours: Sample, models: TaskModelWork?, peer: Sample? = nil, peerFailure: String? = nil
  ) {
    self.item = item
    self.ours = ours
    self.models = models
    self.peer = peer
    self.peerFailure = peerFailure
  }

  /// The speedup: the peer's median divided by Swiftlet's.
  var ratio: Double? { peer.map { $0.median / max(ours.median, 1e-9) } }

  /// The speedup at the tenth percentile, which other processes disturb least.
  var p10Ratio: Double? { peer.map { $0.quantile(0.1) / max(ours.quantile(0.1), 1e-9) } }

  /// The speedup if the multiply-adds of the models ran at the peak of arithmetic and nothing else changed. Only a kernel
  /// that needs fewer multiply-adds can exceed it.
  var peakRatio: Double? {
    guard let peer, let models, let atPeak = models.millisecondsAtPeak else { return nil }
    return peer.median / max(ours.median * (1 - models.share) + atPeak, 1e-9)
  }

  static func header(hasPeer: Bool) -> String {
    "\(TextColumn.pad("task, model, input", 72)) thr    median       p10       p90"
      + (hasPeer ? " MediaPipe  ratio of p10" : "") + "\n"
  }

  var row: String {
    var line = TextColumn.pad(item.name.replacingOccurrences(of: ".tflite", with: ""), 72)
    line += String(format: " %3d %9.3f %9.3f %9.3f", item.threads, ours.median, ours.quantile(0.1), ours.quantile(0.9))
    if let peer, let ratio, let p10Ratio {
      line += String(format: " %9.3f %6.2f %6.2f", peer.median, ratio, p10Ratio)
    } else if let peerFailure {
      line += "  MediaPipe: \(peerFailure)"
    }
    return line + "\n"
  }

  /// Returns the geometric mean and the minimum of each task's ratios; empty if there are none.
  static func summary(_ results: [TaskResult]) -> String {
    let tasks = results.map(\.item.task).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let lines = tasks.compactMap { task -> String? in
      let ratios = results.filter { $0.item.task == task }.compactMap(\.ratio)
      let best = results.filter { $0.item.task == task }.compactMap(\.p10Ratio)
      guard let mean = geometricMean(ratios), let lowest = ratios.min(), let lowestBest = best.min() else { return nil }
      return "\(TextColumn.pad(task, 18)) "
        + String(format: "%6.2f  %6.2f         %6.2f\n", mean, lowest, lowestBest)
    }
    return lines.isEmpty ? "" : "\n\(TextColumn.pad("task", 18))  ratio  lowest  lowest of p10\n" + lines.joined()
  }

  var json: JSONValue {
    .object([
      "task": .string(item.task), "model": .string(item.model), "picture": .string(item.input),
      "threads": .int(item.threads),
      "median_ms": .double(ours.median), "p10_ms": .double(ours.quantile(0.1)), "p90_ms": .double(ours.quantile(0.9)),
      "peer_median_ms": .optional(peer?.median), "ratio": .optional(ratio), "p10_ratio": .optional(p10Ratio),
      "peer_error": .optional(peerFailure), "model_share": .optional(models?.share),
      "models_at_peak_ms": .optional(models?.millisecondsAtPeak), "peak_ratio": .optional(peakRatio),
    ])
  }
}
