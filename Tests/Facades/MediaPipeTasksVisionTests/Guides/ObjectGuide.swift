// Client code as in an app: it imports nothing but the facade.
import Foundation
import MediaPipeTasksVision

/// Lists the objects in photos.
struct PhotoInventory {
  private let detector: ObjectDetector

  init(modelPath: String, showing names: [String] = []) throws {
    let options = ObjectDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.baseOptions.delegate = .CPU
    options.runningMode = .image
    options.maxResults = 4
    options.scoreThreshold = 0.3
    options.categoryAllowlist = names
    detector = try ObjectDetector(options: options)
  }

  func items(in photo: MPImage) throws -> [(name: String, score: Float, box: CGRect)] {
    let result = try detector.detect(image: photo)
    return result.detections.compactMap { detection in
      guard let category = detection.categories.first, let name = category.categoryName else { return nil }
      return (name, category.score, detection.boundingBox)
    }
  }
}

/// Detects objects in the frames of a video.
final class FilmScanner {
  private var objectDetector: ObjectDetector?

  init(modelPath: String) {
    let options = ObjectDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .video
    options.maxResults = 1
    do {
      objectDetector = try ObjectDetector(options: options)
    } catch {
      print("no detector: \(error.localizedDescription)")
    }
  }

  func scan(_ frames: [MPImage], frameLengthInMilliseconds length: Int) -> [ObjectDetectorResult?] {
    frames.enumerated().map { number, frame in
      try? objectDetector?.detect(videoFrame: frame, timestampInMilliseconds: number * length)
    }
  }
}

/// Detects objects in camera frames.
final class ObjectWatcher: NSObject {
  private var objectDetector: ObjectDetector?
  var onResult: ((ObjectDetectorResult?, Int, Error?) -> Void)?

  init(modelPath: String, threshold: Float) throws {
    super.init()
    let options = ObjectDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .liveStream
    options.scoreThreshold = threshold
    options.objectDetectorLiveStreamDelegate = self
    objectDetector = try ObjectDetector(options: options)
  }

  func cameraDelivered(_ frame: MPImage, at milliseconds: Int) throws {
    try objectDetector?.detectAsync(image: frame, timestampInMilliseconds: milliseconds)
  }

  func stop() { objectDetector = nil }
}

extension ObjectWatcher: ObjectDetectorLiveStreamDelegate {
  func objectDetector(
    _ objectDetector: ObjectDetector,
    didFinishDetection result: ObjectDetectorResult?,
    timestampInMilliseconds: Int,
    error: Error?
  ) {
    onResult?(result, timestampInMilliseconds, error)
  }
}
