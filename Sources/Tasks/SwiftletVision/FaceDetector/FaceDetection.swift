public import SwiftletImage

/// A face in an image.
public struct FaceDetection: Sendable, Hashable {
  /// The confidence of the model, 0…1.
  public var score: Float
  /// The box of the face, in whole pixels of the stored image.
  public var box: PixelRect
  /// The six keypoints in the order of ``FaceKeypoint``, as fractions of the stored image's size; not clamped.
  public var keypoints: [NormalizedPoint]

  /// Creates a face.
  public init(score: Float, box: PixelRect, keypoints: [NormalizedPoint] = []) {
    self.score = score
    self.box = box
    self.keypoints = keypoints
  }

  /// The position of a keypoint; `nil` for a model that does not give it.
  public subscript(keypoint: FaceKeypoint) -> NormalizedPoint? {
    keypoints.indices.contains(keypoint.rawValue) ? keypoints[keypoint.rawValue] : nil
  }
}

/// The keypoints of a ``FaceDetection``, as the observer sees them.
public enum FaceKeypoint: Int, Sendable, Hashable, CaseIterable {
  /// The eye on the left side of the image.
  case leftEye = 0
  /// The eye on the right side of the image.
  case rightEye
  /// The tip of the nose.
  case noseTip
  /// The center of the mouth.
  case mouth
  /// The ear on the left side of the image, at the tragion.
  case leftEarTragion
  /// The ear on the right side of the image, at the tragion.
  case rightEarTragion
}
