// Client code as in a Swift 5 app for ML Kit, with the module that re-exports all others.
import MLKit

/// Labels a photo with the bundled models.
func captions(of image: VisionImage, completion: @escaping ([String]) -> Void) {
  let options = ImageLabelerOptions()
  options.confidenceThreshold = 0
  options.completionQueue = DispatchQueue(label: "captions")
  let labeler = ImageLabeler.imageLabeler(options: options)
  labeler.process(image) { labels, error in
    guard error == nil, let labels = labels, !labels.isEmpty else { return completion([]) }
    completion(labels.map { label in "\(label.index): \(label.text)" })
  }
}
