import SwiftletImage

/// A model's map of where each point of a body is likely to be, which says it more exactly than the point itself.
///
/// - Shapes: `[height, width, points]`, logits.
/// - Source: the heat-map refinement of MediaPipe's pose landmarks.
struct HeatMap {
  /// How far from a point the map is looked at, in cells.
  private static let reach = 3
  /// Where the map is nowhere surer than this the point stays.
  private static let leastConfidence: Float = 0.5

  let logits: UnsafeBufferPointer<Float>
  let height: Int
  let width: Int
  let points: Int

  /// - Parameter size: of the map; its product is the count of `logits`.
  init(_ logits: UnsafeBufferPointer<Float>, size: (height: Int, width: Int, channels: Int)) {
    self.logits = logits
    (height, width, points) = (size.height, size.width, size.channels)
  }

  /// Moves a point to the middle of the cells around it, weighted by how likely the map finds them.
  ///
  /// - Parameters:
  ///   - point: which one it is; the map has it.
  ///   - x: from the left edge of the region, 1 being its width. The map does not reach beyond the region.
  ///   - y: from the upper edge of the region, 1 being its height.
  func refine(point: Int, x: inout Float, y: inout Float) {
    let (column, row) = (x * Float(width), y * Float(height))
    // Numbers are cut toward zero, so those above −1 belong to the first cell.
    guard column > -1, row > -1, column < Float(width), row < Float(height) else { return }
    let columns = max(Int(column) - Self.reach, 0)...min(Int(column) + Self.reach, width - 1)
    let rows = max(Int(row) - Self.reach, 0)...min(Int(row) + Self.reach, height - 1)
    var (sum, columnSum, rowSum, most) = (Float(0), Float(0), Float(0), Float(0))
    for row in rows {
      for column in columns {
        let confidence = RoundedFunctions.sigmoid(logits[(row * width + column) * points + point])
        sum += confidence
        columnSum += confidence * Float(column)
        rowSum += confidence * Float(row)
        most = max(most, confidence)
      }
    }
    guard most >= Self.leastConfidence, sum > 0 else { return }
    (x, y) = (columnSum / Float(width) / sum, rowSum / Float(height) / sum)
  }
}
