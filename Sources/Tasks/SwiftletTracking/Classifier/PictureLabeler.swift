import SwiftletBase
import SwiftletTasks
import SwiftletVision

/// Says what a whole picture shows, by the rules of the classifiers of objects.
///
/// - Thread safety: callable concurrently; calls run one after the other.
package final class PictureLabeler: Sendable {
  /// The names of the classes, by index; empty for a model that knows no names.
  package let labels: [String]
  private let classifier: Mutex<CropClassifier>
  private let labelMaker: LabelMaker
  private let timeout: Duration?

  /// - Throws: `TaskError` when an option is out of range, or the model is missing, damaged or no classifier.
  package init(options: ObjectClassifierOptions) throws(TaskError) {
    timeout = options.baseOptions.timeout
    let classifier = try CallContext.within(timeout) { () throws(TaskError) in
      try ObjectModels.classifier(options)
    }
    labels = classifier.labels
    labelMaker = classifier.labelMaker
    self.classifier = Mutex(classifier)
  }

  /// What the picture shows, best first.
  ///
  /// - Parameter image: a picture of any size, in any of the eight orientations.
  /// - Throws: `TaskError` when the model cannot run.
  package func labels(of image: InputImage) throws(TaskError) -> [ObjectLabel] {
    let geometry = PictureGeometry(image)
    let whole = PixelRect(x: 0, y: 0, width: geometry.uprightWidth, height: geometry.uprightHeight)
    return try TaskError.wrapping {
      let scores = try classifier.withLock { classifier in
        try CallContext.within(timeout) { try classifier.scores(of: whole, in: image) }
      }
      return labelMaker.labels(from: scores ?? [])
    }
  }
}
