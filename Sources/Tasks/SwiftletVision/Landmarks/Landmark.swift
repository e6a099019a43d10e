import SwiftletImage

/// A point of something in an image, such as a joint of a hand.
public struct NormalizedLandmark: Sendable, Hashable {
  /// From the left edge of the stored image, 1 being its width. Not clamped.
  public var x: Float
  /// From the upper edge of the stored image, 1 being its height. Not clamped.
  public var y: Float
  /// Depth in the unit of ``x``, smaller being nearer to the camera; what it is measured from depends on the task.
  public var z: Float
  /// The likelihood that the landmark is visible, 0…1; `nil` where it does not say.
  public var visibility: Float?
  /// The likelihood that the landmark lies in the image, 0…1; `nil` where it does not say.
  public var presence: Float?

  /// Creates a point in parts of width and height.
  public init(x: Float, y: Float, z: Float, visibility: Float? = nil, presence: Float? = nil) {
    self.x = x
    self.y = y
    self.z = z
    self.visibility = visibility
    self.presence = presence
  }

  /// Its place in the image.
  var point: NormalizedPoint { NormalizedPoint(x: x, y: y) }
}

/// A point of something in meters, as it would be in front of the camera.
public struct Landmark: Sendable, Hashable {
  /// To the right of the thing's middle, in meters.
  public var x: Float
  /// Below the thing's middle, in meters.
  public var y: Float
  /// Behind the thing's middle, in meters.
  public var z: Float
  /// The likelihood that the landmark is visible, 0…1; `nil` where it does not say.
  public var visibility: Float?
  /// The likelihood that the landmark lies in the image, 0…1; `nil` where it does not say.
  public var presence: Float?

  /// Creates a point in meters.
  public init(x: Float, y: Float, z: Float, visibility: Float? = nil, presence: Float? = nil) {
    self.x = x
    self.y = y
    self.z = z
    self.visibility = visibility
    self.presence = presence
  }
}

/// Two points of a thing that a drawing of it joins, such as two joints of a finger.
public struct LandmarkConnection: Sendable, Hashable {
  /// The number of the point at which the line begins.
  public var start: Int
  /// The number of the point at which the line ends.
  public var end: Int

  /// Creates a line between two points.
  public init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  /// Lines between points that are written one after the other: the first two are a line, the next two another one.
  ///
  /// Long lists of numbers compile faster than lists of anything else.
  static func pairs(_ points: [Int]) -> [LandmarkConnection] {
    stride(from: 0, to: points.count - 1, by: 2).map { LandmarkConnection(start: points[$0], end: points[$0 + 1]) }
  }
}

/// The landmarks that are smoothed over the frames of a video. Images that have nothing to do with each other never
/// are.
public enum LandmarkSmoothing: Sendable, Hashable, CaseIterable {
  /// None: every frame's points are the model's own.
  case off
  /// The landmarks of a task that detects one object at most, as MediaPipe does for faces and poses.
  case single
  /// The landmarks of everything that is tracked.
  case all

  /// Whether a task smooths.
  ///
  /// - Parameter limit: the most things that it looks for.
  func isOn(limit: Int) -> Bool {
    switch self {
    case .off: false
    case .single: limit == 1
    case .all: true
    }
  }
}
