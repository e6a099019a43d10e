public import SwiftletImage
import SwiftletTasks

/// What a user points at in a picture, for an ``InteractiveSegmenter``.
///
/// Positions are those in the stored picture. They may lie beyond its edge: what is marked there is left out.
public enum InteractiveRegion: Sendable, Hashable {
  /// One point on the thing that is meant.
  case point(NormalizedPoint)
  /// Points of a line drawn on the thing that is meant. Nothing joins them, so they should lie close together.
  case scribble([NormalizedPoint])

  /// Where the picture is marked.
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
      "point \(index) of the region of interest is (\(points[index].x), \(points[index].y)); both must be finite, 0…1 in the picture"
    )
  }
}
