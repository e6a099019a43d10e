import SwiftletBase
import SwiftletImage
import SwiftletModels
import SwiftletTasks
import SwiftletTracking
import SwiftletVision

/// What a detector is made from: the values that its options had.
struct DetectorRecipe: Sendable {
  private let localizerModel: LocalModel?
  private let classifier: ClassifierRecipe?
  private let isClassificationEnabled: Bool
  private let threadCount: Int
  private let mode: ObjectDetectorMode
  /// Without models and mode.
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

  /// A tracker, and the local models whose files it uses: while they live, the store does not remove them.
  struct Product: Sendable {
    var tracker: ObjectTracker
    /// The stream; `nil` for single images.
    var stream: DetectorStream?
    var models: [LocalModel]
  }

  /// - Throws: `MLKitError` that says what is wrong with the options or the models.
  func make() throws(MLKitError) -> Product {
    try MLKitError.requireThreads(threadCount)
    let isStream = try mode.isStream()
    let (options, models) = try self.options()
    return try reportingMLKitErrors { () throws(TaskError) in
      let tracker = try ObjectTracker(options: options)
      return Product(tracker: tracker, stream: isStream ? DetectorStream(tracker.video()) : nil, models: models)
    }
  }

  /// The tracker's options with their models, and the local ones of these.
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

  /// The options' model, else the process's, else the bundled one.
  private func localizer() throws(MLKitError) -> BaseOptions {
    if let localizerModel { return try BaseOptions(localizerModel, threads: threadCount) }
    if let model = DefaultLocalizer.model { return model }
    DeveloperWarnings.warnOfSyntheticLocalizer()
    return BaseOptions(model: .embedded(.objectDetector), threads: threadCount)
  }
}

/// The stream of a detector. A time that is not later than the last one begins it again, as in ML Kit.
///
/// - Thread safety: callable concurrently; frames are processed one after the other.
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
