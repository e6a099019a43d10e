/// The points of a face, what it does, and where it is.
public struct Face: Sendable, Hashable {
  /// 478 points in the stored picture: 468 of a mesh over the face and five of each iris (``FaceLandmarks``).
  public var landmarks: [NormalizedLandmark]
  /// What the face does: a score of 0…1 for every ``FaceBlendshape``, in this order; `nil` when it was not asked for.
  public var blendshapes: [ResultCategory]?
  /// From the canonical face to the camera; `nil` when it was not asked for, and for points that are no face in space.
  public var transformationMatrix: TransformationMatrix?

  /// A face.
  public init(
    landmarks: [NormalizedLandmark], blendshapes: [ResultCategory]? = nil,
    transformationMatrix: TransformationMatrix? = nil
  ) {
    self.landmarks = landmarks
    self.blendshapes = blendshapes
    self.transformationMatrix = transformationMatrix
  }

  /// How much the face does something, 0…1; `nil` when blendshapes were not asked for.
  public subscript(blendshape: FaceBlendshape) -> Float? {
    guard let blendshapes, blendshapes.indices.contains(blendshape.rawValue) else { return nil }
    return blendshapes[blendshape.rawValue].score
  }
}

extension Face {
  /// What a face takes in a result, with its blendshapes and matrix, in bytes, about.
  static let byteCount = FaceLandmarks.count * MemoryLayout<NormalizedLandmark>.stride + 52 * 128
}
