import Foundation
import SwiftletJSON
import SwiftletDrawing
import SwiftletImage
import SwiftletBase
import SwiftletVision

/// The segmentation of an image.
struct SegmentationResult: ImageResult {
  /// The value of pixels outside the class, in a mask of a model with a single class.
  private static let unlabeled: UInt8 = 255

  let path: String
  let image: InputImage
  let labels: [String]
  /// The category of every pixel of the upright image, row by row.
  let categories: [UInt8]
  let maskWidth: Int
  let maskHeight: Int
  let qualityScores: [Float]
  /// The number of pixels per category, in category order; only categories that occur.
  let counts: [(category: UInt8, pixels: Int)]
  /// The user's marks, if any.
  let marks: InteractiveRegion?

  init(
    path: String, image: InputImage, labels: [String], mask: CategoryMask, qualityScores: [Float],
    marks: InteractiveRegion? = nil
  ) {
    self.marks = marks
    self.path = path
    self.image = image
    self.labels = labels
    categories = mask.pixels
    maskWidth = mask.width
    maskHeight = mask.height
    self.qualityScores = qualityScores
    var pixels = [Int](repeating: 0, count: 256)
    for category in categories { pixels[Int(category)] += 1 }
    counts = (0...UInt8.max).filter { pixels[Int($0)] > 0 }.map { ($0, pixels[Int($0)]) }
  }

  var json: JSONValue {
    .object([
      "image": .string(path), "width": .int(image.width), "height": .int(image.height), "labels": .strings(labels),
      "mask_width": .int(maskWidth), "mask_height": .int(maskHeight),
      "category_counts": .object(counts.map { JSONValue.Member(key: "\($0.category)", value: .int($0.pixels)) }),
      "quality_scores": .floats(qualityScores),
    ])
  }

  var text: String {
    "\(path.sanitized): \(maskWidth)×\(maskHeight)\n"
      + largestFirst.map { "  \(share($0.pixels)) \(name($0.category).sanitized)\n" }.joined()
  }

  /// Draws an overlay for every class but the background, a dot for each of the user's points, and a legend.
  func draw(on canvas: inout Canvas) throws {
    func color(_ category: UInt8) -> Canvas.Color? { isBackground(category) ? nil : .distinct(Int(category)) }
    try canvas.tint(storedCategories, opacity: 0.5, color: color)
    canvas.fillDots((marks?.points ?? []).map { $0.place(in: image) }, color: .black)
    canvas.drawLegend(
      largestFirst.map {
        Canvas.LegendEntry(swatch: color($0.category), name: name($0.category), value: share($0.pixels))
      })
  }

  private var largestFirst: [(category: UInt8, pixels: Int)] {
    counts.sorted { $0.pixels > $1.pixels || $0.pixels == $1.pixels && $0.category < $1.category }
  }

  private func share(_ pixels: Int) -> String {
    String(format: "%.1f%%", 100 * Double(pixels) / Double(max(1, categories.count)))
  }

  /// Returns the name of a class, even if it has no label.
  private func name(_ category: UInt8) -> String {
    if Int(category) < labels.count, !labels[Int(category)].isEmpty { return labels[Int(category)] }
    if isBackground(category) { return "background" }
    // There is one quality score per class.
    return qualityScores.count == 1 ? "foreground" : "class \(category)"
  }

  private func isBackground(_ category: UInt8) -> Bool {
    guard Int(category) < labels.count else { return category == Self.unlabeled }
    return labels[Int(category)].lowercased() == "background"
  }

  /// The category of every pixel of the stored image: the mask of the upright image, rotated and scaled to the stored
  /// size.
  private var storedCategories: [UInt8] {
    if image.orientation == .up, maskWidth == image.width, maskHeight == image.height { return categories }
    let upright = image.orientation.storedToUpright
    var stored: [UInt8] = []
    stored.reserveCapacity(image.width * image.height)
    for row in 0..<image.height {
      for column in 0..<image.width {
        let place = upright(
          NormalizedPoint(
            x: (Float(column) + 0.5) / Float(image.width), y: (Float(row) + 0.5) / Float(image.height)))
        let maskColumn = min(max(Int(place.x * Float(maskWidth)), 0), maskWidth - 1)
        let maskRow = min(max(Int(place.y * Float(maskHeight)), 0), maskHeight - 1)
        stored.append(categories[maskRow * maskWidth + maskColumn])
      }
    }
    return stored
  }
}
