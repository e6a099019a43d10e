extension Canvas {
  /// A pixel of a picture, or one beyond its edge.
  package struct Place: Sendable, Hashable {
    /// From the left.
    package var x: Int
    /// From the top.
    package var y: Int

    /// A place in pixels.
    package init(x: Int, y: Int) {
      self.x = x
      self.y = y
    }
  }

  /// Draws lines between places.
  ///
  /// - Parameters:
  ///   - places: `nil` where a place is not known: no line begins or ends there.
  ///   - edges: numbers of places; those of places that are not there are left out.
  ///   - lineWidth: in pixels, as of ``strokeLine(fromX:fromY:toX:toY:lineWidth:color:)``.
  package mutating func strokeEdges(
    _ edges: some Sequence<(Int, Int)>, between places: [Place?], lineWidth: Int, color: Color
  ) {
    for (start, end) in edges where places.indices.contains(start) && places.indices.contains(end) {
      guard let from = places[start], let to = places[end] else { continue }
      strokeLine(fromX: from.x, fromY: from.y, toX: to.x, toY: to.y, lineWidth: lineWidth, color: color)
    }
  }

  /// Draws a dot with a white edge on each place that is known, of a size that stands out on the picture.
  package mutating func fillDots(_ places: [Place?], color: Color) {
    for place in places.compactMap(\.self) {
      fillDisc(centerX: place.x, centerY: place.y, radius: lineWidth + 1, color: .white)
      fillDisc(centerX: place.x, centerY: place.y, radius: lineWidth, color: color)
    }
  }
}
