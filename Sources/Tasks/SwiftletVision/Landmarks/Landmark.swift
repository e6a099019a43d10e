import SwiftletImage

/// A landmark in an image, such as a joint of a hand.
public struct NormalizedLandmark: Sendable, Hashable {
  /// The distance from the left edge of the stored image, as a fraction of its width. Not clamped.
  public var x: Float
  /// The distance from the upper edge of the stored image, as a fraction of its height. Not clamped.
  public var y: Float
  /// The depth, in the unit of ``x``; smaller is nearer to the camera. Its origin depends on the task.
  public var z: Float
  /// The likelihood that the landmark is visible, 0…1; `nil` if the task doesn't provide it.
  public var visibility: Float?
  /// The likelihood that the landmark lies in the image, 0…1; `nil` if the task doesn't provide it.
  public var presence: Float?

  /// Creates a landmark from fractions of width and height.
  public init(x: Float, y: Float, z: Float, visibility: Float? = nil, presence: Float? = nil) {
    self.x = x
    self.y = y
    self.z = z
    self.visibility = visibility
    self.presence = presence
  }

  /// The position in the image.
  var point: NormalizedPoint { NormalizedPoint(x: x, y: y) }
}

/// A landmark in world coordinates, in meters, oriented as seen by the camera.
public struct Landmark: Sendable, Hashable {
  /// The distance to the right of the object's origin, in meters.
  public var x: Float
  /// The distance below the object's origin, in meters.
  public var y: Float
  /// The distance behind the object's origin, in meters.
  public var z: Float
  /// The likelihood that the landmark is visible, 0…1; `nil` if the task doesn't provide it.
  public var visibility: Float?
  /// The likelihood that the landmark lies in the image, 0…1; `nil` if the task doesn't provide it.
  public var presence: Float?

  /// Creates a landmark from world coordinates in meters.
  public init(x: Float, y: Float, z: Float, visibility: Float? = nil, presence: Float? = nil) {
    self.x = x
    self.y = y
    self.z = z
    self.visibility = visibility
    self.presence = presence
  }
}

/// A connection between two landmarks, such as two joints of a finger, for drawing.
public struct LandmarkConnection: Sendable, Hashable {
  /// The index of the first landmark.
  public var start: Int
  /// The index of the second landmark.
  public var end: Int

  /// Creates a connection between two landmarks.
  public init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  /// Returns connections from a flat list of indices, two per connection.
  ///
  /// Long lists of numbers compile faster than lists of other types.
  static func pairs(_ points: [Int]) -> [LandmarkConnection] {
    stride(from: 0, to: points.count - 1, by: 2).map { LandmarkConnection(start: points[$0], end: points[$0 + 1]) }
  }
}

/// The landmarks that are smoothed over the frames of a video. Landmarks in independent images are never smoothed.
public enum LandmarkSmoothing: Sendable, Hashable, CaseIterable {
  /// No landmarks are smoothed.
  case off
  /// Landmarks are smoothed if the task detects at most one object, as in MediaPipe for faces and poses.
  case single
  /// The landmarks of all tracked objects are smoothed.
  case all

  /// Returns whether a task smooths landmarks.
  ///
  /// - Parameter limit: The maximum number of objects that the task detects.
  func isOn(limit: Int) -> Bool {
    switch self {
    case .off: false
    case .single: limit == 1
    case .all: true
    }
  }
}
