import SwiftletTracking

/// What the options of all detectors have in common. Make one of the subclasses.
///
/// A detector takes over what is set when it is made; later changes do nothing to it.
open class CommonObjectDetectorOptions: NSObject {
  /// Whether objects get labels. Without it, a custom model is checked but not used.
  open var shouldEnableClassification = false
  /// Whether several objects are found, up to ``maxObjectCount``, and not only the most prominent one.
  open var shouldEnableMultipleObjects = false
  /// How pictures come to the detector.
  open var detectorMode = ObjectDetectorMode.stream

  // MARK: Additions to ML Kit's options

  /// The model that finds objects: any object detection model. `nil` for ``ObjectDetector/defaultLocalizerModel``, and
  /// where there is none for the package's own, which was trained on drawn pictures and is not meant for photographs.
  public var localizerModel: LocalModel?
  /// The most objects when several are found, 1…100.
  open var maxObjectCount = 5
  /// When a stream's frames are searched for objects.
  open var streamPolicy = StreamPolicy.synchronous(every: 1)
  /// How a stream's objects are followed: how long one is remembered, from what score on it is taken up.
  open var trackingOptions = ObjectTrackerOptions.defaultTracking
  /// The most threads that a model uses, the caller's included.
  open var threadCount = 1
  /// Where completion handlers are called. A command-line program that does not run its main queue must name another
  /// one.
  open var completionQueue = DispatchQueue.main
  /// Whether `results(in:)` refuses to block the main thread. True by default on Apple's platforms, false elsewhere,
  /// where programs work on it.
  open var strictMainThreadCheck = MainThread.isGuarded

  override init() {}

  /// What names objects; `nil` for nothing.
  var classifier: ClassifierRecipe? { nil }
}

/// Options of a detector without a custom model.
///
/// ML Kit then names objects by a coarse classifier of its own. This package brings none: objects have no labels unless
/// one is configured.
open class ObjectDetectorOptions: CommonObjectDetectorOptions {
  /// A classifier to use in place of ML Kit's coarse one, if ``CommonObjectDetectorOptions/shouldEnableClassification``
  /// is set: an addition to ML Kit's options.
  open var coarseClassifierModel: LocalModel?

  /// Options for a stream, one object and no labels, as in ML Kit.
  public override init() { super.init() }

  override var classifier: ClassifierRecipe? {
    coarseClassifierModel.map { ClassifierRecipe(source: .local($0)) }
  }
}
