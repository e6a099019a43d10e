public import Foundation
import SwiftletVision

/// The classes of one output of a model.
public final class Classifications: NSObject, Sendable {
  /// The index of the output.
  public let headIndex: Int
  /// The name of the output in the model's metadata; empty if it has none.
  public let headName: String
  /// The categories, best first.
  public let categories: [ClassificationCategory]

  /// Creates the classes of an output without a name.
  public convenience init(headIndex: Int, categories: [ClassificationCategory]) {
    self.init(headIndex: headIndex, headName: nil, categories: categories)
  }

  /// Creates the classes of an output with a name.
  public init(headIndex: Int, headName: String?, categories: [ClassificationCategory]) {
    self.headIndex = headIndex
    self.headName = headName ?? ""
    self.categories = categories
  }
}

/// The result of an image classifier.
public final class ClassificationResult: NSObject, Sendable {
  /// The classes of each output of the model; most models have one output.
  public let classifications: [Classifications]

  /// Creates a result.
  public init(classifications: [Classifications]) { self.classifications = classifications }

  convenience init(_ value: Classification) {
    self.init(
      classifications: value.heads.enumerated().map { index, head in
        Classifications(
          headIndex: index, headName: head.name, categories: head.categories.map(ClassificationCategory.init))
      })
  }
}

/// A class with its score.
public final class ClassificationCategory: NSObject, Sendable {
  /// The index of the class.
  public let index: Int
  /// The score, usually a probability, 0…1.
  public let score: Float
  /// The name from the model's label file, if it has one.
  public let label: String?
  /// The name in the requested locale, if the model has one.
  public let displayName: String?

  /// Creates a class with its score.
  public init(index: Int, score: Float, label: String?, displayName: String?) {
    self.index = index
    self.score = score
    self.label = label
    self.displayName = displayName
  }

  convenience init(_ category: ResultCategory) {
    self.init(
      index: category.index, score: category.score, label: category.categoryName, displayName: category.displayName)
  }
}

/// A detected object.
public final class Detection: NSObject, Sendable {
  /// The bounding box in pixels of the stored image, with the origin at the top left.
  public let boundingBox: CGRect
  /// The categories: usually one, or several if a model assigns several classes to the same box.
  public let categories: [ClassificationCategory]

  /// Creates a detected object.
  public init(boundingBox: CGRect, categories: [ClassificationCategory]) {
    self.boundingBox = boundingBox
    self.categories = categories
  }
}

/// The result of an object detector.
public final class DetectionResult: NSObject, Sendable {
  /// The objects, best first.
  public let detections: [Detection]

  /// Creates a result.
  public init(detections: [Detection]) { self.detections = detections }

  convenience init(_ objects: [ObjectDetection]) {
    self.init(
      detections: objects.map {
        Detection(
          boundingBox: CGRect(x: $0.box.x, y: $0.box.y, width: $0.box.width, height: $0.box.height),
          categories: $0.categories.map { ClassificationCategory($0) })
      })
  }
}
