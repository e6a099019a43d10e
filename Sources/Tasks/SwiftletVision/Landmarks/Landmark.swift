import SwiftletImage

/// A point of something in a picture, such as a joint of a hand.
public struct NormalizedLandmark: Sendable, Hashable {
  /// From the left edge of the stored picture, 1 being its width. Not clamped.
  public var x: Float
  /// From the upper edge of the stored picture, 1 being its height. Not clamped.
  public var y: Float
  /// Depth in the unit of ``x``, smaller being nearer to the camera; what it is measured from depends on the task.
  public var z: Float
  /// How sure the model is that nothing hides the point, 0…1; `nil` where it does not say.
  public var visibility: Float?
  /// How sure the model is that the point lies in the picture, 0…1; `nil` where it does not say.
  public var presence: Float?

  /// A point in parts of width and height.
  public init(x: Float, y: Float, z: Float, visibility: Float? = nil, presence: Float? = nil) {
    self.x = x
    self.y = y
    self.z = z
    self.visibility = visibility
    self.presence = presence
  }

  /// Its place in the picture.
  var point: NormalizedPoint { NormalizedPoint(x: x, y: y) }
}

/// A point of something in metres, as it would be in front of the camera.
public struct Landmark: Sendable, Hashable {
  /// To the right of the thing's middle, in metres.
  public var x: Float
  /// Below the thing's middle, in metres.
  public var y: Float
  /// Behind the thing's middle, in metres.
  public var z: Float
  /// How sure the model is that nothing hides the point, 0…1; `nil` where it does not say.
  public var visibility: Float?
  /// How sure the model is that the point lies in the picture, 0…1; `nil` where it does not say.
  public var presence: Float?

  /// A point in metres.
  public init(x: Float, y: Float, z: Float, visibility: Float? = nil, presence: Float? = nil) {
    self.x = x
    self.y = y
    self.z = z
    self.visibility = visibility
    self.presence = presence
  }
}
