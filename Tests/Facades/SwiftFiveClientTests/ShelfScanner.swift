// Client code as in a Swift 5 app for ML Kit that imports the modules separately, with the names in its documentation.
import MLImage
import MLKitCommon
import MLKitImageLabeling
import MLKitImageLabelingCommon
import MLKitImageLabelingCustom
import MLKitObjectDetection
import MLKitObjectDetectionCommon
import MLKitObjectDetectionCustom
import MLKitVision

/// Detects and classifies the objects on a shelf.
class ShelfScanner {
  struct Finding {
    let frame: CGRect
    let identifier: Int?
    let names: [String]
  }

  private var detector: ObjectDetector
  private var labeler: ImageLabeler

  init(localizerPath: String, classifierPath: String, isStream: Bool) {
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: classifierPath))
    options.localizerModel = LocalModel(path: localizerPath)
    options.detectorMode = isStream ? .stream : .singleImage
    options.shouldEnableClassification = true
    options.shouldEnableMultipleObjects = true
    options.completionQueue = DispatchQueue(label: "shelf-scanner")
    detector = ObjectDetector.objectDetector(options: options)
    let labelerOptions = CustomImageLabelerOptions(localModel: LocalModel(path: classifierPath))
    labelerOptions.confidenceThreshold = NSNumber(value: 0.1)
    labelerOptions.completionQueue = options.completionQueue
    labeler = ImageLabeler.imageLabeler(options: labelerOptions)
  }

  func scan(_ image: VisionImage, completion: @escaping ([Finding], Error?) -> Void) {
    detector.process(image) { [weak self] objects, error in
      guard self != nil, let objects = objects, error == nil else { return completion([], error) }
      completion(
        objects.map { object in
          Finding(
            frame: object.frame, identifier: object.trackingID?.intValue, names: object.labels.map { $0.text })
        }, nil)
    }
  }

  func name(of image: MLImage) -> String? {
    var labels: [ImageLabel] = []
    do {
      labels = try labeler.results(in: image)
    } catch let error {
      print("Failed with error: \(error.localizedDescription).")
    }
    return labels.max { $0.confidence < $1.confidence }?.text
  }
}
