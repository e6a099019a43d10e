import Foundation
import SwiftletAudio
import SwiftletBase
import SwiftletDrawing
import SwiftletJSON
import SwiftletVision

/// The result of an image classifier.
struct ClassificationsResult: ImageResult {
  var path: String
  var classification: Classification
  /// The maximum number of categories per head in text output.
  var shownCount: Int

  var json: JSONValue { .object(["image": .string(path), "classifications": classification.json]) }

  var text: String { "\(path.sanitized):\n" + classification.text(shownCount: shownCount) }

  /// Draws a list of the best categories.
  func draw(on canvas: inout Canvas) {
    var lines: [Canvas.LegendEntry] = []
    let heads = classification.heads
    for (index, head) in heads.enumerated() {
      if heads.count > 1 { lines.append(Canvas.LegendEntry(name: HeadName.text(head.name, index))) }
      lines += head.categories.prefix(shownCount).map {
        Canvas.LegendEntry(name: $0.name, value: $0.scoreText(digits: 2))
      }
    }
    canvas.drawLegend(lines.isEmpty ? [Canvas.LegendEntry(name: "nothing")] : lines)
  }
}

/// The name of a model output.
enum HeadName {
  static func text(_ name: String?, _ index: Int) -> String {
    name.flatMap { $0.isEmpty ? nil : $0 } ?? "head \(index)"
  }
}

/// The embeddings of an image, one per model output.
struct EmbeddingsResult: ImageResult {
  var path: String
  var embedding: Embedding

  var json: JSONValue { .object(["image": .string(path), "embeddings": embedding.json]) }

  var text: String { "\(path.sanitized):\n" + embedding.text }

  /// Draws the name of each vector and its first values.
  func draw(on canvas: inout Canvas) {
    canvas.drawLegend(
      embedding.summary(3).flatMap {
        [Canvas.LegendEntry(name: $0.caption), Canvas.LegendEntry(name: $0.values)]
      })
  }
}

/// The results of an audio classifier, window by window, each computed on demand.
struct AudioClassificationsResult<Windows: Sequence>: PrintableResult
where Windows.Element == Result<AudioClassification.Window, TaskError> {
  var path: String
  var windows: Windows
  /// The maximum number of categories per window in text output.
  var shownCount: Int

  /// The results up to a window that fails.
  var json: JSONValue {
    .object([
      "audio": .string(path), "results": .array(windows.compactMap { try? $0.get() }.map(json)),
    ])
  }

  var text: String { header + windows.compactMap { try? $0.get() }.map(lines).joined() }

  private var header: String { "\(path.sanitized):\n" }

  /// Writes a line per window, and per head for a model with several heads; in JSON, an object per window. Nothing is
  /// written before the first window is complete, and a JSON document is closed if a later window fails.
  func write(_ form: OutputForm, to output: (String) throws -> Void) throws {
    let start = form == .text ? header : "{\"audio\":\(JSONValue.string(path).text),\"results\":["
    let end = form == .text ? "" : "]}"
    var isBegun = false
    for window in windows {
      switch window {
      case .success(let window):
        let separator = isBegun ? (form == .text ? "" : ",") : start
        try output(separator + (form == .text ? lines(window) : json(window).text))
        isBegun = true
      case .failure(let error):
        if isBegun { try output(end) }
        throw error
      }
    }
    try output((isBegun ? "" : start) + end)
  }

  private func json(_ window: AudioClassification.Window) -> JSONValue {
    .object([
      "timestamp_ms": .int(milliseconds(window.time)), "classifications": window.classification.json,
    ])
  }

  private func lines(_ window: AudioClassification.Window) -> String {
    let time = String(format: "%8.3f s", Double(milliseconds(window.time)) / 1000)
    let heads = window.classification.heads
    return heads.enumerated().map { index, head in
      let name = heads.count > 1 ? " \(HeadName.text(head.name, index).sanitized):" : ""
      let found = head.categories.prefix(shownCount).map { "\($0.scoreText(digits: 3)) \($0.name.sanitized)" }
      return "\(time) \(name) \(found.isEmpty ? "nothing" : found.joined(separator: ", "))\n"
    }.joined()
  }

  /// Integers, as in MediaPipe.
  private func milliseconds(_ time: Duration) -> Int { Int(time / .milliseconds(1)) }
}
