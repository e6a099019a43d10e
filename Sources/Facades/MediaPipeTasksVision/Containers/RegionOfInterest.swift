public import Foundation
import SwiftletImage
import SwiftletVision

/// The region that a user points at in an image: one point or several, as fractions of the width and height of the
/// stored image. Labels and scores of the points are ignored.
#if canImport(ObjectiveC)
  @objc(MPPRegionOfInterest) @objcMembers
#endif
open class RegionOfInterest: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  /// The point; `nil` for scribbles.
  public let keypoint: NormalizedKeypoint?
  /// The points of the scribbles; `nil` for a single point.
  public let scribbles: [NormalizedKeypoint]?

  /// Creates a region from a point on the object of interest.
  public init(normalizedKeyPoint: NormalizedKeypoint) {
    keypoint = normalizedKeyPoint
    scribbles = nil
  }

  /// Creates a region from points on the object of interest. They are not connected, so they should be close together.
  public init(scribbles: [NormalizedKeypoint]) {
    keypoint = nil
    self.scribbles = scribbles
  }

  var value: InteractiveRegion { keypoint.map { .point($0.point) } ?? .scribble((scribbles ?? []).map(\.point)) }
}

extension NormalizedKeypoint {
  fileprivate var point: NormalizedPoint { NormalizedPoint(x: Float(location.x), y: Float(location.y)) }
}

/// The purpose of a stroke. The raw values are MediaPipe's.
#if canImport(ObjectiveC)
  @objc(MPPBrushMode)
#endif
public enum BrushMode: UInt, Sendable {
  /// Unspecified.
  case unspecified = 0
  /// Adds the marked area.
  case positive = 1
  /// Removes the marked area.
  case negative = 2
  /// Encloses the object of interest.
  case lasso = 3
}

/// A line that a user draws on an image.
///
/// No task accepts strokes: the model of MediaPipe's segmenter for strokes runs only in MediaPipe. The class exists so
/// that code with strokes compiles; ``InteractiveSegmenterLegacy`` accepts their points as scribbles.
#if canImport(ObjectiveC)
  @objc(MPPStroke) @objcMembers
#endif
open class Stroke: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  /// The points of the line, in the order in which they were drawn.
  public let points: [NormalizedKeypoint]
  /// The purpose of the line.
  public let brushMode: BrushMode
  /// A Boolean value that indicates whether the user has lifted the brush.
  public let isCompleted: Bool

  /// Creates a stroke.
  public init(points: [NormalizedKeypoint], brushMode: BrushMode, isCompleted: Bool) {
    self.points = points
    self.brushMode = brushMode
    self.isCompleted = isCompleted
  }
}
