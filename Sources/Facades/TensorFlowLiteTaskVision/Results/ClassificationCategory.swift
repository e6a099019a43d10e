public import Foundation
import SwiftletVision

/// A class with its score.
public final class ClassificationCategory: NSObject, Sendable {
  /// The number of the class.
  public let index: Int
  /// Usually a probability, 0…1.
  public let score: Float
  /// The name from the model's label file, if it has one.
  public let label: String?
  /// The name in the language asked for, if the model has one.
  public let displayName: String?

  /// A class with its score.
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
