// Client code as in an app that imports ML Kit's modules separately. It has no other import, and uses no name of this
// package.
import MLKitCommon
import MLKitObjectDetection
import MLKitObjectDetectionCommon
import MLKitObjectDetectionCustom
import MLKitVision

/// An object as an app displays it.
struct Finding: Equatable {
  var rectangle: CGRect
  var identifier: Int?
  var caption: String
}

/// Options of a subclass, which apps often define.
final class EverythingOptions: ObjectDetectorOptions {
  override init() {
    super.init()
    shouldEnableMultipleObjects = true
    shouldEnableClassification = true
    detectorMode = .singleImage
  }
}

/// Object detection behind one class, with every kind of call that apps make.
class DetectorService: NSObject {
  private var detector: ObjectDetector
  private(set) var lastDuration: TimeInterval = 0

  init(options: CommonObjectDetectorOptions = EverythingOptions()) {
    detector = ObjectDetector.objectDetector(options: options)
    super.init()
  }

  convenience init?(modelName: String, bundle: Bundle = .main) {
    guard let path = bundle.path(forResource: modelName, ofType: "tflite") else { return nil }
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: path))
    options.classificationConfidenceThreshold = 0.4
    options.maxPerObjectLabelCount = 2
    self.init(options: options)
  }

  func follow() {
    let options = ObjectDetectorOptions()
    options.detectorMode = ObjectDetectorMode.stream
    detector = .objectDetector(options: options)
  }

  /// Makes a blocking call in an asynchronous function.
  func findings(in image: VisionImage) async throws -> [Finding] {
    let begin = Date()
    let objects = try detector.results(in: image)
    lastDuration = Date().timeIntervalSince(begin)
    return objects.map(finding)
  }

  func awaited(_ image: VisionImage) async throws -> [Finding] { try await detector.process(image).map(finding) }

  /// Makes a blocking call in a task.
  func inTask(_ image: @autoclosure @escaping @Sendable () throws -> VisionImage) -> Task<Int, any Error> {
    let detector = self.detector
    return Task {
      let objects = try detector.results(in: try image())
      return objects.count
    }
  }

  func called(_ image: MLKitCompatibleImage, _ done: @escaping ([Finding], Error?) -> Void) {
    weak let weakSelf = self
    detector.process(image) { objects, error in
      guard let strongSelf = weakSelf, error == nil, let objects = objects, !objects.isEmpty else {
        done([], error)
        return
      }
      done(objects.map(strongSelf.finding), nil)
    }
  }

  private func finding(_ object: Object) -> Finding {
    let names = object.labels.sorted { $0.confidence > $1.confidence }.map { (label: ObjectLabel) -> String in
      let percent = String(format: "%.0f", label.confidence * 100)
      return "\(label.index) \(label.text) \(percent) %"
    }
    let isFood = object.labels.contains { $0.text == DetectedObjectLabel.food.rawValue }
    return Finding(
      rectangle: object.frame.insetBy(dx: 1, dy: 1), identifier: object.trackingID?.intValue,
      caption: isFood ? "food" : names.joined(separator: ", "))
  }

  static func clear(_ name: String, then done: @escaping (Error?) -> Void) {
    let model = CustomRemoteModel(remoteModelSource: RemoteModelSource(name: name))
    let manager = ModelManager.modelManager()
    guard !manager.isModelDownloaded(model) else { return }
    manager.deleteDownloadedModel(model) { error in done(error) }
  }

  static func cleared(_ name: String) async throws {
    let model = CustomRemoteModel(remoteModelSource: RemoteModelSource(name: name))
    let progress = ModelManager.modelManager().download(
      model, conditions: ModelDownloadConditions(allowsCellularAccess: false, allowsBackgroundDownloading: true))
    progress.cancel()
    try await ModelManager.modelManager().deleteDownloadedModel(model)
  }
}
