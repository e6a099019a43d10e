/// The classes that a model assigns to an image, a window of audio, or a text.
public struct Classification: Sendable, Hashable {
  /// The classes of one output (head) of a model.
  public struct Head: Sendable, Hashable {
    /// The name of the output in the model's metadata; `nil` if it has none.
    public var name: String?
    /// The categories, best first; categories with equal scores are in the order of their indices.
    public var categories: [ResultCategory]

    /// Creates the classes of an output.
    public init(name: String? = nil, categories: [ResultCategory]) {
      self.name = name
      self.categories = categories
    }
  }

  /// The classes of each output of the model, in order.
  public var heads: [Head]

  /// The categories of the model's first output, best first. Most models have only this output.
  public var categories: [ResultCategory] { heads.first?.categories ?? [] }

  /// Creates a classification.
  public init(heads: [Head]) { self.heads = heads }
}

/// A class that a model assigns, with its score.
public struct ResultCategory: Sendable, Hashable {
  /// The index of the class in the model's output.
  public var index: Int
  /// The score, usually a probability, 0…1.
  public var score: Float
  /// The name in the model's label file; `nil` if the model has no labels.
  public var categoryName: String?
  /// The name in the requested locale; `nil` if the model has none.
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
  /// The number of bytes that a category is charged: its own size, its entry in a ranking, and the same again for the
  /// objects that a facade or a document creates from it. Names are charged with the label file.
  private static let byteCount = 128

  /// Charges categories that are about to be created.
  ///
  /// - Throws: `TaskError` (`limitExceeded`) if there is no room for them.
  package static func charge(_ count: Int, to results: ResultBudget) throws(TaskError) {
    try results.charge(
      count, each: byteCount, for: "categories",
      advice: "set maxResults or a scoreThreshold, so that fewer are reported")
  }
}
