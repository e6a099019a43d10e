public import Foundation
import SwiftletVision

/// A point of something in metres. Two are equal when they are at the same place, to 0.000001.
#if canImport(ObjectiveC)
  @objc(MPPLandmark) @objcMembers
#endif
open class Landmark: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// To the right of the thing's middle, in metres.
  public let x: Float
  /// Below the thing's middle, in metres.
  public let y: Float
  /// Behind the thing's middle, in metres.
  public let z: Float
  /// How sure the model is that nothing hides the point, if it says so.
  public let visibility: NSNumber?
  /// How sure the model is that the point lies in the picture, if it says so.
  public let presence: NSNumber?

  /// A point of these values.
  public init(x: Float, y: Float, z: Float, visibility: NSNumber?, presence: NSNumber?) {
    self.x = x
    self.y = y
    self.z = z
    self.visibility = visibility
    self.presence = presence
  }

  convenience init(_ value: SwiftletVision.Landmark) {
    self.init(
      x: value.x, y: value.y, z: value.z, visibility: value.visibility.map { NSNumber(value: $0) },
      presence: value.presence.map { NSNumber(value: $0) })
  }

  private var place: LandmarkPlace { LandmarkPlace(x: x, y: y, z: z) }

  /// The same for all points.
  open override var hash: Int { LandmarkPlace.hash }

  /// Whether `object` is a landmark at the same place, but for rounding.
  open override func isEqual(_ object: Any?) -> Bool { (object as? Landmark)?.place.isClose(to: place) == true }
}
