public import Foundation
import SwiftletVision

/// A landmark in world coordinates, in meters. Two landmarks are equal if they are closer than 0.000001.
#if canImport(ObjectiveC)
  @objc(MPPLandmark) @objcMembers
#endif
open class Landmark: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  /// The distance to the right of the object's origin, in meters.
  public let x: Float
  /// The distance below the object's origin, in meters.
  public let y: Float
  /// The distance behind the object's origin, in meters.
  public let z: Float
  /// The likelihood that the landmark is visible, if the model provides it.
  public let visibility: NSNumber?
  /// The likelihood that the landmark lies in the image, if the model provides it.
  public let presence: NSNumber?

  /// Creates a landmark.
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

  /// A hash that is the same for all landmarks.
  open override var hash: Int { LandmarkPosition.hash }

  /// Returns whether `object` is a landmark at the same position, within the tolerance.
  open override func isEqual(_ object: Any?) -> Bool { (object as? Landmark)?.place.isClose(to: place) == true }
}

/// A landmark in an image. Two landmarks are equal if they are closer than 0.000001.
#if canImport(ObjectiveC)
  @objc(MPPNormalizedLandmark) @objcMembers
#endif
open class NormalizedLandmark: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  /// The distance from the left edge of the stored image, as a fraction of its width. Not clamped.
  public let x: Float
  /// The distance from the upper edge of the stored image, as a fraction of its height. Not clamped.
  public let y: Float
  /// The depth, in the unit of ``x``; smaller is nearer to the camera.
  public let z: Float
  /// The likelihood that the landmark is visible, if the model provides it.
  public let visibility: NSNumber?
  /// The likelihood that the landmark lies in the image, if the model provides it.
  public let presence: NSNumber?

  /// Creates a landmark.
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

  /// A hash that is the same for all landmarks.
  open override var hash: Int { LandmarkPosition.hash }

  /// Returns whether `object` is a landmark at the same position, within the tolerance.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NormalizedLandmark)?.place.isClose(to: place) == true
  }
}

/// The position that determines the equality of landmarks.
struct LandmarkPosition {
  /// MediaPipe's tolerance.
  private static let tolerance: Float = 1e-6

  /// The hash of all positions. Close positions are equal, and equal values must have equal hashes. No grid of cells
  /// can ensure that, because two close positions can always lie in different cells.
  static let hash = 0

  let x: Float
  let y: Float
  let z: Float

  func isClose(to other: LandmarkPosition) -> Bool {
    abs(x - other.x) < Self.tolerance && abs(y - other.y) < Self.tolerance && abs(z - other.z) < Self.tolerance
  }
}

/// A connection between two landmarks, for drawing.
#if canImport(ObjectiveC)
  @objc(MPPConnection) @objcMembers
#endif
open class Connection: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  /// The index of the first landmark.
  public let start: UInt
  /// The index of the second landmark.
  public let end: UInt

  /// Creates a connection between two landmarks.
  public init(start: UInt, end: UInt) {
    self.start = start
    self.end = end
  }

  convenience init(_ value: LandmarkConnection) { self.init(start: UInt(value.start), end: UInt(value.end)) }
}
