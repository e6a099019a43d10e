// Client code as in an app: it has no other import, and uses no name of this package.
import MediaPipeTasksVision

protocol LandmarkServiceDelegate: AnyObject {
  func landmarkService(_ service: LandmarkService, didFinish bundle: LandmarkBundle?, error: Error?)
}

/// A result with the time it took.
struct LandmarkBundle {
  let inferenceTime: Double
  let results: [PoseLandmarkerResult?]
  var size: CGSize = .zero
}

/// Options of a subclass, which apps often define.
final class CarefulOptions: PoseLandmarkerOptions {
  override init() {
    super.init()
    minPoseDetectionConfidence = 0.6
    numPoses = 2
    baseOptions.delegate = .GPU
  }
}

/// Pose detection in images, videos, and from a camera.
class LandmarkService: NSObject {
  weak var liveStreamDelegate: LandmarkServiceDelegate?
  var landmarker: PoseLandmarker?
  private(set) var runningMode = RunningMode.image
  private let queue = DispatchQueue(label: "landmarks", qos: .userInitiated)

  init?(modelName: String, in bundle: Bundle, mode: RunningMode, delegate: Delegate = .CPU) {
    guard let path = bundle.path(forResource: modelName, ofType: "task") else { return nil }
    runningMode = mode
    super.init()
    let options = CarefulOptions()
    options.runningMode = runningMode
    options.baseOptions.modelAssetPath = path
    options.baseOptions.delegate = delegate
    if runningMode == .liveStream { options.poseLandmarkerLiveStreamDelegate = self }
    do {
      landmarker = try PoseLandmarker(options: options)
    } catch {
      print(error)
      return nil
    }
  }

  func detect(image: MPImage) -> LandmarkBundle? {
    let begin = Date()
    guard let result = try? landmarker?.detect(image: image) else { return nil }
    return LandmarkBundle(inferenceTime: Date().timeIntervalSince(begin) * 1000, results: [result])
  }

  func detect(frames: [MPImage], interval: Double) async -> LandmarkBundle {
    let begin = Date()
    var results: [PoseLandmarkerResult?] = []
    for (index, frame) in frames.enumerated() {
      let time = Int(interval) * index
      do {
        results.append(try landmarker?.detect(videoFrame: frame, timestampInMilliseconds: time))
      } catch {
        print(error)
      }
    }
    return LandmarkBundle(
      inferenceTime: Date().timeIntervalSince(begin) / Double(frames.count) * 1000, results: results)
  }

  func detectAsync(image: MPImage, time: Int) {
    do {
      try landmarker?.detectAsync(image: image, timestampInMilliseconds: time)
    } catch let error as NSError where error.code == TasksErrorCode.invalidArgumentError.rawValue {
      print(error.localizedDescription)
    } catch {
      print(error)
    }
  }

  /// Returns the positions of the joints in a view, and the lines between them.
  static func lines(_ result: PoseLandmarkerResult, in rectangle: CGRect) -> [(CGPoint, CGPoint)] {
    guard let points = result.landmarks.first?.map({ $0.point(in: rectangle) }) else { return [] }
    return PoseLandmarker.poseLandmarks.map { (points[Int($0.start)], points[Int($0.end)]) }
  }
}

extension NormalizedLandmark {
  func point(in rectangle: CGRect) -> CGPoint {
    let isVisible = (visibility?.floatValue ?? 1) > 0.5
    return isVisible
      ? CGPoint(x: rectangle.minX + CGFloat(x) * rectangle.width, y: rectangle.minY + CGFloat(y) * rectangle.height)
      : .zero
  }
}

extension LandmarkService: PoseLandmarkerLiveStreamDelegate {
  func poseLandmarker(
    _ poseLandmarker: PoseLandmarker, didFinishDetection result: PoseLandmarkerResult?, timestampInMilliseconds: Int,
    error: Error?
  ) {
    guard let result = result else {
      liveStreamDelegate?.landmarkService(self, didFinish: nil, error: error)
      return
    }
    let time = Date().timeIntervalSince1970 * 1000 - Double(timestampInMilliseconds)
    liveStreamDelegate?.landmarkService(
      self, didFinish: LandmarkBundle(inferenceTime: time, results: [result]), error: nil)
  }
}
