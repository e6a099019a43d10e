public import Foundation

/// A point of a detected object.
public struct NormalizedKeypoint: Sendable, Hashable {
  /// Position as fractions of the picture's width and height, origin at the top left of the picture as it is stored.
  /// Not clamped: a point may lie outside 0…1.
  public var location: CGPoint
  /// What the point is, if the model says so.
  public var label: String?
  /// How sure the model is, 0 where it does not say.
  public var score: Float

  /// A key point in parts of width and height.
  public init(location: CGPoint, label: String? = nil, score: Float = 0) {
    self.location = location
    self.label = label
    self.score = score
  }
}

/// An object found in a picture.
public struct Detection: Sendable, Hashable {
  /// Usually one; several where a model gives the same box several classes.
  public var categories: [ResultCategory]
  /// In pixels of the picture as it is stored, origin at the top left; whole numbers.
  public var boundingBox: CGRect
  /// `nil` for models without keypoints.
  public var keypoints: [NormalizedKeypoint]?

  /// An object or a face.
  public init(categories: [ResultCategory], boundingBox: CGRect, keypoints: [NormalizedKeypoint]? = nil) {
    self.categories = categories
    self.boundingBox = boundingBox
    self.keypoints = keypoints
  }
}
