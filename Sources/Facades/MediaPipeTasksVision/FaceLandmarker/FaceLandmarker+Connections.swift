import SwiftletVision

/// Which points the parts of a drawn face join. Left and right are the subject's own.
extension FaceLandmarker {
  /// The outer and the inner edge of the lips.
  public static func lipsConnections() -> [Connection] { connections(FaceLandmarks.lips) }

  /// The rim of the left eye.
  public static func leftEyeConnections() -> [Connection] { connections(FaceLandmarks.leftEye) }

  /// The edges of the left eyebrow.
  public static func leftEyebrowConnections() -> [Connection] { connections(FaceLandmarks.leftEyebrow) }

  /// The edge of the left iris.
  public static func leftIrisConnections() -> [Connection] { connections(FaceLandmarks.leftIris) }

  /// The rim of the right eye.
  public static func rightEyeConnections() -> [Connection] { connections(FaceLandmarks.rightEye) }

  /// The edges of the right eyebrow.
  public static func rightEyebrowConnections() -> [Connection] { connections(FaceLandmarks.rightEyebrow) }

  /// The edge of the right iris.
  public static func rightIrisConnections() -> [Connection] { connections(FaceLandmarks.rightIris) }

  /// The outline of the face.
  public static func faceOvalConnections() -> [Connection] { connections(FaceLandmarks.faceOval) }

  /// All of the above.
  public static func contoursConnections() -> [Connection] { connections(FaceLandmarks.contours) }

  /// The sides of the triangles of a mesh over the face.
  public static func tesselationConnections() -> [Connection] { connections(FaceLandmarks.tesselation) }

  /// The lips, the contours and the mesh, one after the other.
  public static func faceConnections() -> [Connection] {
    connections(FaceLandmarks.lips + FaceLandmarks.contours + FaceLandmarks.tesselation)
  }

  private static func connections(_ values: [LandmarkConnection]) -> [Connection] { values.map { Connection($0) } }
}
