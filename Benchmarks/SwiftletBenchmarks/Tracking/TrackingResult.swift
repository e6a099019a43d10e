import Foundation
import SwiftletJSON
import SwiftletMeasurement
import SwiftletTrackingEvaluation

/// The result of the tracker on one sequence, or on all sequences of a scenario.
struct TrackingResult {
  var name: String
  /// The score, or `nil` without ground truth.
  var score: TrackingScore?
  /// The number of tracks that the tracker created.
  var trackCount: Int
  /// Whether a scenario's target is met, or `nil` if there is no target.
  var isTargetMet: Bool?
  /// The duration of updates, in microseconds.
  var cost: Sample

  static let header =
    "\(TextColumn.pad("sequence", 32))   MOTA   IDF1   HOTA  IDSW     FP     FN  Frag  tracks  first box  jitter   µs  target\n"

  var row: String {
    var line = TextColumn.pad(name, 32)
    if let score {
      line += String(
        format: " %6.4f %6.4f %6.4f %5d %6d %6d %5d", score.clear.mota, score.identity.f1, score.hota.hota,
        score.clear.identitySwitches,
        score.clear.falsePositives, score.clear.falseNegatives, score.clear.fragments)
    } else {
      line += String(repeating: " ", count: 45)
    }
    line += String(format: " %7d", trackCount)
    line += score?.product.timeToFirstBox.map { String(format: " %8.3f s", $0) } ?? "          –"
    line += score?.product.jitter.map { String(format: " %4.2f px", $0) } ?? "       –"
    line += String(format: " %4.1f", cost.median)
    return line + (isTargetMet.map { $0 ? "  reached" : "  MISSED" } ?? "") + "\n"
  }

  var json: JSONValue {
    .object([
      "name": .string(name), "tracks": .int(trackCount), "target_met": isTargetMet.map(JSONValue.bool) ?? .null,
      "metrics": score?.json ?? .null,
      "update_median_us": .double(cost.median), "update_p90_us": .double(cost.quantile(0.9)),
    ])
  }
}
