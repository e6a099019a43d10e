// Client code as in an app: it imports nothing but the facade.
import Foundation
import MediaPipeTasksVision

/// Reads a posture from a photo.
enum Posture {
  static func result(of photo: MPImage, modelPath: String) throws -> PoseLandmarkerResult {
    let options = PoseLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .image
    options.minPoseDetectionConfidence = 0.5
    options.minPosePresenceConfidence = 0.5
    options.minTrackingConfidence = 0.5
    options.numPoses = 1
    options.shouldOutputSegmentationMasks = true
    let poseLandmarker = try PoseLandmarker(options: options)
    return try poseLandmarker.detect(image: photo)
  }

  /// Returns the lines of the skeleton, in pixels.
  static func skeleton(in result: PoseLandmarkerResult, size: CGSize) -> [(CGPoint, CGPoint)] {
    guard let body = result.landmarks.first else { return [] }
    func place(_ index: UInt) -> CGPoint {
      let landmark: NormalizedLandmark = body[Int(index)]
      return CGPoint(x: CGFloat(landmark.x) * size.width, y: CGFloat(landmark.y) * size.height)
    }
    return PoseLandmarker.poseLandmarks.map { (place($0.start), place($0.end)) }
  }

  /// Returns the angle of the left elbow in degrees; 180 for a straight arm.
  static func elbow(in result: PoseLandmarkerResult) -> Float? {
    guard let body = result.worldLandmarks.first else { return nil }
    func vector(_ from: Landmark, _ to: Landmark) -> SIMD3<Float> {
      SIMD3(to.x - from.x, to.y - from.y, to.z - from.z)
    }
    let (upper, lower) = (vector(body[13], body[11]), vector(body[13], body[15]))
    let cosine = (upper * lower).sum() / ((upper * upper).sum() * (lower * lower).sum()).squareRoot()
    return acos(cosine) * 180 / .pi
  }
}

/// Tracks a person who exercises in front of a camera.
final class Coach: NSObject, PoseLandmarkerLiveStreamDelegate {
  private(set) var poseLandmarker: PoseLandmarker?
  var onResult: ((PoseLandmarkerResult?, Int, Error?) -> Void)?

  init(modelPath: String) throws {
    super.init()
    let options = PoseLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .liveStream
    options.poseLandmarkerLiveStreamDelegate = self
    poseLandmarker = try PoseLandmarker(options: options)
  }

  func cameraDelivered(_ frame: MPImage, at milliseconds: Int) throws {
    try poseLandmarker?.detectAsync(image: frame, timestampInMilliseconds: milliseconds)
  }

  func poseLandmarker(
    _ poseLandmarker: PoseLandmarker, didFinishDetection result: PoseLandmarkerResult?, timestampInMilliseconds: Int,
    error: Error?
  ) {
    onResult?(result, timestampInMilliseconds, error)
  }
}
