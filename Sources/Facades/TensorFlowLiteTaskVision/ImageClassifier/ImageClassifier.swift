public import Foundation
import SwiftletImage
import SwiftletVision

/// The options of an image classifier.
open class ImageClassifierOptions: ClassifyingOptions {}

/// Classifies images.
///
/// - Thread safety: callable concurrently; calls on one classifier run one at a time.
public final class ImageClassifier: NSObject, Sendable {
  private let task: SwiftletVision.ImageClassifier

  private init(_ task: SwiftletVision.ImageClassifier) { self.task = task }

  /// Returns a classifier with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the Task Library's domain if options contradict each other, or the model is missing or
  ///   is not an image classification model.
  public static func classifier(options: ImageClassifierOptions) throws -> ImageClassifier {
    try reportingTaskErrors {
      let values = try options.classificationOptions.values()
      return ImageClassifier(
        try SwiftletVision.ImageClassifier(
          options: .init(
            baseOptions: try options.baseOptions.values(), displayNamesLocale: values.locale,
            maxResults: values.maxResults, scoreThreshold: values.scoreThreshold, categoryAllowlist: values.allow,
            categoryDenylist: values.deny)))
    }
  }

  /// Classifies an image of any size; blocks until done.
  ///
  /// - Throws: An `NSError` in the Task Library's domain for images of an unsupported kind.
  public func classify(mlImage image: MLImage) throws -> ClassificationResult {
    try reportingTaskErrors {
      ClassificationResult(try task.classification(of: image.storedImage()))
    }
  }

  /// Classifies a part of an image; blocks until done.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - roi: The part, in pixels of the stored image, with the origin at the top left.
  /// - Throws: An `NSError` in the Task Library's domain for images of an unsupported kind, and for a part that is not
  ///   inside the image.
  public func classify(mlImage image: MLImage, regionOfInterest roi: CGRect) throws -> ClassificationResult {
    try reportingTaskErrors {
      let storedImage = try image.storedImage()
      let width = CGFloat(storedImage.width), height = CGFloat(storedImage.height)
      guard roi.minX >= 0, roi.minY >= 0, roi.maxX <= width, roi.maxY <= height else {
        throw TaskError(
          .invalidRegion,
          "the region \(roi) is not within the image of \(storedImage.width) × \(storedImage.height) pixels")
      }
      let region = NormalizedRect(
        left: Float(roi.minX / width), top: Float(roi.minY / height), right: Float(roi.maxX / width),
        bottom: Float(roi.maxY / height))
      return ClassificationResult(try task.classification(of: storedImage, region: region))
    }
  }
}
