// Written as an app would write it: nothing but the facade is imported.
import Foundation
import MediaPipeTasksVision

/// Finds the faces of a portrait.
enum Portrait {
  static func faces(in photo: MPImage, modelPath: String) throws -> [Detection] {
    let faceDetector = try FaceDetector(modelPath: modelPath)
    return try faceDetector.detect(image: photo).detections
  }

  /// Between the eyes, in pixels.
  static func eyeDistance(of face: Detection, in photo: MPImage) -> CGFloat? {
    guard let keypoints = face.keypoints, keypoints.count == 6 else { return nil }
    let (left, right) = (keypoints[0].location, keypoints[1].location)
    return hypot((right.x - left.x) * photo.width, (right.y - left.y) * photo.height)
  }
}

/// Blurs faces in a film: says where.
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

/// Watches a camera with somebody else as the delegate.
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

  /// Wants no results, which the protocol allows.
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
