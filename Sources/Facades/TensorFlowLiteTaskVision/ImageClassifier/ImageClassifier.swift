public import Foundation
import SwiftletImage
import SwiftletVision

/// The options of image classification.
open class ImageClassifierOptions: ClassifyingOptions {}

/// A classifier of images.
///
/// - Thread safety: callable concurrently; calls on one classifier run one after the other.
public final class ImageClassifier: NSObject, Sendable {
  private let task: SwiftletVision.ImageClassifier

  private init(_ task: SwiftletVision.ImageClassifier) { self.task = task }

  /// A classifier with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the Task Library's domain when options contradict each other, or the model is missing or
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
  /// - Throws: an `NSError` of the Task Library's domain for images of a kind that is not taken.
  public func classify(mlImage image: MLImage) throws -> ClassificationResult {
    try reportingTaskErrors {
      ClassificationResult(try task.classification(of: image.storedImage()))
    }
  }

  /// Classifies a part of an image; blocks until done.
  ///
  /// - Parameters:
  ///   - image: the image.
  ///   - roi: in pixels of the image as it is stored, origin at the top left.
  /// - Throws: an `NSError` of the Task Library's domain for images of a kind that is not taken, and for a part that
  ///   is not within the image.
  public func classify(mlImage image: MLImage, regionOfInterest roi: CGRect) throws -> ClassificationResult {
    try reportingTaskErrors {
      let picture = try image.storedImage()
      let width = CGFloat(picture.width), height = CGFloat(picture.height)
      guard roi.minX >= 0, roi.minY >= 0, roi.maxX <= width, roi.maxY <= height else {
        throw TaskError(
          .invalidRegion, "the region \(roi) is not within the image of \(picture.width) × \(picture.height) pixels")
      }
      let region = NormalizedRect(
        left: Float(roi.minX / width), top: Float(roi.minY / height), right: Float(roi.maxX / width),
        bottom: Float(roi.maxY / height))
      return ClassificationResult(try task.classification(of: picture, region: region))
    }
  }
}
