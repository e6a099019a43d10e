import SwiftletImage

/// The landmarks of a face, its blendshapes, and its place in space.
public struct Face: Sendable, Hashable {
  /// The 478 landmarks in the stored image: 468 of a mesh over the face and five of each iris (``FaceLandmarks``).
  public var landmarks: [NormalizedLandmark]
  /// The blendshape scores; `nil` unless requested.
  public var blendshapes: FaceBlendshapes?
  /// The map from the canonical face to the camera; `nil` unless requested, and for landmarks that are no face in space.
  /// It is a reflection for images with a mirrored orientation.
  public var transformationMatrix: TransformationMatrix?

  /// Creates a face.
  public init(
    landmarks: [NormalizedLandmark], blendshapes: FaceBlendshapes? = nil,
    transformationMatrix: TransformationMatrix? = nil
  ) {
    self.landmarks = landmarks
    self.blendshapes = blendshapes
    self.transformationMatrix = transformationMatrix
  }
}

/// The scores of all blendshapes of a face.
public struct FaceBlendshapes: Sendable, Hashable {
  /// The scores, 0…1, in the order of ``FaceBlendshape``.
  public var scores: [Float]

  /// Creates blendshapes from a score for each ``FaceBlendshape``.
  ///
  /// - Returns: `nil` unless there is a score for each.
  public init?(scores: [Float]) {
    guard scores.count == FaceBlendshape.allCases.count else { return nil }
    self.scores = scores
  }

  /// The score of a blendshape, 0…1.
  public subscript(blendshape: FaceBlendshape) -> Float { scores[blendshape.rawValue] }
}

extension Face {
  /// The approximate size of a face in a result, with its blendshapes and matrix, in bytes.
  static let byteCount = FaceLandmarks.count * MemoryLayout<NormalizedLandmark>.stride + 52 * 128

  /// Moves the face to the mirror image of its image.
  mutating func mirror() {
    landmarks.mirror()
    transformationMatrix = transformationMatrix?.mirrored
  }
}
