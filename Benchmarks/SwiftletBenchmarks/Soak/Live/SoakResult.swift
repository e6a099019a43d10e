import Foundation
import SwiftletJSON

/// The result of a live stream over many frames.
struct SoakResult {
  var task: String
  var model: String
  var threads: Int
  var framesSent: Int
  var framesDropped: Int
  /// The number of results, in frame order.
  var resultCount: Int
  /// The increase of peak resident memory after the first tenth of the frames, in bytes.
  var memoryGrowth: Int
  var seconds: Double

  static let header = "\(TextColumn.pad("task, model", 72)) thr  frames results dropped  frames/s  growth in kB\n"

  var row: String {
    TextColumn.pad("\(task) \(model)", 72)
      + String(
        format: " %3d %7d %7d %7d %9.1f %13.1f\n", threads, framesSent, resultCount, framesDropped,
        Double(resultCount) / max(seconds, 1e-9), Double(memoryGrowth) / 1e3)
  }

  var json: JSONValue {
    .object([
      "task": .string(task), "model": .string(model), "threads": .int(threads), "frames": .int(framesSent),
      "results": .int(resultCount), "dropped": .int(framesDropped), "memory_growth_bytes": .int(memoryGrowth),
      "seconds": .double(seconds),
    ])
  }
}
