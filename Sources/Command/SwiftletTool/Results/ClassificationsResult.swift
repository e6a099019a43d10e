import SwiftletJSON
import SwiftletDrawing
import SwiftletBase
import SwiftletVision

/// What a classifier says of a picture.
struct ClassificationsResult: PictureResult {
  var path: String
  var heads: [Classifications]
  /// How many categories of a head people are shown.
  var shownCount: Int

  var json: JSONValue { .object(["image": .string(path), "classifications": heads.json]) }

  var text: String { "\(path.shown):\n" + heads.text(shownCount: shownCount) }

  /// A list of the best categories.
  func draw(on canvas: inout Canvas) {
    var lines: [Canvas.LegendEntry] = []
    for head in heads {
      if heads.count > 1 { lines.append(Canvas.LegendEntry(name: HeadName.text(head.headName, head.headIndex))) }
      lines += head.categories.prefix(shownCount).map {
        Canvas.LegendEntry(name: $0.name, value: $0.scoreText(digits: 2))
      }
    }
    canvas.drawLegend(lines.isEmpty ? [Canvas.LegendEntry(name: "nothing")] : lines)
  }
}

extension Classifications {
  /// The form of a head in `--json`.
  var json: JSONValue {
    .object([
      "head_index": .int(headIndex), "head_name": .optional(headName), "categories": .array(categories.map(\.json)),
    ])
  }
}

/// What an output of a model is called.
enum HeadName {
  static func text(_ name: String?, _ index: Int) -> String {
    name.flatMap { $0.isEmpty ? nil : $0 } ?? "head \(index)"
  }
}
