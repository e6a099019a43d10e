public import Foundation
import SwiftletImage
import SwiftletVision

/// What a user points at in an image: one point or several, as fractions of the width and height of the image as it
/// is stored. Labels and scores of the points do not count.
#if canImport(ObjectiveC)
  @objc(MPPRegionOfInterest) @objcMembers
#endif
open class RegionOfInterest: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// The point; `nil` for scribbles.
  public let keypoint: NormalizedKeypoint?
  /// The points of the scribbles; `nil` for a single point.
  public let scribbles: [NormalizedKeypoint]?

  /// Creates a point on the thing that is meant.
  public init(normalizedKeyPoint: NormalizedKeypoint) {
    keypoint = normalizedKeyPoint
    scribbles = nil
  }

  /// Creates a region from points on the object of interest, which should lie close together: nothing joins them.
  public init(scribbles: [NormalizedKeypoint]) {
    keypoint = nil
    self.scribbles = scribbles
  }

  var value: InteractiveRegion { keypoint.map { .point($0.point) } ?? .scribble((scribbles ?? []).map(\.point)) }
}

extension NormalizedKeypoint {
  fileprivate var point: NormalizedPoint { NormalizedPoint(x: Float(location.x), y: Float(location.y)) }
}

/// What a stroke is meant to do. The numbers are MediaPipe's.
#if canImport(ObjectiveC)
  @objc(MPPBrushMode)
#endif
public enum BrushMode: UInt, Sendable {
  /// Not said.
  case unspecified = 0
  /// Adds what it touches.
  case positive = 1
  /// Takes away what it touches.
  case negative = 2
  /// Goes around what is meant.
  case lasso = 3
}

/// A line that a user draws on an image.
///
/// No task takes it: MediaPipe's segmenter that does has no model that others can run. Code that holds strokes compiles;
/// ``InteractiveSegmenterLegacy`` takes their points as scribbles.
#if canImport(ObjectiveC)
  @objc(MPPStroke) @objcMembers
#endif
open class Stroke: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// The points of the line, in the order in which they were drawn.
  public let points: [NormalizedKeypoint]
  /// The purpose of the line.
  public let brushMode: BrushMode
  /// A Boolean value that indicates whether the user has lifted the brush.
  public let isCompleted: Bool

  /// Creates a line of these points.
  public init(points: [NormalizedKeypoint], brushMode: BrushMode, isCompleted: Bool) {
    self.points = points
    self.brushMode = brushMode
    self.isCompleted = isCompleted
  }
}
