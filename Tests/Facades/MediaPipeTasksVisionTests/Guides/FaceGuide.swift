// Client code as in an app: it imports nothing but the facade.
import Foundation
import MediaPipeTasksVision

/// Detects the faces in a portrait.
enum Portrait {
  static func faces(in photo: MPImage, modelPath: String) throws -> [Detection] {
    let faceDetector = try FaceDetector(modelPath: modelPath)
    return try faceDetector.detect(image: photo).detections
  }

  /// Returns the distance between the eyes, in pixels.
  static func eyeDistance(of face: Detection, in photo: MPImage) -> CGFloat? {
    guard let keypoints = face.keypoints, keypoints.count == 6 else { return nil }
    let (left, right) = (keypoints[0].location, keypoints[1].location)
    return hypot((right.x - left.x) * photo.width, (right.y - left.y) * photo.height)
  }
}

/// Returns the areas of faces to blur in a video.
final class FaceBlurrer {
  private let faceDetector: FaceDetector

  init(modelPath: String) throws {
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .video
    options.minDetectionConfidence = 0.6
    options.minSuppressionThreshold = 0.3
    faceDetector = try FaceDetector(options: options)
  }

  func boxes(in frame: MPImage, at seconds: TimeInterval) throws -> [CGRect] {
    let result = try faceDetector.detect(videoFrame: frame, timestampInMilliseconds: Int(seconds * 1000))
    return result.detections.map(\.boundingBox)
  }
}

/// Detects faces in camera frames, with another object as the delegate.
final class FaceWatcher {
  final class Listener: FaceDetectorLiveStreamDelegate {
    var onResult: ((FaceDetectorResult?, Int, Error?) -> Void)?

    func faceDetector(
      _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?, timestampInMilliseconds: Int,
      error: Error?
    ) {
      onResult?(result, timestampInMilliseconds, error)
    }
  }

  /// A delegate without the optional result method.
  final class DeafListener: FaceDetectorLiveStreamDelegate {}

  private let faceDetector: FaceDetector

  init(modelPath: String, listener: FaceDetectorLiveStreamDelegate) throws {
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .liveStream
    options.faceDetectorLiveStreamDelegate = listener
    faceDetector = try FaceDetector(options: options)
  }

  func cameraDelivered(_ frame: MPImage, at milliseconds: Int) throws {
    try faceDetector.detectAsync(image: frame, timestampInMilliseconds: milliseconds)
  }
}
