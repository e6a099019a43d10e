import SwiftletModelStore
import SwiftletTracking
import SwiftletVision

/// What a detector is made from: the values that its options had.
struct DetectorRecipe: Sendable {
  /// Where a classifier comes from.
  enum Source: Sendable {
    case local(LocalModel)
    case remote(CustomRemoteModel)
  }

  struct Classifier: Sendable {
    var source: Source
    var modelManager = ModelManager.modelManager()
    var confidenceThreshold: Float?
    var maxLabelCount = ObjectClassifierOptions.defaultMaxLabelCount
    var inputNormalization: InputNormalization?
    var labels: [String]?
    var locale = "en"
    var cropMargin = 0.0
  }

  let localizerModel: LocalModel?
  let classifier: Classifier?
  let isClassificationEnabled: Bool
  let threadCount: Int
  /// Without models.
  private let base: ObjectTrackerOptions

  init(_ options: CommonObjectDetectorOptions) {
    localizerModel = options.localizerModel
    classifier = options.classifier
    isClassificationEnabled = options.shouldEnableClassification
    threadCount = options.threadCount
    base = ObjectTrackerOptions(
      mode: options.detectorMode, allowsMultipleObjects: options.shouldEnableMultipleObjects,
      maxObjectCount: options.maxObjectCount,
      streamPolicy: options.streamPolicy, tracking: options.trackingOptions)
  }

  /// A tracker, and the local models whose files it uses: while they live, the store does not remove them.
  struct Product: Sendable {
    var tracker: ObjectTracker
    var models: [LocalModel]
  }

  /// - Throws: `ObjectDetectionError` that says what is wrong with the options or the models.
  func make() throws(ObjectDetectionError) -> Product {
    guard threadCount > 0 else {
      throw ObjectDetectionError(.invalidArgument, "threadCount must be 1 or more, got \(threadCount)")
    }
    let (options, models) = try self.options()
    return try reportingDetectionErrors { () throws(ObjectTrackerError) in
      Product(tracker: try ObjectTracker(options: options), models: models)
    }
  }

  /// The tracker's options with their models, and the local ones of these.
  private func options() throws(ObjectDetectionError) -> (ObjectTrackerOptions, [LocalModel]) {
    var options = base
    var models: [LocalModel] = []
    if let localizerModel {
      options.localizer = ObjectLocalizerOptions(baseOptions: try baseOptions(localizerModel))
      models.append(localizerModel)
    }
    if let classifier {
      let model = try localModel(classifier)
      models.append(model)
      var named = ObjectClassifierOptions(
        baseOptions: try baseOptions(model), labels: classifier.labels, locale: classifier.locale,
        confidenceThreshold: classifier.confidenceThreshold, maxLabelCount: classifier.maxLabelCount,
        cropMargin: classifier.cropMargin)
      named.baseOptions.inputNormalization = classifier.inputNormalization
      named.labelsOfUnlabelledModel = model.labels
      let classifier = named
      if isClassificationEnabled {
        options.classifier = classifier
      } else {
        try reportingDetectionErrors { () throws(ObjectTrackerError) in try classifier.checkModel() }
      }
    }
    return (options, models)
  }

  private func localModel(_ classifier: Classifier) throws(ObjectDetectionError) -> LocalModel {
    switch classifier.source {
    case .local(let model): return model
    case .remote(let model):
      do {
        return try classifier.modelManager.localModel(for: model)
      } catch {
        guard error.code == .modelNotDownloaded else { throw ObjectDetectionError(.internalError, error.message) }
        throw .modelNotDownloaded(name: model.name)
      }
    }
  }

  private func baseOptions(_ model: LocalModel) throws(ObjectDetectionError) -> BaseOptions {
    do {
      return BaseOptions(model: .file(try model.checkedPath()), threads: threadCount)
    } catch {
      switch error.code {
      case .modelNotFound: throw .modelNotFound(path: model.path)
      case .invalidArgument:
        throw ObjectDetectionError(.invalidArgument, "the path '\(model.path)' cannot be used: \(error.message)")
      default: throw ObjectDetectionError(.internalError, error.message)
      }
    }
  }
}
