import Foundation
import SwiftletAudio
import SwiftletBase
import SwiftletDrawing
import SwiftletJSON
import SwiftletVision

/// What a classifier says of an image.
struct ClassificationsResult: ImageResult {
  var path: String
  var classification: Classification
  /// How many categories of a head people are shown.
  var shownCount: Int

  var json: JSONValue { .object(["image": .string(path), "classifications": classification.json]) }

  var text: String { "\(path.shown):\n" + classification.text(shownCount: shownCount) }

  /// A list of the best categories.
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

/// What an output of a model is called.
enum HeadName {
  static func text(_ name: String?, _ index: Int) -> String {
    name.flatMap { $0.isEmpty ? nil : $0 } ?? "head \(index)"
  }
}

/// The vectors of an image, one for each output of the model.
struct EmbeddingsResult: ImageResult {
  var path: String
  var embedding: Embedding

  var json: JSONValue { .object(["image": .string(path), "embeddings": embedding.json]) }

  var text: String { "\(path.shown):\n" + embedding.text }

  /// The name of each vector and the values it begins with.
  func draw(on canvas: inout Canvas) {
    canvas.drawLegend(
      embedding.summary(3).flatMap {
        [Canvas.LegendEntry(name: $0.caption), Canvas.LegendEntry(name: $0.values)]
      })
  }
}

/// What a classifier hears in a sound, window by window, each as it is asked for.
struct AudioClassificationsResult<Windows: Sequence>: PrintableResult
where Windows.Element == Result<AudioClassification.Window, TaskError> {
  var path: String
  var windows: Windows
  /// How many categories of a window people are shown.
  var shownCount: Int

  /// What there is of the sound, up to a window that fails.
  var json: JSONValue {
    .object([
      "audio": .string(path), "results": .array(windows.compactMap { try? $0.get() }.map(json)),
    ])
  }

  var text: String { header + windows.compactMap { try? $0.get() }.map(lines).joined() }

  private var header: String { "\(path.shown):\n" }

  /// A line for each window, and for each head of a model with several; in JSON an object for each window. Nothing is given
  /// before the first window is there, and what is begun of a document is ended if a later one fails.
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
      let name = heads.count > 1 ? " \(HeadName.text(head.name, index).shown):" : ""
      let found = head.categories.prefix(shownCount).map { "\($0.scoreText(digits: 3)) \($0.name.shown)" }
      return "\(time) \(name) \(found.isEmpty ? "nothing" : found.joined(separator: ", "))\n"
    }.joined()
  }

  /// Whole ones, as MediaPipe gives them.
  private func milliseconds(_ time: Duration) -> Int { Int(time / .milliseconds(1)) }
}
