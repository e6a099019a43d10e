/// A feature vector of an image or a text. The vectors of similar inputs are close to each other.
public struct Embedding: Sendable, Hashable {
  /// The elements of a vector.
  public enum Values: Sendable, Hashable {
    /// Single-precision elements.
    case float([Float])
    /// Elements that are quantized to int8: 128 represents 1.
    case int8([Int8])

    /// The number of dimensions.
    public var count: Int {
      switch self {
      case .float(let numbers): numbers.count
      case .int8(let numbers): numbers.count
      }
    }

    /// Returns the cosine similarity of two vectors, −1…1, computed in double precision.
    ///
    /// - Returns: NaN if one of the vectors is all zeros or empty.
    /// - Throws: `TaskError` (`invalidArgument`) if only one of the vectors is quantized, or if they differ in length.
    public func cosineSimilarity(to other: Values) throws(TaskError) -> Double {
      switch (self, other) {
      case (.float(let first), .float(let second)): return try Self.cosine(first, second) { Double($0) }
      case (.int8(let first), .int8(let second)): return try Self.cosine(first, second) { Double($0) }
      default:
        throw TaskError(
          .invalidArgument,
          "one embedding is quantized and the other is not; make both with the same options, by the same model")
      }
    }

    private static func cosine<Number>(
      _ first: [Number], _ second: [Number], _ real: (Number) -> Double
    ) throws(TaskError) -> Double {
      guard first.count == second.count else {
        throw TaskError(
          .invalidArgument,
          "the embeddings have \(first.count) and \(second.count) numbers; compare those of the same output of one model"
        )
      }
      var (product, firstSquare, secondSquare) = (0.0, 0.0, 0.0)
      for index in first.indices {
        let (a, b) = (real(first[index]), real(second[index]))
        product += a * b
        firstSquare += a * a
        secondSquare += b * b
      }
      return product / (firstSquare * secondSquare).squareRoot()
    }
  }

  /// The vector of one output (head) of a model.
  public struct Head: Sendable, Hashable {
    /// The name of the output in the model's metadata; `nil` if it has none.
    public var name: String?
    /// The vector.
    public var values: Values

    /// Creates the vector of an output.
    public init(name: String? = nil, values: Values) {
      self.name = name
      self.values = values
    }
  }

  /// The vector of each output of the model, in order.
  public var heads: [Head]

  /// The vector of the model's first output, or an empty vector if there are no outputs. Most models have only this
  /// output.
  public var values: Values { heads.first?.values ?? .float([]) }

  /// Creates an embedding.
  public init(heads: [Head]) { self.heads = heads }

  /// Returns the cosine similarity of the vectors of the first outputs, −1…1; see ``Values/cosineSimilarity(to:)``.
  ///
  /// - Throws: `TaskError` (`invalidArgument`) if only one of the vectors is quantized, or if they differ in length.
  public func cosineSimilarity(to other: Embedding) throws(TaskError) -> Double {
    try values.cosineSimilarity(to: other.values)
  }
}
