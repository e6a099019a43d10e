// Client code as in an app: it imports nothing but the facade.
import Foundation
import MediaPipeTasksVision

/// Reads an expression from a portrait.
enum Expression {
  static func result(of photo: MPImage, modelPath: String) throws -> FaceLandmarkerResult {
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .image
    options.minFaceDetectionConfidence = 0.5
    options.minFacePresenceConfidence = 0.5
    options.minTrackingConfidence = 0.5
    options.numFaces = 1
    options.outputFaceBlendshapes = true
    options.outputFacialTransformationMatrixes = true
    let faceLandmarker = try FaceLandmarker(options: options)
    return try faceLandmarker.detect(image: photo)
  }

  static func score(_ name: String, in result: FaceLandmarkerResult) -> Float? {
    result.faceBlendshapes.first?.categories.first { $0.categoryName == name }?.score
  }

  /// Returns the distance of the face from the camera, in centimeters.
  static func distance(in result: FaceLandmarkerResult) -> Float? {
    guard let matrix = result.facialTransformationMatrixes.first else { return nil }
    return -matrix.data[14]
  }

  /// Returns the lines of the mouth, in pixels.
  static func mouth(in result: FaceLandmarkerResult, size: CGSize) -> [(CGPoint, CGPoint)] {
    guard let face = result.faceLandmarks.first else { return [] }
    func place(_ index: UInt) -> CGPoint {
      let landmark: NormalizedLandmark = face[Int(index)]
      return CGPoint(x: CGFloat(landmark.x) * size.width, y: CGFloat(landmark.y) * size.height)
    }
    return FaceLandmarker.lipsConnections().map { (place($0.start), place($0.end)) }
  }
}

/// Tracks faces in camera frames.
final class FaceMeshWatcher: NSObject, FaceLandmarkerLiveStreamDelegate {
  private(set) var faceLandmarker: FaceLandmarker?
  var onResult: ((FaceLandmarkerResult?, Int, Error?) -> Void)?

  init(modelPath: String) throws {
    super.init()
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .liveStream
    options.numFaces = 2
    options.faceLandmarkerLiveStreamDelegate = self
    faceLandmarker = try FaceLandmarker(options: options)
  }

  func cameraDelivered(_ frame: MPImage, at milliseconds: Int) throws {
    try faceLandmarker?.detectAsync(image: frame, timestampInMilliseconds: milliseconds)
  }

  func faceLandmarker(
    _ faceLandmarker: FaceLandmarker, didFinishDetection result: FaceLandmarkerResult?, timestampInMilliseconds: Int,
    error: Error?
  ) {
    onResult?(result, timestampInMilliseconds, error)
  }
}
