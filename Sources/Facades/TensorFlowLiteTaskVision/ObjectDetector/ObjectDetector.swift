public import Foundation
import SwiftletVision

/// The options of an object detector.
open class ObjectDetectorOptions: ClassifyingOptions {}

/// Detects objects in images.
///
/// - Thread safety: callable concurrently; calls on one detector run one at a time.
public final class ObjectDetector: NSObject, Sendable {
  private let task: SwiftletVision.ObjectDetector

  private init(_ task: SwiftletVision.ObjectDetector) { self.task = task }

  /// Returns a detector with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the Task Library's domain if options contradict each other, or the model is missing or
  ///   is not an object detection model.
  public static func detector(options: ObjectDetectorOptions) throws -> ObjectDetector {
    try reportingTaskErrors {
      let values = try options.classificationOptions.values()
      return ObjectDetector(
        try SwiftletVision.ObjectDetector(
          options: .init(
            baseOptions: try options.baseOptions.values(), displayNamesLocale: values.locale,
            maxResults: values.maxResults, scoreThreshold: values.scoreThreshold, categoryAllowlist: values.allow,
            categoryDenylist: values.deny)))
    }
  }

  /// Detects the objects in an image of any size; blocks until done.
  ///
  /// - Throws: An `NSError` in the Task Library's domain for images of an unsupported kind.
  public func detect(mlImage image: MLImage) throws -> DetectionResult {
    try reportingTaskErrors { DetectionResult(try task.objects(in: image.storedImage())) }
  }
}
