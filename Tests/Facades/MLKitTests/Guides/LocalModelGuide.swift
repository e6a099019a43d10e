// Client code as in an app: it imports nothing but the facade.
import Foundation
import MLKit

/// Tracks the most prominent object in front of a camera, and classifies it with a model that is bundled with the app.
final class CameraCaption {
  private let objectDetector: ObjectDetector

  init(localModelFilePath: String, localizer: LocalModel) {
    let localModel = LocalModel(path: localModelFilePath)
    // Live detection and tracking
    let options = CustomObjectDetectorOptions(localModel: localModel)
    options.shouldEnableClassification = true
    options.maxPerObjectLabelCount = 3
    // Replaces the bundled localizer, which is for synthetic images.
    options.localizerModel = localizer
    objectDetector = ObjectDetector.objectDetector(options: options)
  }

  /// Returns captions for an image. Must be called on the camera's queue.
  func captions(for image: VisionImage) -> [String] {
    var objects: [Object]
    do {
      objects = try objectDetector.results(in: image)
    } catch let error {
      print("Failed to detect object with error: \(error.localizedDescription).")
      return []
    }
    guard !objects.isEmpty else { return [] }
    return objects.map { object in
      let frame = object.frame
      let trackingID = object.trackingID
      let description = object.labels.enumerated().map { (index, label) in
        "Label \(index): \(label.text), \(label.confidence), \(label.index)"
      }.joined(separator: "\n")
      return "\(Int(frame.origin.x)) \(trackingID.map { "\($0)" } ?? "-")\n\(description)"
    }
  }
}

/// Lists the objects in a photograph.
final class PhotoList {
  private let objectDetector: ObjectDetector
  private(set) var resultsText = ""

  init(localModel: LocalModel, localizer: LocalModel, callbacks: DispatchQueue) {
    // Multiple object detection in static images
    let options = CustomObjectDetectorOptions(localModel: localModel)
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true
    options.classificationConfidenceThreshold = NSNumber(value: 0.5)
    options.maxPerObjectLabelCount = 3
    options.localizerModel = localizer
    options.completionQueue = callbacks
    objectDetector = ObjectDetector.objectDetector(options: options)
  }

  func list(_ visionImage: VisionImage, then done: @escaping () -> Void) {
    objectDetector.process(visionImage) { [weak self] objects, error in
      defer { done() }
      guard let strongSelf = self else { return }
      guard error == nil, let objects = objects else {
        strongSelf.resultsText = "Object detection failed with error: \(error?.localizedDescription ?? "none")"
        return
      }
      strongSelf.resultsText = objects.map { object -> String in
        let labels = object.labels.map { "\($0.text) \(Int($0.confidence * 100)) %" }.joined(separator: ", ")
        return "Frame: \(object.frame)\nObject ID: \(object.trackingID?.stringValue ?? "none")\nLabels: \(labels)"
      }.joined(separator: "\n")
    }
  }
}

/// Objects without a custom model.
struct PlainDetection {
  let objectDetector: ObjectDetector

  init(localizer: LocalModel) {
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true
    options.localizerModel = localizer
    objectDetector = ObjectDetector.objectDetector(options: options)
  }

  func foods(in image: VisionImage) throws -> [CGRect] {
    try objectDetector.results(in: image).filter { object in
      object.labels.contains {
        $0.text == DetectedObjectLabel.food.rawValue || $0.index == DetectedObjectLabelIndex.food.rawValue
      }
    }.map(\.frame)
  }
}
