import Foundation
import SwiftletMeasurement

/// Formats model results as lines of text.
enum ModelTable {
  static let note =
    #"Times in ms, memory in MB, start is load plus first run. Ratios are the peer's value over ours: above 1 we are faster, or smaller. "faster" is the fastest of the peers, with its ratio in single rounds, and of the fastest tenths, which a busy machine disturbs least. ≠ marks a peer whose results differ from ours by more than a tenth of the largest value. Start and memory are compared with the first peer. Memory is what the model adds; fresh, the engine's own code with it. "of peak" is the model's multiply-adds in the fastest tenth of the runs, as a share of what the cores can do."#

  private static let nameWidth = 46
  private static let classWidth = 13
  /// The width of "not supported".
  private static let peerWidth = 13

  static func header(_ peers: [PeerProcess.Engine]) -> String {
    var line =
      "\(TextColumn.pad("model", nameWidth)) \(TextColumn.pad("class", classWidth)) thr    median       p10       p90     start  memory of peak"
    for peer in peers { line += "  " + TextColumn.pad(peer.name, peerWidth) }
    return line + (peers.isEmpty ? "" : "  faster     ratio  by round p10–p90  of p10  start  memory") + "\n"
  }

  static func row(_ result: ModelResult) -> String {
    var line =
      "\(TextColumn.pad(shortened(result.name), nameWidth)) \(TextColumn.pad(result.kind.rawValue, classWidth)) "
    guard let ours = result.ours else { return line + "\n" }
    line += String(
      format: "%3d %9.3f %9.3f %9.3f %9.2f %7.1f", result.threads, ours.times.median, ours.times.quantile(0.1),
      ours.times.quantile(0.9), ours.start?.total ?? 0, Double(ours.memoryBytes ?? 0) / 1e6)
    line += result.shareOfPeak.map { String(format: " %5.0f %%", $0 * 100) } ?? "       –"
    for peer in result.peers {
      line += "  " + TextColumn.pad(cell(peer), peerWidth)
    }
    if let faster = result.faster, let ratio = faster.ratio, let best = faster.p10Ratio, let spread = faster.spread {
      line += "  " + TextColumn.pad(faster.engine.name, 8)
      line += String(
        format: " %7.2f       %5.2f–%-5.2f %7.2f", ratio, spread.quantile(0.1), spread.quantile(0.9), best)
    }
    if let start = result.first?.startRatio, let memory = result.first?.memoryRatio {
      line += String(format: " %6.2f  %6.2f", start, memory)
    }
    for peer in result.peers { if let failure = peer.failure { line += "  \(peer.engine.name): \(failure)" } }
    return line + "\n"
  }

  /// Returns the models that a peer runs faster, slowest first; empty if there are none.
  static func losses(_ results: [ModelResult]) -> String {
    let losses = results.flatMap { result in
      result.peers.compactMap { peer in peer.ratio.map { (result: result, peer: peer, ratio: $0) } }
    }.filter { $0.ratio < 1 }.sorted { $0.ratio < $1.ratio }
    guard !losses.isEmpty else { return "" }
    var text =
      "\n\(TextColumn.pad("slower than a peer", nameWidth)) thr        ms  peer             ms  ratio  of p10\n"
    for (result, peer, ratio) in losses {
      text += TextColumn.pad(shortened(result.name), nameWidth)
      text += String(format: " %3d %9.3f  ", result.threads, result.ours?.times.median ?? 0)
      text += TextColumn.pad(peer.engine.name, 8)
      text += String(format: " %9.3f %6.2f  %6.2f", peer.theirs?.times.median ?? 0, ratio, peer.p10Ratio ?? 0)
      text += peer.isDifferent ? " ≠\n" : "\n"
    }
    return text
  }

  /// Returns the geometric means of the classes.
  static func summary(_ groups: [RatioGroup]) -> String {
    guard let peers = groups.first?.peers else { return "" }
    var text =
      "\n\(TextColumn.pad("class", 14)) thr models   ratio  lowest                                                    start  memory  fresh"
    for peer in peers { text += "  " + TextColumn.pad(peer.engine.name, peerWidth) }
    text += "\n"
    for group in groups {
      text +=
        "\(TextColumn.pad(group.name, 14)) "
        + String(format: "%3d %6d  %6.2f  %6.2f ", group.threads, group.count, group.mean, group.lowest)
      text += TextColumn.pad(group.lowestName, 48)
      for (mean, gap) in [(group.startMean, " "), (group.memoryMean, "  "), (group.freshMemoryMean, " ")] {
        text += gap + (mean.map { String(format: "%6.2f", $0) } ?? "     –")
      }
      for peer in group.peers {
        text +=
          "  " + TextColumn.pad(peer.mean.map { String(format: "%.2f of %d", $0, peer.count) } ?? "–", peerWidth)
      }
      text += "\n"
    }
    return text
  }

  private static func cell(_ peer: PeerResult) -> String {
    guard let ratio = peer.ratio else { return "not supported" }
    return String(format: "%.2f", ratio) + (peer.isDifferent ? " ≠" : "")
  }

  private static func shortened(_ name: String) -> String { name.replacingOccurrences(of: ".tflite", with: "") }
}
