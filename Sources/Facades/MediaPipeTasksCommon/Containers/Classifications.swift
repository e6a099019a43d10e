public import Foundation
package import SwiftletTasks

/// The classes from one output of a model.
#if canImport(ObjectiveC)
  @objc(MPPClassifications) @objcMembers
#endif
open class Classifications: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  /// The index of the output in the model.
  public let headIndex: Int
  /// The name of the output in the model's metadata; empty if a classification model has none.
  public let headName: String?
  /// The classes, best first.
  public let categories: [ResultCategory]

  /// Creates the classes of an output without a name.
  public convenience init(headIndex: Int, categories: [ResultCategory]) {
    self.init(headIndex: headIndex, headName: nil, categories: categories)
  }

  /// Creates the classes of an output.
  public init(headIndex: Int, headName: String?, categories: [ResultCategory]) {
    self.headIndex = headIndex
    self.headName = headName
    self.categories = categories
  }

  /// Creates the classes of an output. The label `head` is Swift's name for `headIndex` of Objective-C's initializer.
  public convenience init(head: Int, headName: String? = nil, categories: [ResultCategory]) {
    self.init(headIndex: head, headName: headName, categories: categories)
  }

  package convenience init(_ head: Classification.Head, index: Int) {
    self.init(headIndex: index, headName: head.name ?? "", categories: head.categories.map { ResultCategory($0) })
  }
}

/// The classification of one image, one window of audio, or one text.
#if canImport(ObjectiveC)
  @objc(MPPClassificationResult) @objcMembers
#endif
open class ClassificationResult: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  /// The classes of each output of the model, in order.
  public let classifications: [Classifications]
  /// The timestamp of the input; for single images one second per call: 0, 1000, 2000, …
  public let timestampInMilliseconds: Int

  /// Creates a result with the given outputs.
  public init(classifications: [Classifications], timestampInMilliseconds: Int) {
    self.classifications = classifications
    self.timestampInMilliseconds = timestampInMilliseconds
  }

  package convenience init(_ value: Classification, at time: Duration) {
    self.init(
      classifications: value.heads.enumerated().map { Classifications($1, index: $0) },
      timestampInMilliseconds: time.inMilliseconds)
  }
}

/// A class that a model assigns, with its score.
#if canImport(ObjectiveC)
  @objc(MPPCategory) @objcMembers
#endif
open class ResultCategory: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  /// The index of the class, or -1 if the task reports only its name.
  public let index: Int
  /// The score, usually a probability, 0…1.
  public let score: Float
  /// The name from the model's label file, if it has one.
  public let categoryName: String?
  /// The name in the requested locale, if the model has one.
  public let displayName: String?

  /// Creates a category.
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
