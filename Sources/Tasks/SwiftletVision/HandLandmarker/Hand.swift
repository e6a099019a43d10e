import SwiftletImage

/// A hand in an image.
public struct Hand: Sendable, Hashable {
  /// The 21 landmarks in the stored image, in the order of ``HandLandmarks/Point``. Depth is measured from the wrist. They
  /// have neither visibility nor presence.
  public var landmarks: [NormalizedLandmark]
  /// The world landmarks: the same points in meters from about the hand's center, oriented as in the stored image.
  public var worldLandmarks: [Landmark]
  /// Whether it is the person's left or right hand.
  public var handedness: Handedness
  /// The confidence of ``handedness``, 0.5…1.
  public var handednessScore: Float

  /// Creates a hand.
  public init(
    landmarks: [NormalizedLandmark], worldLandmarks: [Landmark], handedness: Handedness, handednessScore: Float
  ) {
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
    self.handedness = handedness
    self.handednessScore = handednessScore
  }

  /// The position of a landmark in the stored image; `nil` if the hand has fewer landmarks.
  public subscript(point: HandLandmarks.Point) -> NormalizedLandmark? {
    landmarks.indices.contains(point.rawValue) ? landmarks[point.rawValue] : nil
  }
}

/// Which of a person's hands it is.
public enum Handedness: Sendable, Hashable, CaseIterable {
  /// The person's right hand.
  case right
  /// The person's left hand.
  case left
}

extension Hand {
  /// The approximate size of a hand in a result, with its handedness and gesture, in bytes.
  static let byteCount =
    HandLandmarks.count * (MemoryLayout<NormalizedLandmark>.stride + MemoryLayout<Landmark>.stride) + 512

  /// Moves the hand to the mirror image of its image.
  mutating func mirror() {
    landmarks.mirror()
    worldLandmarks.mirror()
  }
}
