public import Foundation
import SwiftletVision

/// A point of something in a picture. Two are equal when they are at the same place, to 0.000001.
#if canImport(ObjectiveC)
  @objc(MPPNormalizedLandmark) @objcMembers
#endif
open class NormalizedLandmark: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// From the left edge of the stored picture, 1 being its width. Not clamped.
  public let x: Float
  /// From the upper edge of the stored picture, 1 being its height. Not clamped.
  public let y: Float
  /// Depth in the unit of ``x``, smaller being nearer to the camera.
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

  convenience init(_ value: SwiftletVision.NormalizedLandmark) {
    self.init(
      x: value.x, y: value.y, z: value.z, visibility: value.visibility.map { NSNumber(value: $0) },
      presence: value.presence.map { NSNumber(value: $0) })
  }

  private var place: LandmarkPlace { LandmarkPlace(x: x, y: y, z: z) }

  /// The same for all points.
  open override var hash: Int { LandmarkPlace.hash }

  /// Whether `object` is a landmark at the same place, but for rounding.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NormalizedLandmark)?.place.isClose(to: place) == true
  }
}
