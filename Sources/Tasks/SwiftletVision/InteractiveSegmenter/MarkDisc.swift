/// The filled circle that marks one point of a region of interest, in whole pixels.
///
/// - Source: the midpoint circle of OpenCV's `circle`, which MediaPipe draws with.
struct MarkDisc: Sendable, Hashable {
  /// How far each row reaches to both sides of the middle, from the middle row downwards; upwards it is the same.
  let halfWidths: [Int]

  var radius: Int { halfWidths.count - 1 }

  /// The mark for pictures of this size: two pixels across for every 512 of the longer side.
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
