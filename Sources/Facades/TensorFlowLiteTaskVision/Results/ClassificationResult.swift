public import Foundation
import SwiftletVision

/// The classes of one output of a model.
public final class Classifications: NSObject, Sendable {
  /// Which output this is.
  public let headIndex: Int
  /// Its name in the model's metadata; empty without one.
  public let headName: String
  /// Best first.
  public let categories: [ClassificationCategory]

  /// The classes of an output.
  public convenience init(headIndex: Int, categories: [ClassificationCategory]) {
    self.init(headIndex: headIndex, headName: nil, categories: categories)
  }

  /// The classes of an output with a name.
  public init(headIndex: Int, headName: String?, categories: [ClassificationCategory]) {
    self.headIndex = headIndex
    self.headName = headName ?? ""
    self.categories = categories
  }
}

/// What an image classifier returns.
public final class ClassificationResult: NSObject, Sendable {
  /// One for each output of the model; most models have one.
  public let classifications: [Classifications]

  /// The classes of a picture.
  public init(classifications: [Classifications]) { self.classifications = classifications }

  convenience init(_ value: Classification) {
    self.init(
      classifications: value.heads.enumerated().map { index, head in
        Classifications(
          headIndex: index, headName: head.name, categories: head.categories.map(ClassificationCategory.init))
      })
  }
}
