import SwiftletDrawing
import SwiftletVision

extension Canvas {
  /// Draws the points of a thing that can be seen, and lines between them.
  mutating func drawSkeleton(
    _ points: [NormalizedLandmark], _ connections: [LandmarkConnection], in image: InputImage, color: Color
  ) {
    let places = points.map { $0.isVisible ? $0.place(in: image) : nil }
    strokeEdges(connections.lazy.map { ($0.start, $0.end) }, between: places, lineWidth: lineWidth, color: color)
    fillDots(places, color: color)
  }

  /// Writes what a thing is above its points.
  mutating func drawCaption(_ text: String, above points: [NormalizedLandmark], in image: InputImage, plate: Color) {
    let places = points.compactMap { $0.place(in: image) }
    guard let left = places.map(\.x).min(), let top = places.map(\.y).min() else { return }
    drawCaption(text, x: left, y: top, plate: plate)
  }
}
