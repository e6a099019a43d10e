/// The classes that a model assigns to an image, a window of audio, or a text.
public struct Classification: Sendable, Hashable {
  /// The classes of one output (head) of a model.
  public struct Head: Sendable, Hashable {
    /// The name of the output in the model's metadata; `nil` if it has none.
    public var name: String?
    /// The categories, best first; categories with equal scores in the order of their indices.
    public var categories: [ResultCategory]

    /// Creates the classes of an output.
    public init(name: String? = nil, categories: [ResultCategory]) {
      self.name = name
      self.categories = categories
    }
  }

  /// The classes of each output of the model, in order.
  public var heads: [Head]

  /// The categories of the model's first output, best first; most models have only this output.
  public var categories: [ResultCategory] { heads.first?.categories ?? [] }

  /// Creates a classification.
  public init(heads: [Head]) { self.heads = heads }
}
