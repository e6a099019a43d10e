import SwiftletJSON
import SwiftletDrawing
import SwiftletBase
import SwiftletVision

/// What a classifier says of a picture.
struct ClassificationsResult: PictureResult {
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
