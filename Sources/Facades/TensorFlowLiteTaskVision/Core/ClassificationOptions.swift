public import Foundation
@_spi(Facades) import SwiftletVision

/// The classes that may be reported.
open class ClassificationOptions: NSObject, NSCopying {
  /// These labels are not reported. Not together with an allow list.
  open var labelDenyList: [Any] = []
  /// When not empty, only these labels are reported.
  open var labelAllowList: [Any] = []
  /// The language of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = ""
  /// Classes with a lower score are left out.
  open var scoreThreshold: Float = 0
  /// The most classes or objects reported; negative for all, 0 is an error.
  open var maxResults = -1

  /// Creates options with their default values.
  public override init() {}

  /// Independent options with the same values.
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

  /// The options as the tasks take them.
  struct Values {
    var locale: String
    var maxResults: Int?
    var scoreThreshold: Float
    var allow: [String]
    var deny: [String]
  }

  /// - Throws: `TaskError` for lists of anything but strings.
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

/// The options that tasks with classes have in common.
open class ClassifyingOptions: NSObject {
  /// The model and how it is run. What is assigned is copied; what is read may be changed in place.
  open var baseOptions = BaseOptions() {
    didSet { baseOptions = baseOptions.duplicate() }
  }
  /// The classes that may be reported. What is assigned is copied; what is read may be changed in place.
  open var classificationOptions = ClassificationOptions() {
    didSet { classificationOptions = classificationOptions.duplicate() }
  }

  /// Creates options that name no model yet.
  public override init() {}

  /// Creates options for the model at a path.
  public init(modelPath: String) {
    super.init()
    baseOptions.modelFile.filePath = modelPath
  }
}

extension MLImage {
  /// The image as it is stored: as in the original, its orientation does not matter.
  ///
  /// - Throws: `TaskError` or `ImageError` when the pixels are of a kind that tasks do not take.
  func storedImage() throws -> InputImage {
    var picture = try snapshot().inputImage()
    picture.orientation = .up
    return picture
  }
}
