import SwiftletBase
import SwiftletTasks
import SwiftletVision

/// Selects an object's labels from the scores of all classes.
struct LabelMaker: Sendable {
  /// The class names by index; empty for models without labels.
  let labels: [String]
  let threshold: Float
  let limit: Int

  /// Returns the classes whose score reaches the threshold, best first, up to the limit. Classes with equal scores are
  /// ordered by index.
  func labels(from scores: [Float]) -> [ObjectLabel] {
    var ranking = ScoreRanking(limit: limit)
    // NaN fails this comparison with any threshold.
    for (index, score) in scores.enumerated() where score >= threshold {
      ranking.insert(.init(index: index, score: score))
    }
    ranking.sort()
    return ranking.entries.map { entry in
      ObjectLabel(
        text: labels.indices.contains(entry.index) ? labels[entry.index] : "", index: entry.index,
        confidence: entry.score)
    }
  }
}

/// A label of an object, with the confidence of the classifier.
public struct ObjectLabel: Sendable, Hashable {
  /// The class name, in the requested locale if the model has it; empty for models without labels.
  public var text: String
  /// The index of the class in the classifier's output.
  public var index: Int
  /// The output of the model, usually 0…1. It is not clamped or normalized.
  public var confidence: Float

  /// Creates a label with its confidence.
  public init(text: String, index: Int, confidence: Float) {
    self.text = text
    self.index = index
    self.confidence = confidence
  }
}

/// The model of an object classifier, and the selection of labels.
public struct ObjectClassifierOptions: Sendable, Hashable {
  /// The default maximum number of labels per object.
  public static let defaultMaxLabelCount = 10

  /// The image classification model, and how it runs. `inputNormalization` replaces the normalization in its metadata.
  public var baseOptions: BaseOptions
  /// The class names, one per class, which replace the labels in the model; `nil` for the model's own labels.
  public var labels: [String]?
  /// The locale of the labels, for models that have them in several languages: `en`, `de`, …
  public var locale: String
  /// The minimum confidence. Labels with a lower confidence are not reported. If it is `nil` or outside 0…1, the
  /// threshold in the model's metadata is used, or 0 if there is none.
  public var confidenceThreshold: Float?
  /// The maximum number of labels per object. Values less than 1 mean ``defaultMaxLabelCount``.
  public var maxLabelCount: Int
  /// The margin that is added on each side of an object for the classifier, as a fraction of the object's size. For
  /// models that were trained with a margin.
  public var cropMargin: Double
  /// The class names for a model without labels.
  package var labelsOfUnlabeledModel: [String]?

  /// Creates options. Parameters that you omit have their default values.
  public init(
    baseOptions: BaseOptions, labels: [String]? = nil, locale: String = "en", confidenceThreshold: Float? = nil,
    maxLabelCount: Int = ObjectClassifierOptions.defaultMaxLabelCount, cropMargin: Double = 0
  ) {
    self.baseOptions = baseOptions
    self.labels = labels
    self.locale = locale
    self.confidenceThreshold = confidenceThreshold
    self.maxLabelCount = maxLabelCount
    self.cropMargin = cropMargin
  }

  func validate() throws(TaskError) {
    guard (0...10).contains(cropMargin) else {
      throw .invalidOption("the classifier's cropMargin must be from 0 to 10, got \(cropMargin)")
    }
  }

  /// Loads the model to check whether it can classify objects, and releases it.
  ///
  /// - Throws: `TaskError` with the requirement that the model violates, or the problem with the options.
  public func checkModel() throws(TaskError) { _ = try ObjectModels.classifier(self) }

  /// Returns the confidence threshold of the options if it is valid, otherwise the threshold in the metadata, otherwise
  /// 0.
  func threshold(inMetadata: Float?) -> Float {
    if let confidenceThreshold, (0...1).contains(confidenceThreshold) { return confidenceThreshold }
    return inMetadata ?? 0
  }

  /// The effective maximum number of labels.
  var labelLimit: Int { maxLabelCount > 0 ? maxLabelCount : Self.defaultMaxLabelCount }
}

/// Labels whole images with the same rules as objects.
///
/// - Thread safety: callable concurrently; calls run one at a time.
package final class FrameLabeler: Sendable {
  /// The class names by index; empty for a model without labels.
  package let labels: [String]
  private let classifier: Mutex<CropClassifier>
  private let labelMaker: LabelMaker
  private let timeout: Duration?

  /// Creates a labeler.
  ///
  /// - Throws: `TaskError` if an option is out of range, or the model is missing, damaged, or not a classifier.
  package init(options: ObjectClassifierOptions) throws(TaskError) {
    timeout = options.baseOptions.timeout
    let classifier = try CallContext.within(timeout) { () throws(TaskError) in
      try ObjectModels.classifier(options)
    }
    labels = classifier.labels
    labelMaker = classifier.labelMaker
    self.classifier = Mutex(classifier)
  }

  /// Returns the labels of an image, best first.
  ///
  /// - Parameter image: An image of any size, in any of the eight orientations.
  /// - Throws: `TaskError` if the model cannot run.
  package func labels(of image: InputImage) throws(TaskError) -> [ObjectLabel] {
    let geometry = ImageGeometry(image)
    let whole = PixelRect(x: 0, y: 0, width: geometry.uprightWidth, height: geometry.uprightHeight)
    return try TaskError.wrapping {
      let scores = try classifier.withLock { classifier in
        try CallContext.within(timeout) { try classifier.scores(of: whole, in: image) }
      }
      return labelMaker.labels(from: scores ?? [])
    }
  }
}
