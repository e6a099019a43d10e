public import Foundation
import SwiftletImage
import SwiftletVision

/// What a user points at in a picture: one point or several, as fractions of the width and height of the picture as it
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

  /// A point on the thing that is meant.
  public init(normalizedKeyPoint: NormalizedKeypoint) {
    keypoint = normalizedKeyPoint
    scribbles = nil
  }

  /// Points on the thing that is meant, which should lie close together: nothing joins them.
  public init(scribbles: [NormalizedKeypoint]) {
    keypoint = nil
    self.scribbles = scribbles
  }

  var value: InteractiveRegion { keypoint.map { .point($0.point) } ?? .scribble((scribbles ?? []).map(\.point)) }
}

extension NormalizedKeypoint {
  fileprivate var point: NormalizedPoint { NormalizedPoint(x: Float(location.x), y: Float(location.y)) }
}
