import SwiftletBase
import SwiftletSchema
import SwiftletTasks
import SwiftletVision

/// Chooses an object's labels among the scores of all classes.
struct LabelMaker: Sendable {
  /// By class; empty for models without names.
  let labels: [String]
  let threshold: Float
  let limit: Int

  /// The classes whose score reaches the threshold, best first, equal ones in the order of their numbers, cut to the
  /// limit.
  func labels(from scores: [Float]) -> [ObjectLabel] {
    var ranking = ScoreRanking(limit: limit)
    // NaN passes no threshold.
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
  /// The class's name, in the language asked for where the model has it; empty for models without names.
  public var text: String
  /// The position of the class in the classifier's output.
  public var index: Int
  /// The model's number, neither clamped nor made to add up; usually 0…1.
  public var confidence: Float

  /// Creates a label with its confidence.
  public init(text: String, index: Int, confidence: Float) {
    self.text = text
    self.index = index
    self.confidence = confidence
  }
}

/// The model of an object classifier, and the labels that count.
public struct ObjectClassifierOptions: Sendable, Hashable {
  /// The most labels of an object, unless another number is given.
  public static let defaultMaxLabelCount = 10

  /// An image classification model. `inputNormalization` replaces what its metadata says.
  public var baseOptions: BaseOptions
  /// Names of the classes in place of those in the model, one per class; `nil` for the model's own.
  public var labels: [String]?
  /// The language of the labels, for models that have them in several: `en`, `de`, …
  public var locale: String
  /// Labels with a lower confidence are left out. `nil`, and everything outside of 0…1, leaves it to the model's
  /// metadata; without a threshold there it is 0.
  public var confidenceThreshold: Float?
  /// The most labels of an object; less than 1 stands for ``defaultMaxLabelCount``.
  public var maxLabelCount: Int
  /// The margin around an object that the classifier sees on each side, as a share of the object's size. For models
  /// that were trained so.
  public var cropMargin: Double
  /// Names of the classes for a model that has none itself.
  @_spi(Facades) public var labelsOfUnlabeledModel: [String]?

  /// Creates options of a classifier; those that are not given have the values above.
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
  /// - Throws: `TaskError` that names the rule which the model breaks, or what is wrong with the options.
  public func checkModel() throws(TaskError) { _ = try ObjectModels.classifier(self) }

  /// The app's threshold if it is one, else that of the metadata, else 0.
  func threshold(inMetadata: Float?) -> Float {
    if let confidenceThreshold, (0...1).contains(confidenceThreshold) { return confidenceThreshold }
    return inMetadata ?? 0
  }

  /// What ``maxLabelCount`` stands for.
  var labelLimit: Int { maxLabelCount > 0 ? maxLabelCount : Self.defaultMaxLabelCount }
}

/// Labels whole images, with the options of object classifiers.
///
/// - Thread safety: callable concurrently; calls run one after the other.
@_spi(Facades) public final class FrameLabeler: Sendable {
  /// The names of the classes, by index; empty for a model that knows no names.
  public let labels: [String]
  private let classifier: Mutex<CropClassifier>
  private let labelMaker: LabelMaker
  private let timeout: Duration?

  /// Creates a labeler with the given options.
  ///
  /// - Throws: `TaskError` when an option is out of range, or the model is missing, damaged or no classifier.
  public init(options: ObjectClassifierOptions) throws(TaskError) {
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
  /// - Throws: `TaskError` when the model cannot run.
  public func labels(of image: InputImage) throws(TaskError) -> [ObjectLabel] {
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

@_spi(Facades) extension ObjectClassifierOptions {
  /// Returns the lines of a label file, or `nil` if it cannot be read or is not a label file.
  public static func labels(contentsOfFile path: String) -> [String]? {
    guard let text = try? MappedFile.read(path, maximumByteCount: LabelFile.longest) else { return nil }
    return try? LabelFile.lines(text, name: path)
  }
}
