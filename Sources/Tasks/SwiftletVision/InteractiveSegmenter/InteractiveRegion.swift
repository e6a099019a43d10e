public import SwiftletImage
import SwiftletTasks

/// A region that a user points at in an image, for an ``InteractiveSegmenter``.
///
/// Positions are those in the stored image. They may lie beyond its edge: what is marked there is left out.
public enum InteractiveRegion: Sendable, Hashable {
  /// One point on the thing that is meant.
  case point(NormalizedPoint)
  /// Points of a line drawn on the thing that is meant. Nothing joins them, so they should lie close together.
  case scribble([NormalizedPoint])

  /// Where the image is marked.
  package var points: [NormalizedPoint] {
    switch self {
    case .point(let point): [point]
    case .scribble(let points): points
    }
  }

  /// - Throws: `TaskError` (`invalidRegion`) for no points, and for one that is nowhere.
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

/// The filled circle that marks one point of a region of interest, in whole pixels.
///
/// - Source: the midpoint circle of OpenCV's `circle`, which MediaPipe draws with.
struct MarkDisc: Sendable, Hashable {
  /// How far each row reaches to both sides of the middle, from the middle row downwards; upwards it is the same.
  let halfWidths: [Int]

  var radius: Int { halfWidths.count - 1 }

  /// Creates the mark for images of this size: two pixels across for every 512 of the longer side.
  init(imageWidth: Int, imageHeight: Int) {
    let side = Double(max(imageWidth, imageHeight)) / 512
    self.init(radius: Int(max(side, 1).rounded(.toNearestOrAwayFromZero)))
  }

  /// - Parameter radius: 0 or more.
  init(radius: Int) {
    var halfWidths = [Int](repeating: 0, count: max(0, radius) + 1)
    var (row, reach, error) = (0, max(0, radius), 0)
    // An eighth of the circle, from the right end upwards; the others mirror it.
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
  /// The image with a region of interest in place of its alpha: 255 where it is marked, 0 elsewhere.
  ///
  /// - Complexity: O(pixels + points · radius), whatever the points are; marks that follow each other on the same pixel
  ///   are drawn once.
  /// - Source: MediaPipe's interactive segmenter: a disc for each point, clipped at the edges.
  func marked(_ points: [NormalizedPoint]) throws -> ImageBuffer {
    let disc = MarkDisc(imageWidth: width, imageHeight: height)
    var bytes = try converted(to: .rgba8).packedBytes()
    bytes.withUnsafeMutableBufferPointer { bytes in
      for index in stride(from: 3, to: bytes.count, by: 4) { bytes[index] = 0 }
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

  /// The pixel that a mark is drawn around, at most so far outside that nothing of the mark is seen.
  private static func pixel(_ position: Float, of size: Int, reach: Int) -> Int {
    let exact = (Double(position) * Double(size)).rounded(.toNearestOrAwayFromZero)
    return Int(min(max(exact, Double(-reach - 1)), Double(size + reach)))
  }
}
