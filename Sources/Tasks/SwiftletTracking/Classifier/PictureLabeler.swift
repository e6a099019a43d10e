import SwiftletBase
import SwiftletTasks
package import SwiftletVision

/// Says what a whole picture shows, by the rules of the classifiers of objects.
///
/// - Thread safety: callable concurrently; calls run one after the other.
package final class PictureLabeler: Sendable {
  /// The names of the classes, by index; empty for a model that knows no names.
  package let labels: [String]
  /// What can be made use of a picture.
  package let detail: PictureDetail
  private let classifier: Serialized<CropClassifier>
  private let labelMaker: LabelMaker
  private let timeout: Duration?

  /// - Throws: `ObjectTrackerError` when an option is out of range, or the model is missing, damaged or no classifier.
  package init(options: ObjectClassifierOptions) throws(ObjectTrackerError) {
    timeout = options.baseOptions.timeout
    let classifier = try CallContext.within(timeout) { () throws(ObjectTrackerError) in
      try ObjectModels.classifier(options)
    }
    labels = classifier.labels
    labelMaker = classifier.labelMaker
    detail = classifier.detail
    self.classifier = Serialized(classifier)
  }

  /// What the picture shows, best first.
  ///
  /// - Parameter image: a picture of any size, in any of the eight orientations.
  /// - Throws: `ObjectTrackerError` when the model cannot run.
  package func labels(of image: MPImage) throws(ObjectTrackerError) -> [ObjectLabel] {
    let geometry = PictureGeometry(image)
    let whole = BoundingBox(x: 0, y: 0, width: geometry.uprightWidth, height: geometry.uprightHeight)
    return try ObjectTrackerError.wrapping {
      let scores = try classifier.withLock { classifier in
        try CallContext.within(timeout) { try classifier.scores(of: whole, in: image) }
      }
      return labelMaker.labels(from: scores ?? [])
    }
  }
}
