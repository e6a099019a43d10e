public import Foundation
import SwiftletVision

/// An object with its box.
public final class Detection: NSObject, Sendable {
  /// In pixels of the picture as it is stored, origin at the top left.
  public let boundingBox: CGRect
  /// Usually one; several where a model gives the same box several classes.
  public let categories: [ClassificationCategory]

  /// An object with its box.
  public init(boundingBox: CGRect, categories: [ClassificationCategory]) {
    self.boundingBox = boundingBox
    self.categories = categories
  }
}

/// What an object detector returns.
public final class DetectionResult: NSObject, Sendable {
  /// The objects, best first.
  public let detections: [Detection]

  /// The objects of a picture.
  public init(detections: [Detection]) { self.detections = detections }

  /// - Parameter numbers: of the classes by their names, as the task tells names alone.
  convenience init(_ result: ObjectDetectorResult, numbers: [String: Int]) {
    self.init(
      detections: result.detections.map { detection in
        let categories = detection.categories.map { category in
          var category = category
          if category.index < 0, let number = category.categoryName.flatMap({ numbers[$0] }) { category.index = number }
          return ClassificationCategory(category)
        }
        return Detection(boundingBox: detection.boundingBox, categories: categories)
      })
  }
}
