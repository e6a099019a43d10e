// Client code as in an app: it imports nothing but the facade.
import Foundation
import MediaPipeTasksVision

/// Detects the pose, hands, and face of a person.
enum WholePerson {
  static func result(of photo: MPImage, bundle: [UInt8]) throws -> HolisticLandmarkerResult {
    let options = HolisticLandmarkerOptions()
    options.baseOptions.modelBytes = bundle
    options.runningMode = .image
    options.minFaceDetectionConfidence = 0.5
    options.minFaceSuppressionThreshold = 0.3
    options.minFacePresenceConfidence = 0.5
    options.minPoseDetectionConfidence = 0.5
    options.minPoseSuppressionThreshold = 0.3
    options.minPosePresenceConfidence = 0.5
    options.minHandLandmarksConfidence = 0.5
    options.outputFaceBlendshapes = true
    options.outputPoseSegmentationMasks = true
    let holisticLandmarker = try HolisticLandmarker(options: options)
    return try holisticLandmarker.detect(image: photo)
  }

  /// Whether the wrists are farther apart than the length of a hand.
  static func handsAreApart(in result: HolisticLandmarkerResult) -> Bool {
    func distance(_ one: Landmark, _ other: Landmark) -> Float { hypot(one.x - other.x, one.y - other.y) }
    guard let left = result.leftHandWorldLandmarks.first, let right = result.rightHandWorldLandmarks.first else {
      return false
    }
    return distance(left, right) > distance(left, result.leftHandWorldLandmarks[12])
  }
}

/// Shows a person in front of a camera as a puppet.
final class Mirror: NSObject, HolisticLandmarkerLiveStreamDelegate {
  private(set) var holisticLandmarker: HolisticLandmarker?
  var onResult: ((HolisticLandmarkerResult?, Int, Error?) -> Void)?

  init(bundle: [UInt8]) throws {
    super.init()
    let options = HolisticLandmarkerOptions()
    options.baseOptions.modelBytes = bundle
    options.runningMode = .liveStream
    options.holisticLandmarkerLiveStreamDelegate = self
    holisticLandmarker = try HolisticLandmarker(options: options)
  }

  func cameraDelivered(_ frame: MPImage, at milliseconds: Int) throws {
    try holisticLandmarker?.detectAsync(image: frame, timestampInMilliseconds: milliseconds)
  }

  func holisticLandmarker(
    _ holisticLandmarker: HolisticLandmarker, didFinishDetection result: HolisticLandmarkerResult?,
    timestampInMilliseconds: Int, error: Error?
  ) {
    onResult?(result, timestampInMilliseconds, error)
  }
}
