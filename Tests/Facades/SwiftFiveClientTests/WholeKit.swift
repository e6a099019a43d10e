// Written as apps write it, in Swift 5, for ML Kit by the module that shows all of it.
import MLKit

/// What a photograph shows, by the models that come along.
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
