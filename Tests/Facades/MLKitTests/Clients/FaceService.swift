// Client code as in an app that imports ML Kit's modules separately. It has no other import, and uses no name of this
// package.
import MLKitFaceDetection
import MLKitVision

/// Describes faces, with every kind of call that apps make.
final class FaceService {
  private let faceDetector: FaceDetector

  init(accurate: Bool) {
    let options = FaceDetectorOptions()
    options.performanceMode = accurate ? .accurate : .fast
    options.landmarkMode = .all
    options.contourMode = .all
    options.classificationMode = .all
    options.minFaceSize = CGFloat(0.1)
    options.isTrackingEnabled = true
    faceDetector = FaceDetector.faceDetector(options: options)
  }

  func descriptions(of image: VisionImage) throws -> [String] {
    let faces: [Face] = try faceDetector.results(in: image)
    return faces.map { face in
      var parts = ["face at \(face.frame.origin.x), \(face.frame.origin.y)"]
      if let left = face.landmark(ofType: .leftEye)?.position, let right = face.landmark(ofType: .rightEye)?.position {
        parts.append("eyes at \(left.x), \(left.y) and \(right.x), \(right.y)")
      }
      if face.hasHeadEulerAngleY { parts.append("turned by \(face.headEulerAngleY)") }
      if face.hasTrackingID { parts.append("number \(face.trackingID)") }
      return parts.joined(separator: ", ")
    }
  }

  func isSomebodySmiling(in image: VisionImage) async -> Bool {
    guard let faces = try? await faceDetector.process(image) else { return false }
    return faces.contains { $0.hasSmilingProbability && $0.smilingProbability > 0.5 }
  }

  func outline(of image: VisionImage) async throws -> [CGPoint] {
    let face = try await faceDetector.process(image).first
    return face?.contour(ofType: .face)?.points.map { CGPoint(x: $0.x, y: $0.y) } ?? []
  }
}
