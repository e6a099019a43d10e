import Foundation
import SwiftletAudio
import SwiftletDisplayText
import SwiftletJSON

/// What a classifier hears in a sound.
struct AudioClassificationsResult: PrintableResult {
  var path: String
  var windows: [ClassificationResult]
  /// How many categories of a window people are shown.
  var shownCount: Int

  var json: JSONValue {
    .object([
      "audio": .string(path),
      "results": .array(
        windows.map { window in
          .object([
            "timestamp_ms": .int(milliseconds(window.timestamp)),
            "classifications": .array(window.classifications.map(\.json)),
          ])
        }),
    ])
  }

  /// A line for each window, and for each head of a model with several.
  var text: String {
    var text = "\(path.shown):\n"
    for window in windows {
      let time = String(format: "%8.3f s", Double(milliseconds(window.timestamp)) / 1000)
      for head in window.classifications {
        let name = window.classifications.count > 1 ? " \(HeadName.text(head.headName, head.headIndex).shown):" : ""
        let found = head.categories.prefix(shownCount).map { "\($0.scoreText(digits: 3)) \($0.name.shown)" }
        text += "\(time) \(name) \(found.isEmpty ? "nothing" : found.joined(separator: ", "))\n"
      }
    }
    return text
  }

  /// Whole ones, as MediaPipe gives them.
  private func milliseconds(_ time: Duration) -> Int { Int(time / .milliseconds(1)) }
}
