public import Foundation
@_spi(Facades) import SwiftletVision

/// The options for selecting classes.
open class ClassificationOptions: NSObject, NSCopying {
  /// The labels that are not reported. Mutually exclusive with the allowlist.
  open var labelDenyList: [Any] = []
  /// If not empty, the only labels to report.
  open var labelAllowList: [Any] = []
  /// The locale of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = ""
  /// The minimum score. Classes with a lower score are not reported.
  open var scoreThreshold: Float = 0
  /// The maximum number of classes or objects; negative for all. 0 is an error.
  open var maxResults = -1

  /// Creates options with their default values.
  public override init() {}

  /// Returns independent options with the same values.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> ClassificationOptions {
    let copy = ClassificationOptions()
    copy.labelDenyList = labelDenyList
    copy.labelAllowList = labelAllowList
    copy.displayNamesLocale = displayNamesLocale
    copy.scoreThreshold = scoreThreshold
    copy.maxResults = maxResults
    return copy
  }

  /// The options for Swiftlet's tasks.
  struct Values {
    var locale: String
    var maxResults: Int?
    var scoreThreshold: Float
    var allow: [String]
    var deny: [String]
  }

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TaskError` if a list has elements other than strings.
  func values() throws(TaskError) -> Values {
    Values(
      locale: displayNamesLocale.isEmpty ? "en" : displayNamesLocale, maxResults: maxResults < 0 ? nil : maxResults,
      scoreThreshold: scoreThreshold, allow: try Self.labels(labelAllowList), deny: try Self.labels(labelDenyList))
  }

  private static func labels(_ list: [Any]) throws(TaskError) -> [String] {
    let labels = list.compactMap { $0 as? String }
    guard labels.count == list.count else {
      throw TaskError(.invalidOption, "lists of labels must hold strings and nothing else")
    }
    return labels
  }
}

/// The options that all tasks with classes share.
open class ClassifyingOptions: NSObject {
  /// The model, and how it runs. Setting the property copies the value; the value that it returns can be modified in
  /// place.
  open var baseOptions = BaseOptions() {
    didSet { baseOptions = baseOptions.duplicate() }
  }
  /// The options for selecting classes. Setting the property copies the value; the value that it returns can be
  /// modified in place.
  open var classificationOptions = ClassificationOptions() {
    didSet { classificationOptions = classificationOptions.duplicate() }
  }

  /// Creates options without a model.
  public override init() {}

  /// Creates options for the model at a path.
  public init(modelPath: String) {
    super.init()
    baseOptions.modelFile.filePath = modelPath
  }
}

extension MLImage {
  /// Returns the image as it is stored. Its orientation is ignored, as in the Task Library.
  ///
  /// - Throws: `TaskError` or `ImageError` when the pixels are of a kind that tasks do not take.
  func storedImage() throws -> InputImage {
    var input = try snapshot().inputImage()
    input.orientation = .up
    return input
  }
}
