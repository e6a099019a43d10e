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

  convenience init(_ objects: [ObjectDetection]) {
    self.init(
      detections: objects.map {
        Detection(
          boundingBox: CGRect(x: $0.box.x, y: $0.box.y, width: $0.box.width, height: $0.box.height),
          categories: $0.categories.map { ClassificationCategory($0) })
      })
  }
}
