import SwiftletBase
import SwiftletImage
import SwiftletModels
import SwiftletTasks
import SwiftletTracking
import SwiftletVision

/// A snapshot of the options for a detector.
struct DetectorRecipe: Sendable {
  private let localizerModel: LocalModel?
  private let classifier: ClassifierRecipe?
  private let isClassificationEnabled: Bool
  private let threadCount: Int
  private let mode: ObjectDetectorMode
  /// The tracker's options, without models and mode.
  private let base: ObjectTrackerOptions

  init(_ options: CommonObjectDetectorOptions) {
    localizerModel = options.localizerModel
    classifier = options.classifier
    isClassificationEnabled = options.shouldEnableClassification
    threadCount = options.threadCount
    mode = options.detectorMode
    base = ObjectTrackerOptions(
      allowsMultipleObjects: options.shouldEnableMultipleObjects, maxObjectCount: options.maxObjectCount,
      streamPolicy: options.streamPolicy, tracking: options.trackingOptions)
  }

  /// A tracker, and the local models whose files it uses. As long as they exist, the store does not remove the files.
  struct Product: Sendable {
    var tracker: ObjectTracker
    /// The stream; `nil` for single images.
    var stream: DetectorStream?
    var models: [LocalModel]
  }

  /// Creates the tracker.
  ///
  /// - Throws: `MLKitError` with the problem with the options or the models.
  func make() throws(MLKitError) -> Product {
    try MLKitError.requireThreads(threadCount)
    let isStream = try mode.isStream("detector")
    let (options, models) = try self.options()
    return try reportingMLKitErrors { () throws(TaskError) in
      let tracker = try ObjectTracker(options: options)
      return Product(tracker: tracker, stream: isStream ? DetectorStream(tracker.video()) : nil, models: models)
    }
  }

  /// Returns the tracker's options with their models, and the local models among these.
  private func options() throws(MLKitError) -> (ObjectTrackerOptions, [LocalModel]) {
    var options = base
    options.localizer = ObjectLocalizerOptions(baseOptions: try localizer())
    var models = localizerModel.map { [$0] } ?? []
    if let classifier {
      let (named, model) = try classifier.options(threads: threadCount)
      if let model { models.append(model) }
      if isClassificationEnabled {
        options.classifier = named
      } else {
        try reportingMLKitErrors { () throws(TaskError) in try named.checkModel() }
      }
    }
    return (options, models)
  }

  /// Returns the localizer: the model in the options, otherwise the default of the process, otherwise the bundled
  /// model.
  private func localizer() throws(MLKitError) -> BaseOptions {
    if let localizerModel { return try BaseOptions(localizerModel, threads: threadCount) }
    if let model = DefaultLocalizer.model { return model }
    DeveloperWarnings.warnOfSyntheticLocalizer()
    return BaseOptions(model: .embedded(.objectDetector), threads: threadCount)
  }
}

/// The stream of a detector. It restarts if a timestamp is not later than the last one, as in ML Kit.
///
/// - Thread safety: callable concurrently; frames are processed one by one.
final class DetectorStream: Sendable {
  private let session: ObjectTrackingSession
  private let lastTime = Mutex<Duration?>(nil)

  init(_ session: ObjectTrackingSession) { self.session = session }

  func objects(in image: InputImage, at time: Duration) throws(TaskError) -> [TrackedObject] {
    try lastTime.withLock { last throws(TaskError) in
      if let last, time <= last { session.reset() }
      last = time
      return try session.objects(in: image, at: time)
    }
  }

  func reset() { session.reset() }
}
