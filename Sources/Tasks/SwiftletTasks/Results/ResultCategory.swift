/// A class that a model assigns, with its score.
public struct ResultCategory: Sendable, Hashable {
  /// The number of the class in the model's output.
  public var index: Int
  /// The score, usually a probability, 0…1.
  public var score: Float
  /// The name in the model's label file; `nil` if the model names no classes.
  public var categoryName: String?
  /// The name in the requested language; `nil` if the model has none.
  public var displayName: String?

  /// Creates a category.
  public init(index: Int, score: Float, categoryName: String? = nil, displayName: String? = nil) {
    self.index = index
    self.score = score
    self.categoryName = categoryName
    self.displayName = displayName
  }
}

extension ResultCategory {
  /// What a category counts in a result: its size, its place in a ranking, and as much again for what a facade or a
  /// document makes of it. Names are the label file's own.
  private static let byteCount = 128

  /// Counts categories that are about to be made.
  ///
  /// - Throws: `TaskError` (`limitExceeded`) if there is no room for them.
  package static func charge(_ count: Int, to results: ResultBudget) throws(TaskError) {
    try results.charge(
      count, each: byteCount, for: "categories",
      advice: "set maxResults or a scoreThreshold, so that fewer are reported")
  }
}
