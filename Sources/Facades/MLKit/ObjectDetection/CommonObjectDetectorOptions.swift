public import Foundation
public import SwiftletTracking

/// What the options of all detectors have in common. Make one of the subclasses.
///
/// A detector takes over what is set when it is made; later changes do nothing to it.
public class CommonObjectDetectorOptions: NSObject {
  /// Whether objects get labels. Without it, a custom model is checked but not used.
  public var shouldEnableClassification = false
  /// Whether several objects are found, up to ``maxObjectCount``, and not only the most prominent one.
  public var shouldEnableMultipleObjects = false
  /// How pictures come to the detector.
  public var detectorMode = ObjectDetectorMode.stream

  // MARK: Additions to ML Kit's options

  /// The model that finds objects: any object detection model. `nil` for ``ObjectDetector/defaultLocalizerModel``.
  public var localizerModel: LocalModel?
  /// The most objects when several are found, 1…100.
  public var maxObjectCount = 5
  /// When a stream's frames are searched for objects.
  public var streamPolicy = StreamPolicy.synchronous(every: 1)
  /// How a stream's objects are followed: how long one is remembered, from what score on it is taken up.
  public var trackingOptions = ObjectTrackerOptions.defaultTracking
  /// The most threads that a model uses, the caller's included.
  public var threadCount = 1
  /// Where completion handlers are called. A command-line program that does not run its main queue must name another
  /// one.
  public var completionQueue = DispatchQueue.main
  /// Whether `results(in:)` refuses to block the main thread. True by default on Apple's platforms, false elsewhere,
  /// where programs work on it.
  public var strictMainThreadCheck: Bool

  override init() {
    #if canImport(Darwin)
      strictMainThreadCheck = true
    #else
      strictMainThreadCheck = false
    #endif
  }

  /// What names objects; `nil` for nothing.
  var classifier: DetectorRecipe.Classifier? { nil }
}

/// Options of a detector without a custom model.
///
/// ML Kit then names objects by a coarse classifier of its own. This package brings none: objects have no labels unless
/// one is configured.
public final class ObjectDetectorOptions: CommonObjectDetectorOptions {
  /// A classifier to use in place of ML Kit's coarse one, if ``CommonObjectDetectorOptions/shouldEnableClassification``
  /// is set: an addition to ML Kit's options.
  public var coarseClassifierModel: LocalModel?

  public override init() { super.init() }

  override var classifier: DetectorRecipe.Classifier? {
    coarseClassifierModel.map { DetectorRecipe.Classifier(source: .local($0)) }
  }
}
