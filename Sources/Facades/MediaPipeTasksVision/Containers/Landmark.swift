public import Foundation
import SwiftletVision

/// A point of something in meters. Two are equal when they are at the same place, to 0.000001.
#if canImport(ObjectiveC)
  @objc(MPPLandmark) @objcMembers
#endif
open class Landmark: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// To the right of the thing's middle, in meters.
  public let x: Float
  /// Below the thing's middle, in meters.
  public let y: Float
  /// Behind the thing's middle, in meters.
  public let z: Float
  /// The likelihood that the landmark is visible, if the model gives it.
  public let visibility: NSNumber?
  /// The likelihood that the landmark lies in the image, if the model gives it.
  public let presence: NSNumber?

  /// Creates a point of these values.
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

  private var place: LandmarkPosition { LandmarkPosition(x: x, y: y, z: z) }

  /// The same for all points.
  open override var hash: Int { LandmarkPosition.hash }

  /// Whether `object` is a landmark at the same place, but for rounding.
  open override func isEqual(_ object: Any?) -> Bool { (object as? Landmark)?.place.isClose(to: place) == true }
}

/// A point of something in an image. Two are equal when they are at the same place, to 0.000001.
#if canImport(ObjectiveC)
  @objc(MPPNormalizedLandmark) @objcMembers
#endif
open class NormalizedLandmark: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// From the left edge of the stored image, 1 being its width. Not clamped.
  public let x: Float
  /// From the upper edge of the stored image, 1 being its height. Not clamped.
  public let y: Float
  /// Depth in the unit of ``x``, smaller being nearer to the camera.
  public let z: Float
  /// The likelihood that the landmark is visible, if the model gives it.
  public let visibility: NSNumber?
  /// The likelihood that the landmark lies in the image, if the model gives it.
  public let presence: NSNumber?

  /// Creates a point of these values.
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

  private var place: LandmarkPosition { LandmarkPosition(x: x, y: y, z: z) }

  /// The same for all points.
  open override var hash: Int { LandmarkPosition.hash }

  /// Whether `object` is a landmark at the same place, but for rounding.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NormalizedLandmark)?.place.isClose(to: place) == true
  }
}

/// What the equality of landmarks looks at.
struct LandmarkPosition {
  /// MediaPipe's tolerance.
  private static let tolerance: Float = 1e-6

  /// Points that are close are equal, so no two points may have different hashes: however fine a grid is, two close
  /// points lie in different cells of it.
  static let hash = 0

  let x: Float
  let y: Float
  let z: Float

  func isClose(to other: LandmarkPosition) -> Bool {
    abs(x - other.x) < Self.tolerance && abs(y - other.y) < Self.tolerance && abs(z - other.z) < Self.tolerance
  }
}

/// Two points of a thing that a drawing of it joins.
#if canImport(ObjectiveC)
  @objc(MPPConnection) @objcMembers
#endif
open class Connection: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// The number of the point at which the line begins.
  public let start: UInt
  /// The number of the point at which the line ends.
  public let end: UInt

  /// Creates a line between two points.
  public init(start: UInt, end: UInt) {
    self.start = start
    self.end = end
  }

  convenience init(_ value: LandmarkConnection) { self.init(start: UInt(value.start), end: UInt(value.end)) }
}
