public import Foundation
import SwiftletVision

/// The options of object detection.
open class ObjectDetectorOptions: ClassifyingOptions {}

/// Finds objects in images.
///
/// - Thread safety: callable concurrently; calls on one detector run one after the other.
public final class ObjectDetector: NSObject, Sendable {
  private let task: SwiftletVision.ObjectDetector

  private init(_ task: SwiftletVision.ObjectDetector) { self.task = task }

  /// A detector with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the Task Library's domain when options contradict each other, or the model is missing or
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

  /// Finds the objects in an image of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the Task Library's domain for images of a kind that is not taken.
  public func detect(mlImage image: MLImage) throws -> DetectionResult {
    try reportingTaskErrors { DetectionResult(try task.objects(in: image.storedImage())) }
  }
}
