public import Foundation
package import SwiftletTasks

/// One class that a model assigns, with how sure it is.
#if canImport(ObjectiveC)
  @objc(MPPCategory) @objcMembers
#endif
open class ResultCategory: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// The number of the class, or -1 where the task reports only its name.
  public let index: Int
  /// Usually a probability, 0…1.
  public let score: Float
  /// The name from the model's label file, if it has one.
  public let categoryName: String?
  /// The name in the language asked for, if the model has one.
  public let displayName: String?

  /// A category of these values.
  public init(index: Int, score: Float, categoryName: String?, displayName: String?) {
    self.index = index
    self.score = score
    self.categoryName = categoryName
    self.displayName = displayName
  }

  package convenience init(_ value: SwiftletTasks.ResultCategory) {
    self.init(
      index: value.index, score: value.score, categoryName: value.categoryName, displayName: value.displayName)
  }
}
