import Foundation
import SwiftletMeasurement

/// Formats model results as lines of text.
enum ModelTable {
  static let note =
    #"Times in ms, memory in MB, start is load plus first run. Ratios are LiteRT's value over ours: above 1 we are faster, or smaller; "of p10" compares the fastest tenth, which a busy machine disturbs least. Memory is what the model adds; fresh, the engine's own code with it."#

  static func header(hasPeer: Bool) -> String {
    let own =
      "\(TextColumn.pad("model", 46)) \(TextColumn.pad("class", 13)) thr    median       p10       p90     start  memory"
    return own + (hasPeer ? "    LiteRT  ratio  by round p10–p90  of p10  start  memory" : "") + "\n"
  }

  static func row(_ result: ModelResult) -> String {
    var line =
      "\(TextColumn.pad(result.name.replacingOccurrences(of: ".tflite", with: ""), 46)) \(TextColumn.pad(result.kind.rawValue, 13)) "
    guard let ours = result.ours else { return line + "\n" }
    line += String(
      format: "%3d %9.3f %9.3f %9.3f %9.2f %7.1f", result.threads, ours.times.median, ours.times.quantile(0.1),
      ours.times.quantile(0.9),
      ours.start.total, megabytes(ours))
    if let peer = result.peer, let ratio = result.ratio, let spread = result.ratioSpread, let best = result.p10Ratio,
      let start = result.startRatio, let memory = result.memoryRatio
    {
      line += String(
        format: " %9.3f %6.2f       %5.2f–%-5.2f %6.2f %6.2f  %6.2f", peer.times.median, ratio, spread.quantile(0.1),
        spread.quantile(0.9), best,
        start, memory)
    } else if let failure = result.peerFailure {
      line += "  LiteRT: \(failure)"
    }
    return line + "\n"
  }

  /// Returns the geometric means of the classes.
  static func summary(_ groups: [RatioGroup]) -> String {
    guard !groups.isEmpty else { return "" }
    var text =
      "\n\(TextColumn.pad("class", 14)) thr models   ratio  lowest                                                    start  memory  fresh\n"
    for group in groups {
      text +=
        "\(TextColumn.pad(group.name, 14)) "
        + String(format: "%3d %6d  %6.2f  %6.2f ", group.threads, group.count, group.mean, group.lowest)
      text +=
        TextColumn.pad(group.lowestName, 48)
        + String(format: " %6.2f  %6.2f %6.2f\n", group.startMean, group.memoryMean, group.freshMemoryMean)
    }
    return text
  }

  private static func megabytes(_ result: EngineResult) -> Double { Double(result.memoryBytes) / 1e6 }
}
