public import SwiftletImage
import SwiftletTasks

/// The region that a user points at in an image, for an ``InteractiveSegmenter``.
///
/// Positions are relative to the stored image. They may be outside the image; the part of a mark that is outside is
/// clipped.
public enum InteractiveRegion: Sendable, Hashable {
  /// One point on the object.
  case point(NormalizedPoint)
  /// The points of a line drawn on the object. They are not connected, so they should be close together.
  case scribble([NormalizedPoint])

  /// The positions of the marks.
  package var points: [NormalizedPoint] {
    switch self {
    case .point(let point): [point]
    case .scribble(let points): points
    }
  }

  /// Checks the points.
  ///
  /// - Throws: `TaskError` (`invalidRegion`) if there are no points, or a point is not finite.
  func validate() throws(TaskError) {
    guard !points.isEmpty else {
      throw TaskError(.invalidRegion, "the scribble has no points; it must have at least one")
    }
    guard let index = points.firstIndex(where: { !$0.x.isFinite || !$0.y.isFinite }) else { return }
    throw TaskError(
      .invalidRegion,
      "point \(index) of the region of interest is (\(points[index].x), \(points[index].y)); both must be finite, 0…1 in the image"
    )
  }
}

/// The filled circle that marks one point of a region of interest.
///
/// - Source: the midpoint circle of OpenCV's `circle`, which MediaPipe draws with.
struct MarkDisc: Sendable, Hashable {
  /// The number of pixels on each side of the center, per row, from the center row to the edge. Upper and lower half
  /// are symmetric.
  let halfWidths: [Int]

  var radius: Int { halfWidths.count - 1 }

  /// Creates the mark for images of the given size, with a radius of one pixel per 512 pixels of the longer side, at
  /// least one pixel.
  init(imageWidth: Int, imageHeight: Int) {
    let side = Double(max(imageWidth, imageHeight)) / 512
    self.init(radius: Int(max(side, 1).rounded(.toNearestOrAwayFromZero)))
  }

  /// Creates a mark.
  ///
  /// - Parameter radius: The radius in pixels, at least 0.
  init(radius: Int) {
    var halfWidths = [Int](repeating: 0, count: max(0, radius) + 1)
    var (row, reach, error) = (0, max(0, radius), 0)
    // Compute one eighth of the circle, from the right end upwards, and mirror it.
    while reach >= row {
      halfWidths[row] = reach
      halfWidths[reach] = max(halfWidths[reach], row)
      error += 2 * row + 1
      row += 1
      if error > 0 {
        error -= 2 * reach - 1
        reach -= 1
      }
    }
    self.halfWidths = halfWidths
  }
}

extension ImageBuffer {
  /// Returns the image with a region of interest as its alpha channel: 255 at the marks, 0 elsewhere.
  ///
  /// - Complexity: O(pixels + points · radius), whatever the positions; successive marks on the same pixel are drawn
  ///   once.
  /// - Source: MediaPipe's interactive segmenter, which draws a disc for each point, clipped at the edges.
  func marked(_ points: [NormalizedPoint]) throws -> ImageBuffer {
    let disc = MarkDisc(imageWidth: width, imageHeight: height)
    var bytes = try converted(to: .rgba8).packedBytes()
    bytes.withUnsafeMutableBufferPointer { bytes in
      var alpha = 3
      while alpha < bytes.count {
        bytes[alpha] = 0
        alpha += 4
      }
      var last: (x: Int, y: Int)?
      for point in points {
        let center = (
          x: Self.pixel(point.x, of: width, reach: disc.radius), y: Self.pixel(point.y, of: height, reach: disc.radius)
        )
        if let last, last == center { continue }
        last = center
        for row in max(0, center.y - disc.radius)..<max(0, min(height, center.y + disc.radius + 1)) {
          let half = disc.halfWidths[abs(row - center.y)]
          let (start, end) = (max(0, center.x - half), min(width, center.x + half + 1))
          for column in start..<max(start, end) { bytes[(row * width + column) * 4 + 3] = 255 }
        }
      }
    }
    return try ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: .rgba8)
  }

  /// Returns the center pixel of a mark, clamped to a position outside the image where the mark is not visible.
  private static func pixel(_ position: Float, of size: Int, reach: Int) -> Int {
    let exact = (Double(position) * Double(size)).rounded(.toNearestOrAwayFromZero)
    return Int(min(max(exact, Double(-reach - 1)), Double(size + reach)))
  }
}
