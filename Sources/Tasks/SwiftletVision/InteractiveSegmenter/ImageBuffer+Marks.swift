import SwiftletImage

extension ImageBuffer {
  /// The picture with a region of interest in place of its alpha: 255 where it is marked, 0 elsewhere.
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
