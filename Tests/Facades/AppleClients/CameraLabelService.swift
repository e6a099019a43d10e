// Client code as in an app for Apple's platforms, with the parts of UIKit and Core Media that ML Kit's modules
// re-export. Tools/apple-branches/check compiles it in the Swift 5 and Swift 6 language modes.
import MLImage
import MLKitImageLabeling
import MLKitObjectDetection
import MLKitVision

/// Detects objects and labels in camera frames and photos.
final class CameraLabelService {
  private let detector: ObjectDetector
  private let labeler: ImageLabeler

  init(threshold: Double) {
    let options = ObjectDetectorOptions()
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true
    detector = ObjectDetector.objectDetector(options: options)
    let labelerOptions = ImageLabelerOptions()
    labelerOptions.confidenceThreshold = NSNumber(value: threshold)
    labeler = ImageLabeler.imageLabeler(options: labelerOptions)
  }

  /// Returns the objects in a frame. Must be called on the camera's queue.
  func objects(in sampleBuffer: CMSampleBuffer, orientation: UIImage.Orientation) -> [(CGRect, NSNumber?)] {
    let image = VisionImage(buffer: sampleBuffer)
    image.orientation = orientation
    do {
      return try detector.results(in: image).map { ($0.frame, $0.trackingID) }
    } catch {
      print("no objects: \(error.localizedDescription)")
      return []
    }
  }

  func objects(inFrame sampleBuffer: CMSampleBuffer, front: Bool) throws -> Int {
    guard let image = MLImage(sampleBuffer: sampleBuffer) else { return 0 }
    image.orientation = front ? .leftMirrored : .right
    return try detector.results(in: image).count
  }

  func caption(of photograph: UIImage, then show: @escaping (String) -> Void) {
    let image = VisionImage(image: photograph)
    image.orientation = photograph.imageOrientation
    labeler.process(image) { labels, error in
      guard error == nil, let labels = labels else {
        show(error?.localizedDescription ?? "nothing")
        return
      }
      show(labels.map { "\($0.text) \($0.confidence)" }.joined(separator: ", "))
    }
  }

  func labels(of photograph: UIImage) async throws -> [String] {
    guard let image = MLImage(image: photograph) else { return [] }
    return try await labeler.process(image).map(\.text)
  }
}
