// Client code as in an app: it imports nothing but the facade.
import Foundation
import MediaPipeTasksVision

/// Computes the lines of the hands in a photo, in pixels.
enum HandSketch {
  static func lines(in photo: MPImage, modelPath: String) throws -> [[(from: CGPoint, to: CGPoint)]] {
    let options = HandLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.numHands = 2
    options.minHandDetectionConfidence = 0.5
    options.minHandPresenceConfidence = 0.5
    let handLandmarker = try HandLandmarker(options: options)
    let result = try handLandmarker.detect(image: photo)
    return result.landmarks.map { points in
      HandLandmarker.handConnections.map { connection in
        func pixel(_ index: UInt) -> CGPoint {
          let point = points[Int(index)]
          return CGPoint(x: CGFloat(point.x) * photo.width, y: CGFloat(point.y) * photo.height)
        }
        return (from: pixel(connection.start), to: pixel(connection.end))
      }
    }
  }
}

/// Recognizes a gesture in camera frames.
final class GestureWatcher: GestureRecognizerLiveStreamDelegate, HandLandmarkerLiveStreamDelegate {
  private var gestureRecognizer: GestureRecognizer?
  private var handLandmarker: HandLandmarker?
  var onGesture: ((String?, Int, Error?) -> Void)?
  var onHands: ((Int, Int, Error?) -> Void)?

  func watchGestures(model: [UInt8]) throws {
    let options = GestureRecognizerOptions()
    options.baseOptions.modelBytes = model
    options.runningMode = .liveStream
    options.gestureRecognizerLiveStreamDelegate = self
    options.minTrackingConfidence = 0.5
    let canned = ClassifierOptions()
    canned.scoreThreshold = 0.3
    canned.categoryDenylist = ["None"]
    options.cannedGesturesClassifierOptions = canned
    gestureRecognizer = try GestureRecognizer(options: options)
  }

  func watchHands(modelPath: String) throws {
    let options = HandLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .liveStream
    options.handLandmarkerLiveStreamDelegate = self
    handLandmarker = try HandLandmarker(options: options)
  }

  func cameraDelivered(_ frame: MPImage, at milliseconds: Int) throws {
    try gestureRecognizer?.recognizeAsync(image: frame, timestampInMilliseconds: milliseconds)
    try handLandmarker?.detectAsync(image: frame, timestampInMilliseconds: milliseconds)
  }

  func gestureRecognizer(
    _ gestureRecognizer: GestureRecognizer, didFinishGestureRecognition result: GestureRecognizerResult?,
    timestampInMilliseconds: Int, error: Error?
  ) {
    onGesture?(result?.gestures.first?.first?.categoryName, timestampInMilliseconds, error)
  }

  func handLandmarker(
    _ handLandmarker: HandLandmarker, didFinishDetection result: HandLandmarkerResult?, timestampInMilliseconds: Int,
    error: Error?
  ) {
    onHands?(result?.landmarks.count ?? -1, timestampInMilliseconds, error)
  }
}
