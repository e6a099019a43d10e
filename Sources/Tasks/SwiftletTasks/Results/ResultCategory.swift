/// One class a model assigns, with how sure it is.
public struct ResultCategory: Sendable, Hashable {
  /// The class number, or -1 where the task reports only its name.
  public var index: Int
  /// Usually a probability, 0…1.
  public var score: Float
  /// The name from the model's label file, if it has one.
  public var categoryName: String?
  /// The name in the language asked for, if the model has one.
  public var displayName: String?

  /// A category with its score.
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
